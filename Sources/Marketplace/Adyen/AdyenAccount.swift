import Foundation

/// A merchant account at Adyen: what it settles in, where its clock stands, and how its reports arrive and look.
struct AdyenAccount: Sendable {
  /// As Adyen names it, e.g. `AcmeNL`.
  let name: String
  /// The settlement currency, ISO 4217 in lower case.
  let currency: String
  /// IANA name.
  let zone: String
  /// The number of the batch that closes on the day after the range's first.
  let firstBatch: Int
  /// Downloaded by number, or put into a folder.
  let isDownloaded: Bool
  /// Whether Adyen reports its notifications; without them captures are known from the reports alone.
  let isNotified: Bool
  /// The columns in an order of the account's own, with a BOM, CRLF and columns that nobody asked for.
  let isReordered: Bool

  /// Sales in euros, downloaded.
  static let dutch = AdyenAccount(
    name: "AcmeNL", currency: "eur", zone: "Europe/Amsterdam", firstBatch: 212, isDownloaded: true, isNotified: true,
    isReordered: false)
  /// Sales in dollars, Cash App Pay and the kiosk's among them; on 8 March 2026 its clocks go forward.
  static let american = AdyenAccount(
    name: "AcmeUS", currency: "usd", zone: "America/New_York", firstBatch: 1_041, isDownloaded: false, isNotified: true,
    isReordered: true)
  /// Sales in pounds, known from the reports alone.
  static let british = AdyenAccount(
    name: "AcmeUK", currency: "gbp", zone: "Europe/London", firstBatch: 1, isDownloaded: false, isNotified: false,
    isReordered: false)

  /// The account that Adyen knows by that name.
  static func named(_ name: String) -> AdyenAccount {
    [dutch, american, british].first { $0.name == name } ?? dutch
  }

  /// An instant as the reports write it: the account's local time, and the abbreviation of its zone.
  func local(_ instant: Int64) -> (text: String, zone: String) {
    let offset = offset(instant)
    let text = Moment.text(instant + offset).replacing("T", with: " ").replacing("Z", with: "")
    return (text, Self.abbreviations[zone]?[offset / Season.hour] ?? "UTC")
  }

  /// The same as a notification's `eventDate`, e.g. `2026-03-01T10:00:00+01:00`.
  func eventDate(_ instant: Int64) -> String {
    let hours = offset(instant) / Season.hour
    let digits = hours.magnitude < 10 ? "0\(hours.magnitude)" : "\(hours.magnitude)"
    return Moment.text(instant + hours * Season.hour).replacing("Z", with: "\(hours < 0 ? "-" : "+")\(digits):00")
  }

  /// Seconds east of UTC.
  private func offset(_ instant: Int64) -> Int64 {
    let zone = TimeZone(identifier: zone) ?? .gmt
    return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))))
  }

  private static let abbreviations: [String: [Int64: String]] = [
    "Europe/Amsterdam": [1: "CET", 2: "CEST"], "Europe/London": [0: "GMT", 1: "BST"],
    "America/New_York": [-5: "EST", -4: "EDT"],
  ]
}
