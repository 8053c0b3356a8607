import Foundation
import Landing

/// A landing zone in a folder of its own, removed when the test is over.
final class Workplace {
  let directory: String
  var landing: Landing { Landing(directory: directory) }

  init() throws {
    directory = NSTemporaryDirectory() + "landing-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// The same files in another place, as a crash at this moment would have left them.
  func copy() throws -> Workplace {
    let other = try Workplace()
    try FileManager.default.removeItem(atPath: other.directory)
    try FileManager.default.copyItem(atPath: directory, toPath: other.directory)
    return other
  }

  /// All files but the chain's end, from the landing zone's folder, sorted.
  func files() -> [String] {
    let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    return names.filter { $0 != ".chain.json" && !FileManager.default.directoryExists(directory + "/" + $0) }.sorted()
  }

  func content(_ file: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: directory + "/" + file)))
  }

  func replace(_ file: String, with bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: directory + "/" + file))
  }

  /// All lines of all landed files, in reading order.
  func lines() throws -> [String] {
    try landing.manifests(asOf: nil).flatMap { try lines(of: $0) }
  }

  func lines(of manifest: Manifest) throws -> [String] {
    var lines: [String] = []
    try landing.read(manifest) { bytes, number in
      lines.append(String(decoding: bytes, as: UTF8.self))
      guard number == lines.count else { throw CancellationError() }
    }
    return lines
  }
}

extension FileManager {
  func directoryExists(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

extension StreamPull {
  /// A pull of charges for the night of 2 March 2026, or what is said otherwise.
  static func charges(
    provider: String = "stripe", stream: String = "charges", request: String = "/v1/charges",
    windowFrom: Int64 = 1_772_236_800
  ) -> StreamPull {
    StreamPull(
      provider: provider, stream: stream, request: request, windowFrom: windowFrom, windowTo: windowFrom + 86_400,
      coversFrom: windowFrom + 3600, watermark: windowFrom + 86_100, rangeFrom: windowFrom, rangeTo: windowFrom + 86_400
    )
  }
}

extension LandingWriter {
  /// Writes one page of records named after the page.
  func writePage(_ page: Int, of size: Int = 3, cursor: String?) throws {
    for number in 0..<size { try append(line: Array(record(page, number).utf8), dropped: 2) }
    try endPage(cursor: cursor, requestID: "req_\(page)")
  }
}

func record(_ page: Int, _ number: Int) -> String {
  #"{"id":"ch_\#(page)_\#(number)","amount":\#(page * 1000 + number)}"#
}

func records(_ pages: Range<Int>, of size: Int = 3) -> [String] {
  pages.flatMap { page in (0..<size).map { record(page, $0) } }
}

let night: Int64 = 1_772_334_900  // 2026-03-01T03:15:00Z
