/// A stream of Afterpay's landing zone.
enum AfterpayStream: String, CaseIterable, Sendable {
  /// The settlement exports, read from a folder.
  case settlements
  /// The payments API: captures, voids and refunds.
  case payments
  /// The disputes API.
  case disputes
}
