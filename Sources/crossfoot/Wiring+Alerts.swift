import Alerts
import Foundation
import Payments
import Reconciliation
import Reports
import Settings

/// The last stage: who is told of the night, and the signs of life. Whatever goes wrong here is a warning and changes
/// no exit status.
extension Wiring {
  /// Tells of a night that published, or would have.
  static func tell(_ report: NightReport, status: ExitStatus, _ order: RunOrder, at workplace: Workplace) async {
    guard order.alerts != .never, order.asOf == nil else { return }
    let herald = Herald(workplace.settings.alerts, landing: workplace.settings.landing.directory)
    let news = news(report, order, url: workplace.settings.reporting.url)
    if order.alerts == .show {
      for text in herald.preview(news) where !order.output.quiet { show(text, order) }
    } else {
      warn(await herald.tell(news))
    }
    guard !order.isDry, order.isLast else { return }
    warn(
      await heartbeat(workplace.settings.heartbeat).beat(
        now: order.now, status: status.rawValue, verdict: report.verdict.rawValue, samples: samples(report)))
  }

  /// Tells, as far as that goes, of a night that publishes nothing.
  static func tell(_ failure: Failure, _ order: RunOrder, of audible: Audible) async {
    guard order.alerts != .never, order.asOf == nil, failure.status != .usage else { return }
    record(order, failure.status, verdict: nil, reason: failure.message, landing: audible.landing)
    guard let zone = TimeZone(identifier: audible.timeZone) else { return }
    let range = ReportRange(from: order.range.first, to: order.range.last, in: BusinessCalendar(timeZone: zone))
    let news = News(
      outcome: .nothingPublished(status: failure.status.rawValue), range: range.name, rangeEnd: range.endsAt,
      reasons: [failure.message],
      now: order.now)
    let herald = Herald(audible.alerts, landing: audible.landing)
    if order.alerts == .show {
      for text in herald.preview(news) where !order.output.quiet { show(text, order) }
    } else {
      warn(await herald.tell(news))
    }
    guard !order.isDry else { return }
    warn(
      await heartbeat(audible.heartbeat).beat(
        now: order.now, status: failure.status.rawValue, verdict: nil, samples: []))
  }

  private static func heartbeat(_ settings: Settings.Heartbeat) -> Heartbeat {
    Heartbeat(textfile: settings.textfile, pingURL: settings.pingURL, startPingURL: settings.startPingURL)
  }

  /// Says that a run begins: once, whatever days it is about.
  static func tellStart(_ order: RunOrder, at workplace: Workplace) async {
    guard order.alerts != .never, order.asOf == nil, !order.isDry, order.isFirst else { return }
    warn(await heartbeat(workplace.settings.heartbeat).begin())
  }

  private static func warn(_ sentences: [String]) {
    for sentence in sentences { Terminal.complain("warning: \(sentence)") }
  }

  /// JSON on standard output stays one value.
  private static func show(_ text: String, _ order: RunOrder) {
    let text = "would be sent to \(text)"
    if order.output.format == .json { Terminal.say(text) } else { try? Terminal.print(text) }
  }

  private static func news(_ report: NightReport, _ order: RunOrder, url: String?) -> News {
    let summary = report.summary
    let outcome: News.Outcome =
      switch report.verdict {
      case .clean: .clean
      case .discrepancies: .discrepancies
      case .incomplete: .incomplete
      }
    return News(
      outcome: outcome, range: summary.range.name, rangeEnd: summary.range.endsAt, reasons: summary.reasons,
      findings: report.findings.map(finding), reports: url.map { "\($0)/\(summary.range.name)" } ?? summary.location,
      workbook: summary.location.map { $0 + "/reconciliation.xlsx" },
      now: order.now)
  }

  private static func finding(_ row: NightFinding) -> Alerts.Finding {
    var finding = Alerts.Finding(
      id: row.id, type: row.type, severity: Severity(rawValue: row.severity) ?? .high, state: row.state,
      provider: row.provider)
    finding.connectedAccount = row.connectedAccount
    (finding.orderID, finding.paymentID) = (row.orderID, row.paymentID)
    (finding.currency, finding.differenceMinor) = (row.currency, row.differenceMinor)
    finding.owner = row.owner
    (finding.explanation, finding.suggestedAction) = (row.explanation, row.suggestedAction)
    finding.decision = row.decision
    return finding
  }

  private static func samples(_ report: NightReport) -> [Heartbeat.Sample] {
    var counts: [[String]: Int] = [:]
    for row in report.findings { counts[[row.severity, row.state], default: 0] += 1 }
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
