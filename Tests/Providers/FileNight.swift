import Files
import Foundation
import JSON
import Landing
import Logging
import Synchronization

@testable import Providers

/// A folder that is delivered to, a landing zone, and rules made up for the test.
final class FileNight {
  static let rangeFrom: Int64 = 1000
  let folder: String
  var inbox: String { folder + "/inbox" }
  var landing: Landing { Landing(directory: folder + "/landing") }
  /// One second a pull.
  private(set) var now: Int64 = 5000

  private init(folder: String) { self.folder = folder }

  static func with<R>(_ body: (FileNight) async throws -> R) async throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("night-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/inbox", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(FileNight(folder: folder))
  }

  func put(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: inbox + "/" + name))
  }

  func pull(_ source: (any FileSource)? = nil, edition: String = "1") async -> StreamOutcome {
    now += 1
    let stream = FileStream(
      provider: "shop", stream: "settlements", source: source ?? LocalFiles(directory: inbox),
      rules: MadeUpRules(edition: edition),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return await stream.pull(PullOrder(rangeFrom: Self.rangeFrom, rangeTo: 2000, now: now), into: landing)
  }

  func newest() throws -> Manifest {
    guard let newest = try landing.manifests(provider: "shop", stream: "settlements").last else {
      throw CocoaError(.fileNoSuchFile)
    }
    return newest
  }

  /// The lines of the newest pull.
  func lines() throws -> [String] {
    var lines: [String] = []
    try landing.read(newest()) { bytes, _ in lines.append(String(decoding: bytes, as: UTF8.self)) }
    return lines
  }

  /// What the newest pull refused.
  func refused() throws -> [RefusedRecord] {
    let parser = JSONParser()
    return try lines().compactMap { line in try parser.parse(Array(line.utf8)) { try RefusedRecord($0) } }
  }
}

/// `ID, Amount, Settled At` (a moment in seconds); some ids bring trouble.
struct MadeUpRules: FileRules {
  let edition: String

  func layout(of name: String) -> FileLayout {
    if name.hasSuffix(".xlsx") { return .refused("deliver it as CSV") }
    return name.hasSuffix(".csv") ? .rows([.required("id"), .optional("amount"), .required("settled_at")]) : .foreign
  }

  func begin(_ file: DeliveredFile) -> any FileReading { MadeUpReading() }
}

private final class MadeUpReading: FileReading {
  private(set) var reportedSpan: ClosedRange<Int64>?
  private var lastID = ""

  func read(_ row: FileRow) throws {
    lastID = row["id"]
    switch lastID {
    case "bad": throw row.refused("id: found bad", recordID: "bad")
    case "unsigned": throw row.refused("nobody signed it", withholdsClaims: false)
    case "other tenant": throw FileRefusal("the file is another tenant's")
    case "total": row.isLeftOut = true
    default:
      let moment = Int64(row["settled_at"]) ?? 0
      row["day"] = "\(moment / 100)"
      reportedSpan = min(reportedSpan?.lowerBound ?? moment, moment)...max(reportedSpan?.upperBound ?? moment, moment)
    }
  }

  func end() throws {
    if lastID == "last" { throw FileRefusal("the file goes on after its last row") }
  }
}

/// One file, elsewhere, that counts how often it is fetched.
struct CountingSource: FileSource {
  final class Count: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }
  let text: String
  var stamp = ""
  let fetched = Count()

  func stamped(_ stamp: String) -> CountingSource {
    var copy = self
    copy.stamp = stamp
    return copy
  }

  func list(known: [ImportedFile]) -> FileListing {
    FileListing(files: [ListedFile(name: "a.csv", stamp: stamp)])
  }

  func fetch(_ file: ListedFile, into folder: String) throws -> String {
    fetched.add()
    let path = folder + "/" + file.name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}
