/// How a payment shares its money between the platform and a connected account (docs/fund-flows.md section 2.1).
enum Split: Sendable, Equatable {
  /// All of it stays with the platform.
  case platform
  /// Destination charge: the whole is transferred, the fee comes back. Presentment minor units.
  case applicationFee(Int64)
  /// Destination charge with `transfer_data[amount]`. Presentment minor units.
  case transferAmount(Int64)
  /// Destination charge: the whole is transferred and nothing comes back.
  case full
  /// Separate charge and transfers: the platform sends this much itself. Settlement minor units.
  case separate(Int64)

  /// Whether the charge itself names a destination.
  var isDestination: Bool {
    switch self {
    case .platform, .separate: false
    case .applicationFee, .transferAmount, .full: true
    }
  }

  /// Sets on an intent what the checkout requests.
  func ask(of intent: IntentRecord, seller: String) {
    guard isDestination else { return }
    intent.destination = seller
    if case .applicationFee(let amount) = self { intent.applicationFee = amount }
    if case .transferAmount(let amount) = self { intent.transferAmount = amount }
  }
}

/// When an authorisation becomes a capture.
enum Capture: Sendable, Equatable {
  case atOnce
  /// By hand, that many seconds later and that much of it; `inTwoRows` books the whole and takes the rest back.
  case later(seconds: Int64, amount: Int64, inTwoRows: Bool)
  case never
}

/// What a checkout requests and the platform does not get: the ways in which a transfer or a commission is lost.
enum Loss: Sendable, Equatable {
  case none
  /// The transfer is skipped: the charge forgets its destination.
  case transferSkipped
  /// The charge keeps its destination, and there is no transfer.
  case transferLost
  /// The transfer is that much short, settlement minor units.
  case transferShort(Int64)
  /// No fee object is made.
  case fee
}

/// What is agreed at checkout: the terms on which one payment is made.
struct Terms {
  var at: Int64
  var amount: Int64
  var tender: Tender
  var method = Method.card
  var split: Split
  var seller: String
  var capture = Capture.atOnce
  /// The order's id in the payment's metadata; nil where only the order refers to the payment.
  var metadataOrderID: String?
  var transferGroup: String?
  /// What the checkout requests and does not get.
  var loss = Loss.none
  /// Attempts that the bank declined before the one that counts.
  var declinedAttempts = 0
}
