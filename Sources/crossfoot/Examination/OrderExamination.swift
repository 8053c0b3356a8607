import Foundation
import Landing
import OrderSources
import Payments
import Providers
import Settings

/// Whether the orders can be read: each source is read as in a run, into a temporary folder.
enum OrderExamination {
  /// How many refused rows are listed.
  private static let shown = 3

  static func findings(_ workplace: CommandContext, now: Int64) async -> [DiagnosticLine] {
    let entries = workplace.settings.orders
    if entries.isEmpty {
      return [DiagnosticLine(.orders, Diagnostic(.warning, "no order source: payments are not compared with orders"))]
    }
    let folder = NSTemporaryDirectory() + "crossfoot-doctor-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let yesterday = workplace.calendar.day(containing: now).advanced(by: -1)
    let bounds = workplace.calendar.bounds(of: yesterday)
    var findings: [DiagnosticLine] = []
    do {
      for source in try OrderSourceList.make(entries) {
        findings += await examine(source, bounds, now: now, into: Landing(directory: folder))
      }
    } catch { findings.append(DiagnosticLine(.orders, Diagnostic(.bad, "\(error)"))) }
    return findings
  }

  private static func examine(
    _ source: any OrderSource, _ bounds: (startsAt: Int64, endsAt: Int64), now: Int64, into landing: Landing
  ) async -> [DiagnosticLine] {
    do {
      let outcome = try await source.pull(rangeFrom: bounds.startsAt, rangeTo: bounds.endsAt, now: now, into: landing)
      return sentences(source.name, outcome).map { DiagnosticLine(.orders, $0) }
    } catch {
      return [DiagnosticLine(.orders, Diagnostic(.bad, Failure(error).message))]
    }
  }

  private static func sentences(_ name: String, _ outcome: OrderPullOutcome) -> [Diagnostic] {
    guard outcome.isComplete else { return [Diagnostic(.bad, "\(name): \(outcome.reason ?? "not read in full")")] }
    let rows = outcome.rows == 1 ? "1 row can be read" : "\(outcome.rows) rows can be read"
    guard outcome.refused > 0 else { return [Diagnostic(.good, "\(name): \(rows)")] }
    let named = outcome.quarantined.prefix(shown).map { "\($0.location): \($0.reason)" }
    let rest = outcome.refused > named.count ? ["and \(outcome.refused - named.count) more"] : []
    return [
      Diagnostic(.warning, "\(name): \(rows), \(outcome.refused) refused: \((named + rest).joined(separator: "; "))")
    ]
  }
}
