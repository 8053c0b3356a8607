import Payments

/// Finds the settlement rows that report a movement which the provider's API reports as well: such a row does not
/// count.
///
/// A settlement row without a matching API row counts: that money moved, and the API does not report it. If two rows
/// with different amounts are one movement, a payout pays the difference too little or too much (`SettlementDay`).
struct SettlementPairing {
  /// A row of either side, with the fields that the rules need.
  struct Candidate {
    var row: Int
    var rowID: Text
    var recordID: Text?
    var currency: Text
    var amountMinor: Int64
    var bookedAt: Int64 = 0
  }

  /// A settlement row and the API's row of the same movement, by their places among the provider's rows.
  struct Pair: Equatable {
    var settlement: Int
    var api: Int
  }

  /// The rules, surest first.
  enum Rule: CaseIterable {
    case sameRecordAndAmount, sameAmount, sameRecord, inOrder

    var reason: String {
      switch self {
      case .sameRecordAndAmount: "one record, one currency, one amount: a refund's row by its id"
      case .sameAmount: "the same money under different names: a settlement row and its capture"
      case .sameRecord: "one record with two amounts: settled in part, or with a deduction"
      case .inOrder:
        "a row without a record's id: the movements of its direction in their order, what is left over with the last"
      }
    }

    /// The fields that must agree; nil where the rule does not apply to the row.
    func key(of row: Candidate) -> Key? {
      switch self {
      case .sameRecordAndAmount: row.recordID.map { Key(row, recordID: $0, amountMinor: row.amountMinor) }
      case .sameAmount: Key(row, amountMinor: row.amountMinor)
      case .sameRecord: row.recordID.map { Key(row, recordID: $0) }
      case .inOrder: Key(row)
      }
    }
  }

  struct Key: Hashable {
    var currency: Text
    var isOutgoing: Bool
    var recordID: Text?
    var amountMinor: Int64?

    init(_ row: Candidate, recordID: Text? = nil, amountMinor: Int64? = nil) {
      currency = row.currency
      isOutgoing = row.amountMinor < 0
      self.recordID = recordID
      self.amountMinor = amountMinor
    }
  }

  private var settlement: [Candidate]
  private var api: [Candidate]
  private var apiRowOf: [Int: Int] = [:]

  /// The pairs of one payment's rows, in the order of the settlement rows' dates.
  static func pairs(settlement: [Candidate], api: [Candidate]) -> [Pair] {
    let order = { (one: Candidate, other: Candidate) in (one.bookedAt, one.rowID) < (other.bookedAt, other.rowID) }
    var pairing = SettlementPairing(settlement: settlement.sorted(by: order), api: api.sorted(by: order))
    let rows = pairing.settlement.map(\.row)
    pairing.pairEqualAmounts()
    pairing.pairUnequalAmounts()
    return rows.compactMap { row in pairing.apiRowOf[row].map { Pair(settlement: row, api: $0) } }
  }

  private init(settlement: [Candidate], api: [Candidate]) {
    self.settlement = settlement
    self.api = api
  }

  private mutating func pairEqualAmounts() {
    for rule in [Rule.sameRecordAndAmount, .sameAmount] {
      pair(by: rule)
      let taken = Set(apiRowOf.values)
      settlement.removeAll { apiRowOf[$0.row] != nil }
      api.removeAll { taken.contains($0.row) }
    }
  }

  /// Both rules count the same rows: a nameless row keeps its position among the ones that name their record.
  private mutating func pairUnequalAmounts() {
    pair(by: .sameRecord)
    pair(by: .inOrder)
  }

  /// Pairs rows with the same key: the first with the first, the second with the second.
  private mutating func pair(by rule: Rule) {
    let ours = Dictionary(grouping: settlement) { rule.key(of: $0) }
    let theirs = Dictionary(grouping: api) { rule.key(of: $0) }
    for case (let key?, let rows) in ours {
      guard let movements = theirs[key] else { continue }
      for (place, row) in rows.enumerated() where apiRowOf[row.row] == nil {
        if rule == .inOrder {
          if row.recordID == row.rowID { apiRowOf[row.row] = movements[min(place, movements.count - 1)].row }
        } else if place < movements.count {
          apiRowOf[row.row] = movements[place].row
        }
      }
    }
  }
}
