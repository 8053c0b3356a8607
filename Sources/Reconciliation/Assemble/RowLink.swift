import Payments

/// The record that explains a ledger row, with its payment and its connected account.
struct RowLink: Sendable, Equatable {
  var recordID: Text?
  var kind: RecordKind
  var paymentID: Text?
  var connectedAccount: Text?
  /// The amount and currency that the customer saw; nil where no customer is concerned.
  var presentmentCurrency: Text?
  var presentmentMinor: Int64?
}

/// How a ledger row finds its record, surest first: later rules skip a row that an earlier one has linked.
enum LinkRule: Int, CaseIterable {
  case rowNamesRecord
  case looseRow
  case captureOfSource
  case failureOfPayment
  case rowOfRefund
  case failureRowOfRefund
  case sourceIsRefund
  case rowOfTransfer
  case rowOfReversal
  case sourceIsTransfer
  case rowOfCommission
  case rowOfCommissionRefund
  case sourceIsCommission
  case rowOfDispute
  case rowOfPayout
  case failureRowOfPayout
  case sourceIsPayout
  case unreadPayment

  var reason: String {
    switch self {
    case .rowNamesRecord:
      "the row itself says whose it is; one that names a disputed payment belongs to the payment's dispute"
    case .looseRow:
      "a fee, hold or conversion that names no payment belongs to the payment of the row it names, or to none"
    case .captureOfSource:
      "a capture's row belongs to the payment it is the source of: of several parts the payment names only the latest"
    case .failureOfPayment: "a payment names the row that takes it back"
    case .rowOfRefund: "a refund names its own row"
    case .failureRowOfRefund: "a refund names the row that brings it back when it fails"
    case .sourceIsRefund:
      "a row whose source is a refund, also where the refund does not name it: a failure booked as an adjustment"
    case .rowOfTransfer: "a transfer names its own row"
    case .rowOfReversal: "a reversal names its own row, the row the transfer"
    case .sourceIsTransfer: "a row whose source is a transfer, and which no transfer or reversal names"
    case .rowOfCommission: "a commission names its own row"
    case .rowOfCommissionRefund: "a commission given back names its own row, the row the commission"
    case .sourceIsCommission: "a row whose source is a commission, and which nothing names"
    case .rowOfDispute: "a dispute's rows, as it names them or as they name it"
    case .rowOfPayout: "a payout names its own row"
    case .failureRowOfPayout: "a payout names the row that brings it back"
    case .sourceIsPayout: "a row whose source is a payout: one that failed names only its latest row"
    case .unreadPayment: "a capture whose payment could not be read is still a payment: the row's source names it"
    }
  }
}
