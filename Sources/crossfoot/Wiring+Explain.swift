import Foundation
import Reconciliation

/// Queries of the records: the history of an id, and the rows of a check.
extension Wiring {
  /// The history of one id; 64 if there is none, or if several records have the id.
  static func explain(
    _ id: String, days: DayOption, asOf: Int64?, output: LoggingOptions, at workplace: CommandContext,
    providers: [String]
  ) throws -> ExitStatus {
    var night = try night(of: days, workplace)
    night.asOf = asOf
    if !providers.isEmpty { night.chosen = Set(providers) }
    switch try night.explain(id, isNewest: days.isNewest) {
    case .story(let story):
      if output.format == .json {
        try Terminal.printJSON(story)
      } else {
        try Terminal.print(story.lines.joined(separator: "\n"))
      }
      return .clean
    case .several(let candidates):
      if output.format == .json { try Terminal.printJSON(Candidates(id: id, candidates: candidates.map(\.subject))) }
      throw Failure(.usage, question(id, candidates))
    case .nothing(let near, let hasRun):
      throw Failure(.usage, refusal(id, near: near, hasRun: hasRun, pruned: (try? night.prunedUntil()) ?? nil))
    }
  }

  private struct Candidates: Encodable {
    let id: String
    let candidates: [Story.Subject]
  }

  private static let shownCandidates = 20

  /// Which one is meant.
  private static func question(_ id: String, _ candidates: [(subject: Story.Subject, description: String)]) -> String {
    let shown = candidates.prefix(shownCandidates).map {
      "  crossfoot explain \(quoted($0.subject.name))   \($0.description)"
    }
    let rest = candidates.count - shown.count
    let count = candidates.count < ExplainSearch.most ? "\(candidates.count)" : "\(candidates.count) or more"
    return
      (["\(id) matches \(count) records; choose one:"] + shown
      + (rest > 0 ? ["  and \(rest) more; --provider names one provider"] : [])).joined(separator: "\n")
  }

  /// - Parameter pruned: up to when landed files were removed, in words; nil: none were.
  private static func refusal(_ id: String, near: [String], hasRun: Bool, pruned: String?) -> String {
    guard hasRun else { return "\(id) is not known: nothing has landed yet; run `crossfoot run` first" }
    let nothing =
      "\(id) is not known: it is no order, payment, refund, transfer, payout, batch, account, bank reference or "
      + "discrepancy in the store"
      + (pruned.map { "; what landed up to \($0) and had settled was pruned, and is in the reports of its days alone" }
        ?? "")
    return near.isEmpty ? nothing : nothing + "; did you mean \(near.joined(separator: ", "))?"
  }

  /// As a shell takes it.
  private static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_/.:".unicodeScalars.contains(scalar))
    }
    return isPlain ? name : "'" + name.replacing("'", with: "'\\''") + "'"
  }

  /// The rows of one check, whatever it finds.
  static func check(_ order: CheckOrder, at workplace: CommandContext) throws -> ExitStatus {
    var night = try night(of: order.days, workplace)
    night.asOf = order.asOf
    do {
      var trial = try night.tryCheck(order.file, isNewest: order.days.isNewest, runs: order.runs)
      if !order.providers.isEmpty { trial.rows.removeAll { !order.providers.contains($0.provider) } }
      if order.runs { try warnIfInNoReport(night, isNewest: order.days.isNewest) }
      if order.output.format == .json {
        try Terminal.printJSON(trial)
      } else {
        try Terminal.print(trial.lines.joined(separator: "\n"))
      }
    } catch let unknown as UnknownCheck {
      throw Failure(.usage, unknown.description)
    }
    return .clean
  }
}
