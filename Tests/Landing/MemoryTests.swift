import JSON
import Testing

@testable import Landing

@Suite struct MemoryTests {
  @Test func `twenty megabytes of lines pass through one megabyte of memory`() throws {
    let splitter = LineSplitter()
    let filler = String(repeating: "x", count: 1000)
    let lines = (0..<2000).map { #"{"number":\#($0),"filler":"\#(filler)"}"# + "\n" }
    let bytes = Array(lines.joined().utf8)
    let parser = JSONParser()
    var total: Int64 = 0
    for _ in 0..<10 {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = splitter.room.count < rest.count ? min(splitter.room.count, 131_072) : rest.count
        splitter.room.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        try splitter.filled(count) { line, _ in
          total += try parser.parse(line, hasPadding: true) { try $0["number"].int64() }
        }
      }
    }
    #expect(splitter.count == 20_000 && total == 10 * 1999 * 1000)
    #expect(splitter.capacity == (1 << 20) + JSONParser.padding)
  }

  @Test func `a large file is written a frame a page and parsed where it lies`() throws {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    let filler = String(repeating: "x", count: 1000)
    for number in 0..<20_000 {
      try writer.append(line: Array(#"{"id":"ch_\#(number)","amount":\#(number),"filler":"\#(filler)"}"#.utf8))
      if number % 1000 == 999 { try writer.endPage(cursor: "ch_\(number)", requestID: nil) }
    }
    let manifest = try writer.finish(complete: true)
    let parser = JSONParser()
    var total: Int64 = 0
    try workplace.landing.read(manifest) { line, _ in
      total += try parser.parse(line, hasPadding: true) { try $0["amount"].int64() }
    }
    #expect(total == 19_999 * 10_000)
    #expect(manifest.pages.count == 20 && manifest.objects == 20_000)
  }
}
