import Landing
import Payments
import Storage

/// Whether the clock of a run can be right, by what has landed: a wrong one claims to know days that nobody has shown.
struct RunClock {
  /// Sources that are silent for longer make a run doubt its clock rather than them; seconds.
  static let toleratedSilence: Int64 = 7 * 86_400
  /// A clock that is kept in step is set back by less; seconds.
  private static let toleratedStep: Int64 = 60

  /// Why a file that was landed in doubt claims nothing.
  static let doubt =
    "the clock was in doubt when it landed; with a clock that is right, run again with --clock-is-right"

  /// The newest moment at which something landed by a clock that was not in doubt; Unix seconds. nil: nothing
  /// has landed.
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

  /// Whether what the last run landed is in doubt.
  static func isInDoubt(_ database: any Database) throws -> Bool {
    try database.integer("select is_in_doubt from landed_file order by sequence desc limit 1") == 1
  }

  /// Landed files that claim nothing: the store's list of what is in doubt or not as it was landed.
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
