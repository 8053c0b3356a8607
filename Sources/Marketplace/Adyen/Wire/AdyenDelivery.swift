/// What an account delivers by a night: report files, and notifications.
struct AdyenDelivery {
  let account: AdyenAccount
  let batches: AdyenBatches
  let night: Int

  /// The report files that exist by an instant, by name.
  func reports(before instant: Int64, _ rows: [AdyenRow]) -> [String: String] {
    let report = AdyenReport(account: account, night: night)
    let closed = batches.closed(before: instant, rows)
    return Dictionary(uniqueKeysWithValues: closed.map { (report.name($0), report.text($0)) })
  }

  /// The notifications that arrive on this night, as files: lines in the order of arrival, which is not that of the
  /// events.
  ///
  /// Every seventh comes twice; every eleventh has a file of its own.
  func notices(_ events: [AdyenEvent], reports: [AdyenEvent]) -> [String: String] {
    guard account.isNotified else { return [:] }
    let notices = AdyenNotices(account: account)
    var files: [String: String] = [:]
    var lines: [String] = []
    for (place, event) in (events + reports).filter({ $0.night == night }).enumerated() {
      let body = notices.body(event)
      if place.isMultiple(of: 11) {
        files["\(account.name)-\(night)-\(place).json"] = body + "\n"
      } else {
        lines.append(body)
      }
      if place.isMultiple(of: 7) { lines.append(body) }
    }
    if !lines.isEmpty { files["\(account.name)-\(night).jsonl"] = outOfOrder(lines).joined(separator: "\n") + "\n" }
    return files
  }

  /// Each line is up to a dozen places off.
  private func outOfOrder(_ lines: [String]) -> [String] {
    lines.enumerated().sorted { one, other in
      let (first, second) = (one.offset + one.offset * 7 % 12, other.offset + other.offset * 7 % 12)
      return first != second ? first < second : one.offset < other.offset
    }.map(\.element)
  }

  /// One REPORT_AVAILABLE for each batch closed since the night before.
  func reportEvents(from start: Int64, before end: Int64, _ rows: [AdyenRow]) -> [AdyenEvent] {
    let report = AdyenReport(account: account, night: night)
    return batches.closed(before: end, rows).filter { $0.closesAt >= start }.map { batch in
      let name = report.name(batch)
      return AdyenEvent(
        code: "REPORT_AVAILABLE", psp: name, reference: "", currency: "eur", value: 0, at: batch.closesAt + 7_200,
        reason: "https://ca-live.adyen.com/reports/download/MerchantAccount/\(account.name)/\(name)", night: night)
    }
  }
}
