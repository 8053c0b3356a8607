import Foundation
import Payments
import Reconciliation
import Reports

/// The commands on closed periods.
extension Wiring {
  /// Closes a period; 0 if it is closed, or could be; 1 if something contradicts it.
  static func close(
    _ name: String, preparedBy: String, reviewedBy: String?, note: String?, overrides: Bool, onlyChecks: Bool,
    output: LoggingOptions, at workplace: CommandContext
  ) throws -> ExitStatus {
    var order = CloseOrder(
      period: try period(name, workplace), preparedBy: preparedBy, reviewedBy: reviewedBy, note: note)
    (order.overrides, order.onlyChecks) = (overrides, onlyChecks)
    let closing = try yesterday(workplace).close(order)
    let isGood = closing.isClosed || onlyChecks && closing.reasons.isEmpty
    if output.format == .json {
      try Terminal.printJSON(closing)
    } else if !output.quiet || !isGood {
      try Terminal.print(lines(of: closing, onlyChecks: onlyChecks).joined(separator: "\n"))
    }
    return isGood ? .clean : .discrepancies
  }

  private static func lines(of closing: Closing, onlyChecks: Bool) -> [String] {
    var lines: [String] = []
    let count = closing.reasons.count == 1 ? "1 reason" : "\(closing.reasons.count) reasons"
    if let folder = closing.folder, let seal = closing.seal {
      lines.append("\(closing.period) is closed: \(folder), seal \(seal)")
      if !closing.reasons.isEmpty { lines.append("overridden, \(count):") }
    } else if closing.reasons.isEmpty {
      lines.append("nothing prevents closing \(closing.period)")
    } else {
      lines.append("\(closing.period) \(onlyChecks ? "cannot be" : "was not") closed, \(count):")
    }
    return lines + closing.reasons.map { "  \(Prose.text($0))" } + closing.remarks.map { "note: \($0)" }
  }

  static func reopen(_ name: String, who: String, note: String, output: LoggingOptions, at workplace: CommandContext)
    throws
    -> ExitStatus
  {
    try yesterday(workplace).reopen(name, who: who, note: note)
    if output.format == .json {
      try Terminal.printJSON(["period": name, "reopened_by": who, "note": note])
    } else if !output.quiet {
      try Terminal.print("\(name) is open again; its seal is kept")
    }
    return .clean
  }

  static func diff(_ name: String, asOf: Int64?, output: LoggingOptions, at workplace: CommandContext) throws
    -> ExitStatus
  {
    var night = try yesterday(workplace)
    night.asOf = asOf
    let (closedAt, adjustments) = try night.adjustments(of: name)
    if output.format == .json {
      try Terminal.printJSON(Difference(period: name, closedAt: closedAt, adjustments: adjustments.map(Shown.init)))
    } else if !output.quiet || !adjustments.isEmpty {
      let count = adjustments.count == 1 ? "1 adjustment" : "\(adjustments.count) adjustments"
      var lines = ["\(name) was closed on \(closedAt); \(adjustments.isEmpty ? "no adjustments" : count) since"]
      for reason in Adjustment.Reason.allCases {
        let ours = adjustments.filter { $0.reason == reason }
        if !ours.isEmpty { lines.append("\(reason.rawValue): \(ours.count)") }
        lines += ours.map { "  " + Shown($0).line }
      }
      try Terminal.print(lines.joined(separator: "\n"))
    }
    return .clean
  }

  static func bundle(_ name: String, to path: String, output: LoggingOptions, at workplace: CommandContext) throws
    -> ExitStatus
  {
    let folder = try yesterday(workplace).bundle(name, to: path)
    if output.format == .json {
      try Terminal.printJSON(["period": name, "folder": folder])
    } else if !output.quiet {
      try Terminal.print("\(name) is packed: \(folder); `crossfoot verify \(folder)` works it out again")
    }
    return .clean
  }

  /// Verifies a bundle, and derives its period again; 2 if something is not as it was sealed.
  static func verify(bundle path: String, resources: String?, output: LoggingOptions) throws -> ExitStatus {
    let bundle = try BundleVerification(path)
    var found = try bundle.examine()
    if found.isWhole {
      let workplace = try CommandContext(
        configuration: try bundle.configuration(), connects: false,
        resources: { try Resources.find(option: resources) })
      found = try bundle.derive(yesterday(workplace), after: found)
    }
    if output.format == .json {
      try Terminal.printJSON(found)
    } else if !output.quiet || !found.isWhole {
      try Terminal.print(found.bundleLines.joined(separator: "\n"))
    }
    return found.isWhole ? .clean : .incomplete
  }

  static func period(_ name: String, _ workplace: CommandContext) throws -> Period {
    try Period(name, workplace.settings, workplace.calendar)
  }

  private struct Difference: Encodable {
    let period, closedAt: String
    let adjustments: [Shown]
  }

  /// An adjustment as it is displayed.
  private struct Shown: Encodable {
    let period, learnedAt, provider, account, connectedAccount, currency, paymentID, orderID, recordID: String
    let reason, figure, before, after, change: String

    init(_ adjustment: Adjustment) {
      let currency = try? Currency(code: adjustment.currency)
      func text(_ minor: Int64) -> String {
        currency.map { Money(amountMinor: minor, currency: $0).decimalText } ?? "\(minor)"
      }
      (period, learnedAt, provider) = (adjustment.period, adjustment.learnedAt, adjustment.provider)
      (account, connectedAccount) = (adjustment.account, adjustment.connectedAccount)
      (paymentID, orderID, recordID) = (adjustment.paymentID, adjustment.orderID, adjustment.recordID)
      (self.currency, reason, figure) = (adjustment.currency, adjustment.reason.rawValue, adjustment.figure)
      (before, after, change) = (text(adjustment.before), text(adjustment.after), text(adjustment.change))
    }

    var line: String {
      let whose = connectedAccount.isEmpty ? account : connectedAccount
      let ids = [recordID, paymentID, orderID].filter { !$0.isEmpty }.joined(separator: " ")
      return "\(learnedAt) \(provider) \(whose): \(figure) \(before) -> \(after) \(currency) (\(change)), \(ids)"
    }
  }
}
