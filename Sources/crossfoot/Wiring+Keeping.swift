import Landing
import Reconciliation

/// What is kept, and for how long.
extension Wiring {
  /// Removes landed files that are older than the retention.
  static func prune(who: String, isDry: Bool, output: LoggingOptions, at workplace: CommandContext) throws {
    let pruned = try yesterday(workplace).prune(who: who, isDry: isDry)
    if output.format == .json {
      try Terminal.printJSON(pruned)
    } else if !output.quiet {
      try Terminal.print(((isDry ? ["would be done:"] : []) + pruned.lines).joined(separator: "\n"))
    }
  }

  /// Erases references of a customer.
  static func erase(
    _ references: [String], who: String, note: String?, output: LoggingOptions, at workplace: CommandContext
  )
    async throws
  {
    let now = Int64.now
    let night = try yesterday(workplace, now: now)
    let erased = try await night.erase(references, by: Amendment.Signature(at: now, who: who, note: note))
    if output.format == .json {
      try Terminal.printJSON(erased)
    } else if !output.quiet || !erased.longerWords.isEmpty {
      try Terminal.print(erased.lines.joined(separator: "\n"))
    }
  }
}
