import Foundation

/// Dates and times of a workbook: days since 30 December 1899, with a number format that shows them as such
/// (ECMA-376, 18.8.30).
enum SheetDate {
  /// The ids of the number formats of dates and times that every workbook has.
  static let builtIn = Set(Array(14...22) + Array(27...36) + Array(45...47) + Array(50...58))

  /// Whether a format code shows dates or times: it has a letter for them outside quotes, brackets and escapes.
  static func isDate(format code: String) -> Bool {
    let plain = code.replacing(/"[^"]*"|\[[^\]]*\]|\\.|_./, with: "")
    return plain.lowercased().contains { "ymdhs".contains($0) } && !plain.lowercased().contains("general")
  }

  /// `2026-05-01`, `2026-05-01 09:30` or `09:30`; nil for what is no serial number of the years to 9999.
  static func text(ofSerial text: String) -> String? {
    guard let serial = Double(text), serial >= 0, serial < 2_958_466 else { return nil }
    let minutes = (serial * 1440).rounded()
    let date = Date(timeIntervalSince1970: (minutes - 25_569 * 1440) * 60)
    let written = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
    let (day, time) = (written.prefix(10), written.dropFirst(11).prefix(5))
    if serial < 1 { return String(time) }
    return time == "00:00" ? String(day) : "\(day) \(time)"
  }
}
