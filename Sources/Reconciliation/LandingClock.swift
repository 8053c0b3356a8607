import Landing
import Storage

/// The moments of landing as the store keeps them: in the order of the landing chain, whatever the clock said.
struct LandingClock {
  let database: any Database

  /// The manifest with the moment that it has in the store: its own, or the second after the one before it
  /// where the clock
  /// was set back.
  ///
  /// Where somebody says that the clock is right, what landed before by a later clock is put before it, and
  /// claims nothing.
  func ordered(_ manifest: Manifest) throws -> Manifest {
    var manifest = manifest
    if manifest.clockInDoubt == false { try putBack(after: manifest.observedAt) }
    if let newest = try newest(before: manifest), newest > manifest.observedAt { manifest.observedAt = newest + 1 }
    return manifest
  }

  /// Believes a run that doubted its clock, as nothing had landed for days, once the sources show records of
  /// its days; else
  /// it claims nothing, and its moment is the second after the one before it.
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

  /// The newest moment of what was landed by earlier runs.
  private func newest(before manifest: Manifest) throws -> Int64? {
    let first = manifest.batch ?? manifest.sequence ?? 0
    // Not the maximum: the newest one is nearly always the first that is looked at.
    return try database.integer(
      "select observed_at from landed_file where sequence < $1 order by observed_at desc limit 1", [.integer(first)])
  }

  private func putBack(after moment: Int64) throws {
    let values = [SQLValue.integer(moment - 1), .integer(moment)]
    try database.execute("update landed_file set observed_at = $1, is_in_doubt = 1 where observed_at > $2", values)
    try database.execute("update ledger_row set first_landed_at = $1 where first_landed_at > $2", values)
  }

  /// Whether a source has shown a record of the days around a moment.
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
