import Alerts
import Foundation
import Payments
import Reconciliation
import Reports
import Settings

/// The last stage: alerts and heartbeats. A failure here is a warning and does not change the exit status.
extension Wiring {
  /// Alerts for a run that published, or would have.
  static func alert(_ report: RunReport, status: ExitStatus, _ order: RunOrder, at workplace: CommandContext) async {
    guard order.alerts != .never, order.asOf == nil else { return }
    let dispatcher = AlertDispatcher(workplace.settings.alerts, landing: workplace.settings.landing.directory)
    let run = outcome(of: report, order, url: workplace.settings.reporting.url)
    if order.alerts == .show {
      for text in dispatcher.preview(run) where !order.output.quiet { show(text, order) }
    } else {
      warn(await dispatcher.send(run))
    }
    guard !order.isDry, order.isLast else { return }
    warn(
      await heartbeat(workplace.settings.heartbeat).beat(
        now: order.now, status: status.rawValue, verdict: report.verdict.rawValue, samples: samples(report)))
  }

  /// Alerts, as far as possible, for a run that publishes nothing.
  static func alert(_ failure: Failure, _ order: RunOrder, of fallback: FallbackAlertSettings) async {
    guard order.alerts != .never, order.asOf == nil, failure.status != .usage else { return }
    record(order, failure.status, verdict: nil, reason: failure.message, landing: fallback.landing)
    guard let zone = TimeZone(identifier: fallback.timeZone) else { return }
    let range = ReportRange(from: order.range.first, to: order.range.last, in: BusinessCalendar(timeZone: zone))
    let run = RunOutcome(
      outcome: .nothingPublished(status: failure.status.rawValue), range: range.name, rangeEnd: range.endsAt,
      reasons: [failure.message],
      now: order.now)
    let dispatcher = AlertDispatcher(fallback.alerts, landing: fallback.landing)
    if order.alerts == .show {
      for text in dispatcher.preview(run) where !order.output.quiet { show(text, order) }
    } else {
      warn(await dispatcher.send(run))
    }
    guard !order.isDry else { return }
    warn(
      await heartbeat(fallback.heartbeat).beat(
        now: order.now, status: failure.status.rawValue, verdict: nil, samples: []))
  }

  private static func heartbeat(_ settings: Settings.Heartbeat) -> Heartbeat {
    Heartbeat(textfile: settings.textfile, pingURL: settings.pingURL, startPingURL: settings.startPingURL)
  }

  /// Sends the heartbeat for the start of a run: once, however many days it has.
  static func alertOfStart(_ order: RunOrder, at workplace: CommandContext) async {
    guard order.alerts != .never, order.asOf == nil, !order.isDry, order.isFirst else { return }
    warn(await heartbeat(workplace.settings.heartbeat).begin())
  }

  private static func warn(_ sentences: [String]) {
    for sentence in sentences { Terminal.complain("warning: \(sentence)") }
  }

  /// With JSON output, standard output must be a single value.
  private static func show(_ text: String, _ order: RunOrder) {
    let text = "would be sent to \(text)"
    if order.output.format == .json { Terminal.say(text) } else { try? Terminal.print(text) }
  }

  private static func outcome(of report: RunReport, _ order: RunOrder, url: String?) -> RunOutcome {
    let summary = report.summary
    let verdict: RunOutcome.Outcome =
      switch report.verdict {
      case .clean: .clean
      case .discrepancies: .discrepancies
      case .incomplete: .incomplete
      }
    return RunOutcome(
      outcome: verdict, range: summary.range.name, rangeEnd: summary.range.endsAt, reasons: summary.reasons,
      discrepancies: report.discrepancies.map(discrepancy),
      reports: url.map { "\($0)/\(summary.range.name)" } ?? summary.location,
      workbook: summary.location.map { $0 + "/reconciliation.xlsx" },
      now: order.now)
  }

  private static func discrepancy(_ row: ReportedDiscrepancy) -> Alerts.Discrepancy {
    var discrepancy = Alerts.Discrepancy(
      id: row.id, type: row.type, severity: Severity(rawValue: row.severity) ?? .high, state: row.state,
      provider: row.provider)
    discrepancy.connectedAccount = row.connectedAccount
    (discrepancy.orderID, discrepancy.paymentID) = (row.orderID, row.paymentID)
    (discrepancy.currency, discrepancy.differenceMinor) = (row.currency, row.differenceMinor)
    discrepancy.owner = row.owner
    (discrepancy.explanation, discrepancy.suggestedAction) = (row.explanation, row.suggestedAction)
    discrepancy.decision = row.decision
    return discrepancy
  }

  private static func samples(_ report: RunReport) -> [Heartbeat.Sample] {
    var counts: [[String]: Int] = [:]
    for row in report.discrepancies { counts[[row.severity, row.state], default: 0] += 1 }
    var samples: [Heartbeat.Sample] = []
    for severity in Severity.allCases.map(\.rawValue) {
      for state in ["new", "persisting", "resolved", "acknowledged", "written_off"] {
        let labels = [("severity", severity), ("state", state)]
        samples.append(Heartbeat.Sample("discrepancies", labels, "\(counts[[severity, state]] ?? 0)"))
      }
    }
    for total in report.summary.figures.totals {
      let amounts = [
        ("captured", total.captured), ("refunded", total.refunded), ("disputed", total.disputed), ("fees", total.fees),
        ("transferred", total.transferred), ("commission", total.commission), ("kept", total.kept),
        ("paid_out", total.paidOut),
      ]
      for (figure, minor) in amounts {
        samples.append(
          Heartbeat.Sample(
            "amount", [("provider", total.provider), ("currency", total.currency.code), ("figure", figure)],
            Money(amountMinor: minor, currency: total.currency).decimalText))
      }
    }
    for stage in report.stages {
      samples.append(
        Heartbeat.Sample("stage_seconds", [("stage", stage.name)], Money.decimalText(stage.milliseconds, digits: 3)))
    }
    return samples
  }
}
