import ArgumentParser
import Payments
import Settings

/// Replays a night with what had landed by a moment.
struct AsOfOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only what had landed by then (RFC 3339).", valueName: "moment"), transform: Self.moment)
  var asOf: Int64?

  private static func moment(_ text: String) throws -> Int64 {
    do { return try Instant.parse(text) } catch { throw ValidationError("\(error)") }
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
