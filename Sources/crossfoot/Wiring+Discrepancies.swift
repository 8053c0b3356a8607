import Decisions
import Files
import Foundation
import Payments
import Reconciliation
import Sheets

/// The exception list and its decisions.
extension Wiring {
  /// Prints what the filter lets through.
  static func listDiscrepancies(output: LoggingOptions, at workplace: Workplace, _ isWanted: (ExceptionList.Item) -> Bool) throws -> ExitStatus {
    let items = try yesterday(workplace).withExceptionList { try $0.items() }.filter(isWanted)
    if output.format == .json {
      try Terminal.printJSON(items)
    } else if items.isEmpty {
      if !output.quiet { try Terminal.print("no discrepancies") }
    } else {
      try Terminal.print(items.map(line).joined(separator: "\n"))
    }
    return .clean
  }

  private static func line(_ item: ExceptionList.Item) -> String {
    var line = "\(item.discrepancyID)  \(item.severity) \(item.type), \(item.state)"
    if let difference = item.difference { line += ", \(difference) \(item.currency)" }
    if !item.owner.isEmpty { line += ", owner \(item.owner)" }
    line += "\n  \(item.explanation)"
    if !item.decision.isEmpty { line += "\n  \(item.decision)" }
    if !item.note.isEmpty { line += "\n  note: \(item.note)" }
    return line
  }

  /// Keeps a decision about each of the discrepancies, or refuses all of them.
  static func decide(
    _ action: Decision.Action, about ids: [String], text: String?, who: String?, output: LoggingOptions, at workplace: Workplace
  ) throws -> ExitStatus {
    let decisions: [Decision]
    do {
      decisions = try yesterday(workplace).withExceptionList { list in
        try list.decide(action, about: ids, text: text, who: who ?? NSUserName(), source: "command line", now: .now)
      }
    } catch let refusal as ExceptionList.Refusal {
      throw Failure(.usage, refusal.description)
    }
    if !output.quiet {
      let what = decisions.count == 1 ? decisions[0].discrepancyID : "\(decisions.count) discrepancies"
      try Terminal.print("\(action.rawValue): \(what); the next run's reports carry it")
    }
    return .clean
  }

  /// Reads a filled-in file, says what it changes, and keeps it.
  static func importDecisions(_ path: String, who: String?, isDry: Bool, output: LoggingOptions, at workplace: Workplace) throws -> ExitStatus {
    let decisions: [Decision]
    do {
      let file = try FilledIn(path: path)
      decisions = try yesterday(workplace).withExceptionList { list in
        let decisions = try list.decisions(in: file, who: who ?? NSUserName(), now: .now)
        if !isDry { try list.keep(decisions) }
        return decisions
      }
    } catch let refusal as ExceptionList.Refusal {
      throw Failure(.usage, refusal.description)
    } catch let refusal as SheetError {
      throw Failure(.usage, refusal.description)
    } catch let refusal as FileRefusal {
      throw Failure(.usage, "\((path as NSString).lastPathComponent): \(refusal)")
    }
    if output.format == .json {
      try Terminal.printJSON(decisions)
    } else if !output.quiet || decisions.isEmpty {
      let lines = decisions.map { "\($0.discrepancyID): \($0.action.rawValue)\($0.text.map { " \($0)" } ?? "")" }
      let sum = decisions.isEmpty ? "nothing to change" : isDry ? "\(decisions.count) decisions would be kept" : "\(decisions.count) decisions kept"
      try Terminal.print((lines + [sum]).joined(separator: "\n"))
    }
    return .clean
  }
}
