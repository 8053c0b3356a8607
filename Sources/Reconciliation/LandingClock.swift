import Landing
import Storage

/// The landing times as the store keeps them: in the order of the landing chain, whatever the clock showed.
struct LandingClock {
  let database: any Database

  /// The manifest with the landing time that it has in the store: its own, or one second after that of the run before
  /// where the clock was set back, or where both ran within the same second: a balance stated by the earlier run does
  /// not hold what the later one brought.
  ///
  /// Where the user asserts that the clock is right, files that landed earlier by a later clock are dated before it,
  /// and make no claim.
  func ordered(_ manifest: Manifest) throws -> Manifest {
    var manifest = manifest
    if manifest.clockInDoubt == false { try putBack(after: manifest.observedAt) }
    if let newest = try newest(before: manifest) {
      let isOfLaterRun = newest == manifest.observedAt && manifest.batch != nil
      if newest > manifest.observedAt || isOfLaterRun { manifest.observedAt = newest + 1 }
    }
    return manifest
  }

  /// Accepts a run that doubted its clock because nothing had landed for days, once the sources show records of its
  /// days. Otherwise the run makes no claim, and its landing time is one second after the previous one.
  func settle(_ manifest: Manifest) throws {
    let (now, first) = (manifest.observedAt, manifest.batch ?? manifest.sequence ?? 0)
    let newest = try newest(before: manifest) ?? now
    guard newest <= now else { return }
    if try isShown(now) {
      try database.execute("update landed_file set is_in_doubt = 0 where sequence >= $1", [.integer(first)])
    } else {
      try database.execute(
        "update landed_file set observed_at = $1 where sequence >= $2", [.integer(newest + 1), .integer(first)])
      try database.execute(
        "update ledger_row set first_landed_at = $1 where first_landed_at = $2", [.integer(newest + 1), .integer(now)])
    }
  }

  /// The newest landing time of earlier runs.
  private func newest(before manifest: Manifest) throws -> Int64? {
    let first = manifest.batch ?? manifest.sequence ?? 0
    // Not `max`: the newest one is nearly always the first row in this order.
    return try database.integer(
      "select observed_at from landed_file where sequence < $1 order by observed_at desc limit 1", [.integer(first)])
  }

  private func putBack(after moment: Int64) throws {
    let values = [SQLValue.integer(moment - 1), .integer(moment)]
    try database.execute("update landed_file set observed_at = $1, is_in_doubt = 1 where observed_at > $2", values)
    try database.execute("update ledger_row set first_landed_at = $1 where first_landed_at > $2", values)
  }

  /// Whether a source has shown a record of the days around an instant.
  private func isShown(_ moment: Int64) throws -> Bool {
    let days = RunClock.toleratedSilence
    return try database.integer(
      """
      select 1 from ledger_row where booked_at between $1 and $2 union all select 1 from stated_payment
        where created_at between $1 and $2
      union all select 1 from customer_order where placed_at between $1 and $2 limit 1
      """, [.integer(moment - days), .integer(moment + days)]) != nil
  }
}
