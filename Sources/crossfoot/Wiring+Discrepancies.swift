import Decisions
import Files
import Foundation
import Payments
import Reconciliation
import Reports
import Sheets

/// The exception list and its decisions.
extension Wiring {
  /// Prints the discrepancies that the filter accepts.
  static func listDiscrepancies(
    _ filter: DiscrepancyFilter, days: DayOption, output: LoggingOptions, at workplace: CommandContext
  ) throws -> ExitStatus {
    let night = try night(of: days, workplace)
    try filter.check(types: try night.checkTypes())
    let items = try night.withExceptionList(isNewest: days.isNewest) { try $0.items().filter(filter.passes) }
    try warnIfInNoReport(night, isNewest: days.isNewest)
    if output.format == .json {
      try Terminal.printJSON(items)
    } else if items.isEmpty {
      if !output.quiet { try Terminal.print("no discrepancies") }
    } else {
      try Terminal.print(items.map(line).joined(separator: "\n"))
    }
    return .clean
  }

  static func warnIfInNoReport(_ night: ReconciliationRun, isNewest: Bool) throws {
    if let reason = try night.isInNoReport(isNewest: isNewest) { Terminal.complain("warning: \(reason)") }
  }

  private static func line(_ item: ExceptionList.Item) -> String {
    var line = "\(item.discrepancyID)  \(item.severity) \(item.type), \(item.state)"
    if let difference = item.difference { line += ", \(Prose.text("\(difference) \(item.currency)"))" }
    if !item.owner.isEmpty { line += ", owner \(item.owner)" }
    line += "\n  \(Prose.text(item.explanation))"
    if !item.decision.isEmpty { line += "\n  \(item.decision)" }
    if !item.note.isEmpty { line += "\n  note: \(item.note)" }
    return line
  }

  /// Records a decision about each of the discrepancies, or refuses all of them.
  static func decide(
    _ action: Decision.Action, about ids: [String], text: String?, who: String?, days: DayOption,
    output: LoggingOptions,
    at workplace: CommandContext
  ) throws -> ExitStatus {
    let decisions: [Decision]
    do {
      decisions = try night(of: days, workplace).withExceptionList(isNewest: days.isNewest) { list in
        try list.decide(action, about: ids, text: text, who: who ?? NSUserName(), source: "command line", now: .now)
      }
    } catch let refusal as ExceptionList.Refusal {
      throw Failure(.usage, refusal.description)
    }
    if output.format == .json {
      try Terminal.printJSON(decisions)
    } else if !output.quiet {
      let what = decisions.count == 1 ? decisions[0].discrepancyID : "\(decisions.count) discrepancies"
      try Terminal.print("\(action.rawValue): \(what); the next run's reports carry it")
    }
    return .clean
  }

  /// Reads a filled-in file, records valid decisions, and lists the others; 64 if there are any.
  static func importDecisions(
    _ path: String, who: String?, isDry: Bool, days: DayOption, output: LoggingOptions, at workplace: CommandContext
  ) throws -> ExitStatus {
    let decisions: [Decision]
    let refusals: [String]
    do {
      let file = try FilledIn(path: path)
      (decisions, refusals) = try night(of: days, workplace).withExceptionList(isNewest: days.isNewest) { list in
        let found = try list.decisions(in: file, who: who ?? NSUserName(), now: .now)
        if !isDry { try list.keep(found.decisions) }
        return found
      }
    } catch let refusal as ExceptionList.Refusal {
      throw Failure(.usage, refusal.description)
    } catch let refusal as SheetError {
      throw Failure(.usage, refusal.description)
    } catch let refusal as FileRefusal {
      throw Failure(.usage, "\((path as NSString).lastPathComponent): \(refusal)")
    }
    for refusal in refusals { Terminal.complain(refusal) }
    try show(imported: decisions, isDry: isDry, output)
    return refusals.isEmpty ? .clean : .usage
  }

  private static func show(imported decisions: [Decision], isDry: Bool, _ output: LoggingOptions) throws {
    if output.format == .json { return try Terminal.printJSON(decisions) }
    guard !output.quiet || decisions.isEmpty else { return }
    let lines = decisions.map { "\($0.discrepancyID): \($0.action.rawValue)\($0.text.map { " \($0)" } ?? "")" }
    let count = decisions.count == 1 ? "1 decision" : "\(decisions.count) decisions"
    let sum = decisions.isEmpty ? "nothing to change" : isDry ? "\(count) would be recorded" : "\(count) recorded"
    try Terminal.print((lines + [sum]).joined(separator: "\n"))
  }
}
