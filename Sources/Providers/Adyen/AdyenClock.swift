import Foundation
import JSON
import Payments

/// Adyen's local times: `2026-10-25 02:30:00` beside `CEST`, in the time zone of the account
/// (docs/providers/adyen.md section 1.6).
///
/// The account's IANA zone decides; the abbreviation only selects between the two instants of the hour that is repeated
/// when the clocks go back. Where it contradicts the zone (CET in May), the zone is used and `disagreements` counts it.
final class AdyenClock {
  private let zone: TimeZone
  /// How many times had an abbreviation that the zone does not use at that time.
  private(set) var disagreements = 0
  /// By day and abbreviation: all times of a day without a clock change have the same offset; nil for a day with one.
  private var days: [Day: Resolved?] = [:]

  private struct Day: Hashable {
    let number: Int64
    let abbreviation: String
  }

  private struct Resolved {
    let offset: Int64
    let isDisputed: Bool
  }

  init(zone: TimeZone) { self.zone = zone }

  /// The instant, Unix seconds UTC.
  ///
  /// - Throws: `AdyenClockError` when the text is no local time.
  func instant(_ text: String, _ abbreviation: String) throws -> Int64 {
    var bytes = text
    guard let local = bytes.withUTF8(Self.seconds) else { throw AdyenClockError(text: text) }
    let resolved = resolved(local, abbreviation)
    if resolved.isDisputed { disagreements += 1 }
    guard let instant = try? Limits.instant(local - resolved.offset) else {
      throw AdyenClockError(text: text, isOutsideLimits: true)
    }
    return instant
  }

  /// The instant of a cell.
  ///
  /// - Throws: `AdyenClockError`, or `CellError` with the column for a time outside `Limits.instants`.
  func instant(_ record: JSONValue, _ column: StaticString, _ abbreviation: String) throws -> Int64 {
    do { return try instant(try record[column].optionalString() ?? "", abbreviation) } catch let error
      as AdyenClockError
    {
      if error.isOutsideLimits { throw CellError(cell: "\(column)", reason: "\(error)") }
      throw error
    }
  }

  private func resolved(_ local: Int64, _ abbreviation: String) -> Resolved {
    let day = Day(number: local / 86_400, abbreviation: abbreviation)
    if let known = days[day] { return known ?? resolve(local, abbreviation) }
    let resolved = resolve(local, abbreviation)
    // A clock change within a day of either end, in any zone, may affect a time of this day.
    let hours = stride(from: (day.number - 2) * 86_400, through: (day.number + 3) * 86_400, by: 6 * 3600)
    let isSteady = Set(hours.map(offset(at:))).count == 1
    days[day] = .some(isSteady ? resolved : nil)
    return resolved
  }

  private func resolve(_ local: Int64, _ abbreviation: String) -> Resolved {
    let around = Set([-86_400, -3600, 0, 3600, 86_400].map { offset(at: local - offset(at: local) + $0) })
    let possible = around.filter { offset(at: local - $0) == $0 }.sorted(by: >)
    let stated = Self.offsets[abbreviation.uppercased()] ?? []
    if let agreed = possible.first(where: stated.contains) { return Resolved(offset: agreed, isDisputed: false) }
    // A time that a clock change skips can take either offset: the stated one, else the one in force before the change.
    if possible.isEmpty, let agreed = around.first(where: stated.contains) {
      return Resolved(offset: agreed, isDisputed: false)
    }
    return Resolved(offset: possible.first ?? around.min() ?? 0, isDisputed: !abbreviation.isEmpty && !stated.isEmpty)
  }

  private func offset(at instant: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))))
  }

  /// Abbreviations with their possible offsets, seconds east of UTC; the zone decides between several.
  private static let offsets: [String: [Int64]] = [
    "UTC": [0], "GMT": [0], "WET": [0], "WEST": [3600], "BST": [3600, 21_600], "IST": [3600, 19_800, 7200],
    "CET": [3600],
    "CEST": [7200], "MET": [3600], "MEST": [7200], "EET": [7200], "EEST": [10_800], "MSK": [10_800], "TRT": [10_800],
    "GST": [14_400],
    "SGT": [28_800], "HKT": [28_800], "MYT": [28_800], "AWST": [28_800], "JST": [32_400], "KST": [32_400],
    "ACST": [34_200],
    "ACDT": [37_800], "AEST": [36_000], "AEDT": [39_600], "NZST": [43_200], "NZDT": [46_800], "BRT": [-10_800],
    "BRST": [-7200],
    "ART": [-10_800], "CLT": [-14_400], "CLST": [-10_800], "AST": [-14_400, 10_800], "ADT": [-10_800], "NST": [-12_600],
    "EST": [-18_000], "EDT": [-14_400], "CST": [-21_600, 28_800], "CDT": [-18_000], "MST": [-25_200], "MDT": [-21_600],
    "PST": [-28_800], "PDT": [-25_200], "AKST": [-32_400], "AKDT": [-28_800], "HST": [-36_000], "SAST": [7200],
    "EAT": [10_800],
    "WAT": [3600], "CAT": [7200], "ICT": [25_200], "WIB": [25_200], "PHT": [28_800], "COT": [-18_000], "PET": [-18_000],
  ]

  /// `2026-07-06 10:00:00` as seconds since 1970-01-01 in local time; nil when it is not such a time.
  static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard bytes.count == 19 || (bytes.count > 20 && bytes[19] == UInt8(ascii: ".")) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var number = 0
      for place in range {
        guard (48...57).contains(bytes[place]) else { return nil }
        number = number * 10 + Int(bytes[place] - 48)
      }
      return number
    }
    let (hyphen, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))
    guard bytes[4] == hyphen, bytes[7] == hyphen, bytes[13] == colon, bytes[16] == colon,
      bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T"), let year = number(0..<4),
      let month = number(5..<7),
      let day = number(8..<10), let date = CivilDate(year: year, month: month, day: day),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    return date.dayNumber * 86_400 + Int64(hour * 3600 + minute * 60 + min(second, 59))
  }
}

/// A text that is not a local time of an Adyen report, or a time outside `Limits.instants`.
struct AdyenClockError: Error, Equatable, CustomStringConvertible {
  let text: String
  var isOutsideLimits = false

  var description: String {
    isOutsideLimits
      ? "found \"\(text.prefix(40))\", expected a local time of the years 2000 to 2100; see the record at its source"
      : "\"\(text.prefix(40))\" is no local time; expected 2026-01-31 09:00:00 as Adyen writes it "
        + "(a spreadsheet changes it: take the file as delivered)"
  }
}
