/// A settlement batch: what was booked between two cut-offs of working days.
struct CashAppBatch {
  let id: String
  /// Its cut-off, 23:00 UTC.
  let closesAt: Int64
  let rows: [CashAppRow]
  let opening: Int64
  let payout: Int64
  let closing: Int64

  var activity: Int64 { rows.reduce(0) { $0 + $1.net } }
}

/// How the batches of a client follow each other: one bank transfer for all merchants, nothing while the balance is
/// negative.
struct CashAppBatches {
  /// The range's first instant.
  let startsAt: Int64

  /// Every batch whose cut-off has passed. The first one opens so far in debt that it pays nothing, and hands 262.85
  /// on.
  func closed(before instant: Int64, _ rows: [CashAppRow]) -> [CashAppBatch] {
    let booked = Dictionary(grouping: rows) { cutOff(after: $0.toldAt ?? $0.at) }
    var batches: [CashAppBatch] = []
    var carried: Int64?
    for cutOff in cutOffs(before: instant) {
      let rows = (booked[cutOff] ?? []).sorted { $0.at != $1.at ? $0.at < $1.at : $0.paymentID < $1.paymentID }
      let activity = rows.reduce(0) { $0 + $1.net }
      let opening = carried ?? -activity - 26_285
      let payout = max(0, opening + activity)
      let closing = opening + activity - payout
      let id = "STB_" + Moment.date(cutOff).replacing("-", with: "")
      batches.append(
        CashAppBatch(id: id, closesAt: cutOff, rows: rows, opening: opening, payout: payout, closing: closing))
      carried = closing
    }
    return batches
  }

  /// The cut-offs of working days, from the range's first day.
  private func cutOffs(before instant: Int64) -> [Int64] {
    var cutOffs: [Int64] = []
    var next = cutOff(after: startsAt)
    while next < instant {
      cutOffs.append(next)
      next = cutOff(after: next)
    }
    return cutOffs
  }

  /// The first cut-off of a working day past an instant.
  func cutOff(after instant: Int64) -> Int64 {
    var day = instant / Season.day
    while day * Season.day + 23 * Season.hour <= instant || isWeekend(day) { day += 1 }
    return day * Season.day + 23 * Season.hour
  }

  private func isWeekend(_ day: Int64) -> Bool {
    let weekday = (day + 4) % 7
    return weekday == 0 || weekday == 6
  }
}
