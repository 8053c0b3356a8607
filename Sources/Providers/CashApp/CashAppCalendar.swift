import Payments

/// When Cash App closes and delivers a day: business days of the Federal Reserve (docs/providers/cashapp.md section 3,
/// Batch).
enum CashAppCalendar {
  /// The cut-off of a day: 23:00 UTC, when its files are started.
  static func cutOff(_ day: CivilDate) -> Int64 { day.dayNumber * 86_400 + 23 * 3600 }

  /// When the batch after the one that closed at the given time is due to close.
  static func next(after closedAt: Int64) -> Int64 { DailyReports.next(after: closedAt, isHoliday: isHoliday) }

  /// When the first batch closed that is missing between two existing ones; nil where each business day has one.
  ///
  /// A close may be up to half a day late.
  ///
  /// - Parameter closes: when the existing batches closed, in order.
  static func firstHole(between closes: [Int64]) -> Int64? {
    for (before, after) in zip(closes, closes.dropFirst()) where after >= next(after: before) + 43_200 {
      return next(after: before)
    }
    return nil
  }

  /// Whether a weekday is a holiday of the Federal Reserve; one that falls on a Sunday is observed on the Monday, one
  /// on a Saturday not at all.
  ///
  /// - Parameter day: days since 1970-01-01.
  static func isHoliday(_ day: Int64) -> Bool {
    let isMonday = DailyReports.weekday(day) == 1
    return isFixedHoliday(CivilDate(dayNumber: day)) || (isMonday && isFixedHoliday(CivilDate(dayNumber: day - 1)))
      || isNthHoliday(day)
  }

  /// New Year, Juneteenth, Independence Day, Veterans Day, Christmas.
  private static func isFixedHoliday(_ date: CivilDate) -> Bool {
    [[1, 1], [6, 19], [7, 4], [11, 11], [12, 25]].contains([date.month, date.day])
  }

  /// Martin Luther King Day, Presidents Day, Memorial Day, Labor Day, Columbus Day, Thanksgiving.
  private static func isNthHoliday(_ day: Int64) -> Bool {
    let date = CivilDate(dayNumber: day)
    let nth = (date.day - 1) / 7 + 1
    let isLast = CivilDate(dayNumber: day + 7).month != date.month
    switch (DailyReports.weekday(day), date.month) {
    case (1, 1), (1, 2): return nth == 3
    case (1, 5): return isLast
    case (1, 9): return nth == 1
    case (1, 10): return nth == 2
    case (4, 11): return nth == 4
    default: return false
    }
  }
}
