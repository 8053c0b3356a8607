import Foundation
import HTTP
import JSON
import Landing
import Logging
import Settings
import Synchronization
import TestSupport

@testable import Providers

/// The secret key that must never be found again.
let afterpayKey = "afterpay-findme-0123456789"

/// An Afterpay account on loopback, its landing zone and drop folder in a folder of its own, and nights to pull it.
final class AfterpayNight: Sendable {
  let server: LoopbackServer
  let landing: Landing
  let folder: String
  let log = LogLines()
  let waits = LogLines()
  private let pageSize: Int

  /// - Parameter answer: what the account answers; given the request, its number on that path from 1, and the server's
  ///   address.
  init(
    pageSize: Int = 250, _ answer: @escaping @Sendable (LoopbackServer.Asked, Int, String) -> LoopbackServer.Reply
  ) async throws {
    let counts = Mutex<[String: Int]>([:])
    self.pageSize = pageSize
    server = try await LoopbackServer { asked in
      let count = counts.withLock { counts in
        counts[asked.path, default: 0] += 1
        return counts[asked.path] ?? 0
      }
      return answer(asked, count, "http://\(asked.headers["host"] ?? "")")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("afterpay-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/exports", withIntermediateDirectories: true)
    landing = Landing(directory: folder + "/landing")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func provider(_ configure: (inout AfterpayConfiguration) -> Void = { _ in }) throws -> Afterpay {
    var configuration = AfterpayConfiguration(
      name: "afterpay", merchantID: "32", secretKey: Secret(afterpayKey), currency: "USD", baseURL: server.baseURL,
      settlementDirectory: folder + "/exports")
    configuration.retry = RetryPolicy(attempts: 4, timeout: .seconds(20))
    configuration.pageSize = pageSize
    configure(&configuration)
    let waits = waits
    let waiting = Waiting(sleep: { waits.add("\($0)") }, jitter: { 1 }, now: { dayEnd + 600 })
    let log = log
    return try Afterpay(
      configuration, waiting: waiting, logger: Logger(label: "test") { _ in RecordingLog(lines: log) })
  }

  /// Pulls the day that ends at `dayEnd`, ten minutes after it.
  func pull(open: [String: [String]] = [:]) async throws -> PullOutcome {
    try await provider().pull(
      PullOrder(rangeFrom: dayEnd - day, rangeTo: dayEnd, now: dayEnd + 600, open: open), into: landing)
  }

  func put(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/exports/\(name)"))
  }

  /// The landed lines of a stream.
  func lines(_ stream: AfterpayStream) throws -> [String] {
    var lines: [String] = []
    for manifest in try landing.manifests() where manifest.stream == stream.rawValue {
      try landing.read(manifest) { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  func manifest(_ stream: AfterpayStream) throws -> Manifest? {
    try landing.manifests().last { $0.stream == stream.rawValue }
  }

  /// Every byte that a secret could have got into.
  func everything(_ outcome: PullOutcome) throws -> String {
    var text = log.all.joined(separator: "\n") + "\(outcome)"
    for manifest in try landing.manifests() {
      text += String(decoding: try JSONEncoder().encode(manifest), as: UTF8.self)
    }
    for stream in AfterpayStream.allCases { text += try lines(stream).joined(separator: "\n") }
    return text
  }

  /// A payment of the list.
  static func payment(_ id: Int, created: String = "2026-03-01T10:00:00.000Z") -> String {
    """
    {"id":"\(id)","token":"003.t\(id)","status":"APPROVED","created":"\(created)","originalAmount":{"amount":"10.00",\
    "currency":"USD"},\
    "openToCaptureAmount":{"amount":"0.00","currency":"USD"},"paymentState":"CAPTURED","merchantReference":"O-\(id)",\
    "refunds":[],\
    "orderDetails":{"consumer":{"email":"jenny.rosen@example.com"}},"events":[{"id":"e\(id)","created":"\(created)",\
    "expires":null,\
    "type":"CAPTURED","amount":{"amount":"10.00","currency":"USD"}}]}
    """
  }

  /// A page of the list.
  static func page(_ ids: [Int], total: Int, next: String = "", created: String = "2026-03-01T10:00:00.000Z")
    -> LoopbackServer.Reply
  {
    let results = ids.map { payment($0, created: created) }.joined(separator: ",")
    return .json(#"{"totalResults":\#(total),"limit":250,"nextPageUrl":"\#(next)","results":[\#(results)]}"#)
  }

  static let noDisputes = LoopbackServer.Reply.json(#"{"data":[],"offset":0,"limit":100,"total":0}"#)

  /// An account that holds that many payments and gives them page by page.
  static func holding(_ count: Int) -> @Sendable (LoopbackServer.Asked, Int, String) -> LoopbackServer.Reply {
    { asked, _, base in
      guard asked.path == "/v2/payments" else { return noDisputes }
      let limit = Int(asked["limit"] ?? "") ?? 20
      let first = Int(asked["cursor"] ?? "") ?? 0
      let query = asked.query.filter { $0.name != "cursor" }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      let next = first + limit < count ? "\(base)/v2/payments?\(query)&cursor=\(first + limit)" : ""
      return page(Array((first..<min(first + limit, count)).map { 1_000_000_000 + $0 }), total: count, next: next)
    }
  }
}

extension PullOutcome {
  /// How a stream of Afterpay's went.
  func afterpay(_ stream: AfterpayStream) -> StreamOutcome? { streams.first { $0.stream == stream.rawValue } }
}
