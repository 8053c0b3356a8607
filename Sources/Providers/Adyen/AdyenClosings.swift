import JSON

/// Finds the last booking among the landed rows of one report.
final class AdyenClosings {
  private let parser = JSONParser()
  private let clock: AdyenClock
  private(set) var newest: Int64?

  init(clock: AdyenClock) { self.clock = clock }

  /// Examines a landed line; lines of other reports, and refusals, do not count.
  func take(_ line: UnsafeRawBufferPointer, of name: String) {
    try? parser.parse(line, hasPadding: true) { record in
      guard try record["file"].optionalString() == name else { return }
      for (moment, zone) in [("creation_date", "time_zone"), ("booking_date", "booking_date_time_zone")] {
        guard let text = try record.member(named: moment)?.string() else { continue }
        let instant = try clock.instant(text, try record.member(named: zone)?.string() ?? "")
        newest = max(newest ?? instant, instant)
      }
    }
  }
}
