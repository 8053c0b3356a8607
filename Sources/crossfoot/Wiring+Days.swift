import Foundation
import Payments
import Reconciliation
import Reports
import Settings

/// The nightly run without explicit days: it makes up for nights that were missed.
extension Wiring {
  /// Every day since the newest published one, oldest first, with one pull for all of them.
  ///
  /// - Returns: the worst of their exit statuses.
  /// - Throws: the error that ends a run without a report; the days after it are left to the next run.
  static func runDueDays(_ order: RunOrder, at workplace: CommandContext) async throws -> ExitStatus {
    let due: DueDays
    do { due = try makeNight(order.range, now: order.now, workplace).dueDays(yesterday: order.range.last) } catch {
      await alert(Failure(error), order, of: FallbackAlertSettings(workplace.settings))
      throw error
    }
    complain(due)
    var worst = ExitStatus.clean
    for day in due.days {
      let status = try await run(order.narrowed(to: day, of: due.days), at: workplace)
      if status.rawValue > worst.rawValue { worst = status }
    }
    return worst
  }

  private static func complain(_ due: DueDays) {
    let missed = due.days.dropLast()
    if !missed.isEmpty {
      Terminal.complain("warning: no report covers \(ReportRange.text(of: Array(missed))); made up for now")
    }
    if let first = due.skipped.first, let last = due.skipped.last {
      Terminal.complain(
        "warning: no report covers \(ReportRange.text(of: due.skipped)); a run makes up for 31 days at most: "
          + "`crossfoot run --from \(first) --to \(last)` reports them")
    }
  }

  /// Records a run in the history that `status` shows, whether it published or not; one that found the lock taken did
  /// not begin.
  static func record(_ order: RunOrder, _ status: ExitStatus, verdict: String?, reason: String? = nil, landing: String)
  {
    guard order.alerts != .never, order.asOf == nil, !order.isDry, status != .locked else { return }
    let line = RunLine(
      at: order.now, range: order.range.description, exitStatus: status.rawValue, verdict: verdict, reason: reason)
    do { try RunHistory(landing: landing).append(line) } catch {
      Terminal.complain("warning: \(RunHistory.fileName) cannot be written: \((error as NSError).localizedDescription)")
    }
  }
}

extension RunOrder {
  /// The order for one of several days; the first of them pulls from the providers for all.
  func narrowed(to day: BusinessDay, of days: [BusinessDay]) -> RunOrder {
    var order = self
    order.range = DayRange(first: day, last: day)
    if day == days.first, let last = days.last {
      order.pulledRange = DayRange(first: day, last: last)
    } else {
      order.pulls = false
    }
    (order.isFirst, order.isLast) = (day == days.first, day == days.last)
    return order
  }
}
