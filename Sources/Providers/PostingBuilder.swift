import Payments

/// The movement that a row reports: the party on the other side of the platform, and the kind of entry for money that
/// comes to the platform and for money that leaves it.
struct PostingRule: Equatable, Sendable {
  let counterparty: Role
  let incoming: EntryKind
  let outgoing: EntryKind
  /// For movements that are themselves a fee.
  let feeType: FeeType?

  init(_ counterparty: Role, in incoming: EntryKind, out outgoing: EntryKind, feeType: FeeType? = nil) {
    self.counterparty = counterparty
    self.incoming = incoming
    self.outgoing = outgoing
    self.feeType = feeType
  }

  /// A movement of one kind in either direction.
  init(_ counterparty: Role, _ kind: EntryKind, feeType: FeeType? = nil) {
    self.init(counterparty, in: kind, out: kind, feeType: feeType)
  }
}

/// Makes the postings of one ledger row, in their order.
struct PostingBuilder {
  private(set) var postings: [Posting] = []
  private let currency: String

  init(_ currency: String) {
    self.currency = currency
    postings.reserveCapacity(4)
  }

  /// A movement between the platform and another party; an amount of 0 makes none.
  ///
  /// - Parameter inflow: minor units, positive towards the platform; never `Int64.min`.
  mutating func post(
    _ kind: EntryKind, _ other: Role, _ inflow: Int64, feeType: FeeType? = nil, description: String? = nil
  ) {
    guard inflow != 0 else { return }
    post(
      kind, from: inflow > 0 ? other : .platform, to: inflow > 0 ? .platform : other, abs(inflow), feeType: feeType,
      description: description)
  }

  /// The movement that a rule describes.
  mutating func post(_ rule: PostingRule, _ inflow: Int64, description: String? = nil) {
    post(
      inflow > 0 ? rule.incoming : rule.outgoing, rule.counterparty, inflow, feeType: rule.feeType,
      description: description)
  }

  /// A movement between any two parties.
  ///
  /// - Parameter amountMinor: minor units, not negative.
  mutating func post(
    _ kind: EntryKind, from: Role, to: Role, _ amountMinor: Int64, feeType: FeeType? = nil, description: String? = nil
  ) {
    postings.append(
      Posting(
        ordinal: postings.count, kind: kind, from: from, to: to, currency: currency, amountMinor: amountMinor,
        feeType: feeType, description: description))
  }
}
