import Landing
import Payments
import Storage

/// Judges by what has landed whether a run's clock can be right: a wrong one would claim knowledge of days that no
/// source has shown.
struct RunClock {
  /// If all sources are silent for longer than this, a run doubts its clock rather than the sources; seconds.
  static let toleratedSilence: Int64 = 7 * 86_400
  /// A synchronised clock is set back by less than this; seconds.
  private static let toleratedStep: Int64 = 60

  /// Why a file that was landed in doubt makes no claim.
  static let doubt =
    "the clock was in doubt when it landed; with a clock that is right, run again with --clock-is-right"

  /// The newest landing time by a clock that was not in doubt, Unix seconds; nil: nothing has landed.
  let newestLanding: Int64?

  init(_ database: any Database) throws {
    newestLanding = try database.integer("select max(observed_at) from landed_file where is_in_doubt = 0")
  }

  /// Why the clock may be wrong; nil: nothing contradicts it.
  func doubt(at now: Int64) -> String? {
    guard let newestLanding else { return nil }
    if now < newestLanding - Self.toleratedStep {
      return "the clock (\(Instant.text(now))) is earlier than the newest landed record "
        + "(\(Instant.text(newestLanding))): "
        + "set it, or run with --clock-is-right; until then nothing is claimed from what this run reads"
    }
    if now > newestLanding + Self.toleratedSilence {
      return
        "the clock (\(Instant.text(now))) lies \((now - newestLanding) / 86_400) days after the newest landed record "
        + "(\(Instant.text(newestLanding))): set it, or run with --clock-is-right; until then nothing is claimed from "
        + "what this run reads"
    }
    return nil
  }

  /// Whether the last run's files are in doubt.
  static func isInDoubt(_ database: any Database) throws -> Bool {
    try database.integer("select is_in_doubt from landed_file order by sequence desc limit 1") == 1
  }

  /// Landed files that make no claim: those in doubt, and those that are not as they were landed.
  static func disregarded(_ database: any Database) throws -> Set<String> {
    var paths: Set<String> = []
    try database.query(
      "select path from landed_file where is_in_doubt = 1 union select place from landing_fault order by 1"
    ) { row in
      paths.insert(row.text(0) ?? "")
    }
    return paths
  }
}
