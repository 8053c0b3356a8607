/// When a provider's next settlement batch is due to close, for providers that close one on each business day.
///
/// A batch belongs to the day at whose end it closes, even if it closes some hours into the night; the next one closes
/// at the same time on the next business day.
enum DailyReports {
  /// The close of the batch that follows one closed at the given time, Unix seconds UTC.
  ///
  /// - Parameter isHoliday: days without a batch besides Saturdays and Sundays, by days since 1970-01-01.
  static func next(after closedAt: Int64, isHoliday: (Int64) -> Bool = { _ in false }) -> Int64 {
    let day = floorDay(closedAt - 43_200)
    var next = day + 1
    while isWeekend(next) || isHoliday(next) { next += 1 }
    return closedAt + (next - day) * 86_400
  }

  /// Counted from 1970-01-01, a Thursday.
  static func isWeekend(_ day: Int64) -> Bool { weekday(day) == 0 || weekday(day) == 6 }

  /// 0 is Sunday.
  static func weekday(_ day: Int64) -> Int64 { ((day + 4) % 7 + 7) % 7 }

  private static func floorDay(_ instant: Int64) -> Int64 {
    (instant - (((instant % 86_400) + 86_400) % 86_400)) / 86_400
  }
}
