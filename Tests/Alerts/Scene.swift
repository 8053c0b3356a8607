import Alerts
import Foundation
import HTTP
import Logging
import Settings
import Synchronization
import TestSupport

/// A landing folder of the test's own, and a configuration's alerts.
final class Scene: Sendable {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("alerts-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The alerts of a configuration, read as a run reads them.
  func entries(_ alerts: String) throws -> [AlertEntry] {
    let text = """
      store: {url: "sqlite:x.db"}
      orders: []
      providers:
        - {kind: stripe, name: stripe, api_key: k}
        - {kind: stripe, name: paypal, api_key: k}
      alerts:
      \(alerts)
      """
    let path = folder + "/crossfoot.yml"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return try Settings.load(path, environment: [:], providerKinds: ["stripe"]) { _ = $0.node.secret("api_key") }.alerts
  }

  /// Waits that take no time, and a clock that stands still.
  static func connecting(timeout: Duration = .seconds(120), waits: Waits = Waits()) -> Connecting {
    let waiting = Waiting(sleep: { waits.add($0) }, jitter: { 1 }, now: { 1_772_600_000 })
    return Connecting(
      waiting: waiting, timeout: timeout, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  func dispatcher(_ entries: [AlertEntry], timeout: Duration = .seconds(120), waits: Waits = Waits()) -> AlertDispatcher
  {
    AlertDispatcher(entries, landing: folder, connecting: Self.connecting(timeout: timeout, waits: waits))
  }

  /// What the log holds, as text.
  var log: String { (try? String(contentsOfFile: folder + "/alerts.jsonl", encoding: .utf8)) ?? "" }
}

/// The waits that were asked for.
final class Waits: Sendable {
  private let waits = Mutex<[Duration]>([])
  var all: [Duration] { waits.withLock { $0 } }
  func add(_ wait: Duration) { waits.withLock { $0.append(wait) } }
}

/// Answers one after the other, the last one for ever.
final class Replies: Sendable {
  private let left: Mutex<[LoopbackServer.Reply]>
  init(_ replies: [LoopbackServer.Reply]) { left = Mutex(replies) }
  func next() -> LoopbackServer.Reply { left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
}

extension RunOutcome {
  /// A night with two discrepancies.
  static func night(
    _ discrepancies: [Discrepancy] = [.duplicate, .late], outcome: Outcome = .discrepancies, day: Int = 1,
    reasons: [String] = []
  ) -> RunOutcome {
    RunOutcome(
      outcome: outcome, range: "2026-03-0\(day)", rangeEnd: 1_772_409_600 + Int64(day - 1) * 86_400, reasons: reasons,
      discrepancies: discrepancies,
      reports: "/srv/crossfoot/output/2026-03-0\(day)", now: 1_772_420_000)
  }
}

extension Discrepancy {
  static var duplicate: Discrepancy {
    var discrepancy = Discrepancy(
      id: "d_01", type: "duplicate_payment", severity: .critical, state: "new", provider: "stripe")
    discrepancy.orderID = "o-1 <b>&"
    discrepancy.paymentID = "ch_1 ch_2"
    (discrepancy.currency, discrepancy.differenceMinor) = ("EUR", 12_000)
    discrepancy.owner = "Jenny Rosen"
    discrepancy.explanation = "The customer paid 240.00 EUR for an order of 120.00 EUR."
    discrepancy.suggestedAction = "Refund one of the two payments."
    return discrepancy
  }

  static var late: Discrepancy {
    var discrepancy = Discrepancy(
      id: "d_02", type: "settlement_overdue", severity: .high, state: "persisting", provider: "paypal")
    (discrepancy.currency, discrepancy.differenceMinor) = ("JPY", -500)
    discrepancy.explanation = "Not paid out\r\nafter 9 days; ask jenny@example.com."
    return discrepancy
  }

  func with(state: String, difference: Int64? = nil) -> Discrepancy {
    var changed = self
    changed.state = state
    if let difference { changed.differenceMinor = difference }
    return changed
  }
}
