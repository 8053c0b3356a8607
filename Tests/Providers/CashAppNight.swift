import Foundation
import HTTP
import Landing
import Logging
import Settings
import TestSupport

@testable import Providers

/// A Cash App client on loopback and in a folder, with a landing zone of its own.
final class CashAppNight: Sendable {
  static let header = """
    merchant_id,merchant_reference_id,settlement_batch_id,payment_id,payment_reference_id,refund_id,\
    refund_reference_id,dispute_id,\
    transaction_type,transaction_time,net_amount,gross_amount,fee_amount,fee_variable,fee_fixed,currency_code,settled_at
    """
  /// The secret that must never be found again.
  static let secret = "findme-shhh-secret"
  /// 2026-03-03T00:00:00Z: where the reported day ends.
  static let dayEnd: Int64 = 1_772_496_000

  let server: LoopbackServer
  let folder: String
  let landing: Landing
  let log = LogLines()

  init(_ answer: @escaping @Sendable (LoopbackServer.Asked) async -> LoopbackServer.Reply) async throws {
    server = try await LoopbackServer(answer)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("cashapp-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/settlements", withIntermediateDirectories: true)
    landing = Landing(directory: folder + "/landing")
  }

  convenience init() async throws { try await self.init { _ in .json(#"{"errors":[]}"#, status: 404) } }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func put(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(folder)/settlements/\(name)", atomically: true, encoding: .utf8)
  }

  func provider(hasKey: Bool = true, crawl: Bool = true) throws -> CashApp {
    var access = CashAppAccess(keyID: "KEY_test", secret: Secret(Self.secret), baseURL: server.baseURL, crawl: crawl)
    access.retry = RetryPolicy(attempts: 3, timeout: .seconds(20))
    let configuration = CashAppConfiguration(
      name: "cashapp", clientID: "CAS-CI_TEST", settlement: .folder(folder + "/settlements"),
      access: hasKey ? access : nil)
    let log = log
    let logger = Logger(label: "test") { _ in RecordingLog(lines: log) }
    return try CashApp(
      configuration, waiting: Waiting(sleep: { _ in }, jitter: { 1 }, now: { Self.dayEnd + 600 }), logger: logger)
  }

  func pull(hasKey: Bool = true, crawl: Bool = true, open: [String: [String]] = [:]) async throws -> PullOutcome {
    let order = PullOrder(rangeFrom: Self.dayEnd - 86_400, rangeTo: Self.dayEnd, now: Self.dayEnd + 600, open: open)
    return await (try provider(hasKey: hasKey, crawl: crawl)).pull(order, into: landing)
  }

  /// What the newest pull of a stream landed.
  func lines(_ stream: CashAppStream) throws -> [String] {
    guard let newest = try landing.manifests(provider: "cashapp", stream: stream.rawValue).last else { return [] }
    var lines: [String] = []
    try landing.read(newest) { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  /// An answer for every list that is not the one a test is about: nothing there.
  static func quiet(_ asked: LoopbackServer.Asked) -> LoopbackServer.Reply {
    if asked.path.hasPrefix("/management") {
      return .json(
        #"{"api_key":{"id":"KEY_test","created_at":"2026-03-01T00:00:00Z","expires_at":"2026-03-31T00:00:00Z"}}"#)
    }
    return .json(#"{"\#(asked.path.split(separator: "/").last ?? "")":[],"cursor":""}"#)
  }

  /// A payment as the API gives it, personal members included.
  static func payment(_ id: String) -> String {
    """
    {"id":"\(id)","amount":1000,"net_amount":1000,"captured_amount":1000,"voided_amount":0,"refunded_amount":0,\
    "currency":"USD",\
    "customer_id":"CST_findme","merchant_id":"MMI_1","grant_id":"GRG_findme","status":"CAPTURED",\
    "created_at":"2026-03-02T10:00:00Z",\
    "updated_at":"2026-03-02T10:00:01Z","reference_id":"O-1","metadata":{"name":"findme"},"fee_amount":20.5}
    """
  }
}
