import Decisions
import Foundation
import Payments
import Reconciliation

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
}
