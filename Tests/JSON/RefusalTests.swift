import JSON
import Testing

@Suite struct RefusalTests {
  @Test(arguments: [
    "", "  ", "{", "[", "\"a", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "[1,]", "[,1]", "[1 2]", "{\"a\" 1}",
    "{a:1}", "[1}",
    "{\"a\":1]",
    "{} {}", "[1] x", "1 2", "null null", "\"a\" \"b\"", "{}}", "[]]", "1,", "nul", "nulls", "truefalse", "tru", "True",
    "[truex]",
    "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x10", "1_000", "NaN", "Infinity", "[1a]", "[-]", "{\"a\":1e}",
    "\"\\x\"",
    "\"\\u12g4\"",
    "\"\\u12\"", "\"tab\tinside\"", ":", ",", "]", "}", "[:]", "[\"a\":1]", "{\"a\":1:2}", "{1:2}", "\u{feff}1",
    "<html>",
  ])
  func `what is not exactly one JSON document is refused`(_ text: String) {
    #expect(throws: JSONError.self, "\(text)") { try reading(text) { $0.jsonText } }
  }

  @Test func `a refusal says where`() {
    #expect(throws: JSONError.malformed(offset: 8, reason: "something follows the document")) {
      try reading(#"{"a":1} {}"#) { _ in }
    }
    let error = #expect(throws: JSONError.self) { try reading(#"{"a": nope}"#) { _ in } }
    #expect(error?.description == "byte 6: found neither a number nor true, false or null, expected one JSON document")
  }

  @Test func `sixty-four levels are read, sixty-five and ten thousand are refused`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(try reading(nested(64)) { $0.jsonText } == nested(64))
    #expect(throws: JSONError.tooDeep(limit: 64)) { try reading(nested(65)) { _ in } }
    #expect(throws: JSONError.tooDeep(limit: 64)) { try reading(nested(10_000)) { _ in } }
    let objects = String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)
    #expect(throws: JSONError.tooDeep(limit: 64)) { try reading(objects) { _ in } }
  }

  @Test func `a string of ten megabytes is read`() throws {
    let long = String(repeating: "0123456789", count: 1_000_000)
    #expect(
      try reading("{\"a\":\"\(long)\",\"b\":7}") { try $0["a"].string().utf8.count + Int($0["b"].int64()) }
        == 10_000_007)
  }

  @Test func `bytes that are not UTF-8 are refused, and the place is named`() {
    let cases: [(bytes: [UInt8], offset: Int)] = [
      (Array("{\"a\":\"".utf8) + [0xff] + Array("\"}".utf8), 6),
      (Array("[\"é".utf8) + [0xc0, 0xaf] + Array("\"]".utf8), 4),
      (Array("\"".utf8) + [0xed, 0xa0, 0x80] + Array("\"".utf8), 1),
      (Array("\"".utf8) + [0xe2, 0x82] + Array("\"".utf8), 1),
    ]
    for (bytes, offset) in cases {
      #expect(throws: JSONError.malformed(offset: offset, reason: "bytes that are not UTF-8")) {
        try JSONParser().parse(bytes) { _ in }
      }
    }
  }

  @Test func `a document cut at any byte is refused and never crashes`() throws {
    let document =
      #"{"id":"ch_\u00e9\"1","amount":-10.5e2,"list":[true,false,null,{"é":[]}],"metadata":{"order_id":"A-1"}}"#
    let bytes = Array(document.utf8)
    let parser = JSONParser()
    for length in 0..<bytes.count {
      #expect(throws: JSONError.self, "cut at \(length)") { try parser.parse(Array(bytes[..<length])) { $0.jsonText } }
    }
    #expect(try parser.parse(bytes) { try $0["metadata"]["order_id"].string() } == "A-1")
  }

  @Test func `a parser reads on after a refusal`() throws {
    let parser = JSONParser()
    #expect(throws: JSONError.self) { try parser.parse(Array("{\"a\":[1,".utf8)) { _ in } }
    #expect(try parser.parse(Array("{\"a\":[1,2]}".utf8)) { $0["a"].elements.reduce(0) { sum, _ in sum + 1 } } == 2)
  }
}
