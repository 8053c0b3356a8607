import Foundation
import JSON
import Landing
import OrderSources
import Payments

/// A folder of its own for one test, with order files and a landing zone.
struct Workplace {
  let folder: String
  var landing: Landing { Landing(directory: folder + "/landing") }

  /// 2026-03-01 in UTC, pulled two hours after its end.
  static let rangeFrom: Int64 = 1_772_323_200
  static let rangeTo: Int64 = 1_772_409_600
  static let now: Int64 = 1_772_416_800

  static func with<R>(_ body: (Workplace) async throws -> R) async throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("orders-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(Workplace(folder: folder))
  }

  /// Writes a file and returns its path.
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let path = folder + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  func pull(_ source: any OrderSource, now: Int64 = Workplace.now) async throws -> OrderPullOutcome {
    try await source.pull(rangeFrom: Self.rangeFrom, rangeTo: Self.rangeTo, now: now, into: landing)
  }

  /// What the landing zone says of a stream, read again.
  func landed(_ stream: OrderStream = .orders, source: String = "shop") throws -> [LandedOrder] {
    let reader = OrderReader(source: source)
    let parser = JSONParser()
    var found: [LandedOrder] = []
    for manifest in try landing.manifests(asOf: nil) where manifest.stream == stream.rawValue {
      try landing.read(manifest) { bytes, line in
        let origin = Origin(file: 1, line: Int64(line), observedAt: manifest.observedAt, rangeTo: manifest.pull.rangeTo)
        found.append(try parser.parse(bytes) { try reader.read($0, stream: stream, from: origin) })
      }
    }
    return found
  }

  func orders() throws -> [Order] {
    try landed().compactMap { if case .order(let order, _) = $0 { order } else { nil } }
  }

  func refused(_ stream: OrderStream = .orders) throws -> [QuarantinedRow] {
    try landed(stream).compactMap { if case .quarantined(let row) = $0 { row } else { nil } }
  }
}
