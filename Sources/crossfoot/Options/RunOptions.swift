import ArgumentParser
import Payments
import Settings

/// Replays a night with the records that had landed by a given instant.
struct AsOfOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use only records that had landed by then (RFC 3339).", valueName: "moment"), transform: Self.moment)
  var asOf: Int64?

  private static func moment(_ text: String) throws -> Int64 {
    do { return try Instant.parse(text) } catch { throw ValidationError("\(error)") }
  }
}

/// How much is derived, and in how many parallel parts; neither changes a report.
struct EffortOptions: ParsableArguments {
  @Flag(help: "Derive all landed records, not only those active in the days; the reports are the same.")
  var whole = false

  @Option(help: "How many processors to use; the reports are the same. Default: all of them.")
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes 1 to 256.") }
  }
}

/// The severity from which on a run ends with 1.
enum FailOn: String, CaseIterable, ExpressibleByArgument, Sendable {
  case critical, high, medium, low, never

  /// Whether an open discrepancy of that severity ends the run with 1.
  func counts(_ severity: Severity) -> Bool {
    let order: [Severity] = [.critical, .high, .medium, .low]
    guard let limit = Severity(rawValue: rawValue), let here = order.firstIndex(of: severity),
      let there = order.firstIndex(of: limit)
    else { return false }
    return here <= there
  }
}
