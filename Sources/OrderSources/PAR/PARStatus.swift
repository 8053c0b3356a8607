import Payments

/// What an order's status at PAR means for its money: the front end's words are not published, so they are taken as
/// they are meant.
///
/// An order is made once its payment is approved, so a word that nobody knows counts as `paid`: whatever is wrong with
/// its money is then said rather than hidden, and the word itself is reported.
enum PARStatus {
  private static let words: [OrderStatus: [String]] = [
    .pending: ["pending", "draft", "awaiting_payment", "pending_payment", "payment_pending", "unpaid"],
    .paid: [
      "paid", "new", "created", "placed", "received", "accepted", "confirmed", "submitted", "approved", "open",
      "scheduled",
      "in_progress", "processing", "preparing", "in_preparation", "ready", "ready_for_pickup",
    ],
    .fulfilled: [
      "fulfilled", "completed", "complete", "delivered", "picked_up", "collected", "served", "closed", "finished",
      "done",
    ],
    .cancelled: ["cancelled", "canceled", "rejected", "declined", "voided", "void", "failed", "expired"],
    .refunded: ["refunded"],
    .partiallyRefunded: ["partially_refunded"],
  ]
  private static let meanings: [String: OrderStatus] = Dictionary(
    uniqueKeysWithValues: words.flatMap { status, words in words.map { ($0, status) } })

  /// The status of a word in any case, with spaces or dashes for underscores; nil for one without a rule.
  static func meaning(of word: String) -> OrderStatus? {
    meanings[word.lowercased().map { " -".contains($0) ? "_" : String($0) }.joined()]
  }
}
