import Payments

/// The meaning of a PAR order status for its money: the front end's statuses are not documented, so they are
/// interpreted by their names.
///
/// An order is created once its payment is approved, so an unknown status counts as `paid`: anything wrong with its
/// money is then reported rather than hidden, and the status itself is reported.
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

  /// The meaning of a status in any case, with spaces or dashes for underscores; nil for one without a rule.
  static func meaning(of word: String) -> OrderStatus? {
    meanings[word.lowercased().map { " -".contains($0) ? "_" : String($0) }.joined()]
  }
}
