import Payments

/// A movement between two parties: a posting with the id of the connected account, its payment and its payout.
struct Entry: Sendable {
  var rowID: Text
  var ordinal: Int64 = 0
  var account: Text = ""
  var paymentID: Text?
  var kind: EntryKind
  var from: Role
  var to: Role
  /// The connected account of a movement from or to the role `connected`.
  var connectedAccount: Text?
  var currency: Text
  var amountMinor: Int64
  /// The amount and currency that the customer saw; nil where no customer is concerned.
  var presentmentCurrency: Text?
  var presentmentMinor: Int64?
  var exchangeRate: Text?
  var feeType: Text?
  var description: Text?
  var bookedAt: Int64 = 0
  var availableAt: Int64?
  var payoutID: Text?
  /// The record behind it, or the ledger row where there is none.
  var recordID: Text
  var rowName: Text?
}

extension EntryKind {
  /// Whether a customer saw it: fees, transfers and payouts have no presentment amount.
  var hasPresentment: Bool {
    switch self {
    case .fee, .fx, .reserve, .adjustment, .transfer, .transferReversal, .payout, .payoutReversal: false
    default: true
    }
  }
}

/// Makes the entries of one provider: one for each posting of a row that counts.
struct Entries {
  private let resolution: Resolution
  private let links: [RowLink?]
  private let exchangeRates: [Text: Text]
  private var payouts: RowPayouts

  init(_ resolution: Resolution, _ links: [RowLink?]) {
    self.resolution = resolution
    self.links = links
    payouts = RowPayouts(resolution)
    exchangeRates = Dictionary(
      resolution.presentments.compactMap { shown in shown.exchangeRate.map { (shown.rowID, $0) } }
    ) { first, _ in first }
  }

  /// Calls back with each entry, in the order of the rows.
  func forEach(_ body: (Entry) -> Void) {
    for (index, row) in resolution.records.rows.enumerated() where resolution.isBooked(index) {
      let payoutID = payouts.payout(of: index, row)
      for posting in resolution.records.postings[row.postings] { body(entry(row, posting, links[index], payoutID)) }
    }
  }

  private func entry(_ row: LedgerRecord, _ posting: PostingRecord, _ link: RowLink?, _ payoutID: Text?) -> Entry {
    let isConnected = posting.from == .connected || posting.to == .connected
    let hasPresentment = posting.kind.hasPresentment
    return Entry(
      rowID: row.rowID, ordinal: posting.ordinal, account: row.account, paymentID: link?.paymentID, kind: posting.kind,
      from: posting.from,
      to: posting.to, connectedAccount: isConnected ? link?.connectedAccount ?? "unknown" : nil,
      currency: posting.currency,
      amountMinor: posting.amountMinor, presentmentCurrency: hasPresentment ? link?.presentmentCurrency : nil,
      presentmentMinor: hasPresentment ? link?.presentmentMinor : nil,
      exchangeRate: exchangeRates[row.rowID] ?? row.exchangeRate,
      feeType: posting.feeType, description: posting.description, bookedAt: row.bookedAt, availableAt: row.availableAt,
      payoutID: payoutID,
      recordID: link?.recordID ?? row.sourceID ?? row.rowID, rowName: row.name)
  }
}

/// Which payout pays a row: the one that the row names, else the one that names the row, else the one that names a row
/// repeating it.
struct RowPayouts {
  /// By the rows' places.
  private var named: [Text?]
  private var repeated: [Int: Text] = [:]

  init(_ resolution: Resolution) {
    let records = resolution.records
    named = Array(repeating: nil, count: records.rows.count)
    for lines in [records.payoutLines, resolution.dayLines] {
      for line in lines {
        guard let row = resolution.rowIndex[line.rowID] else { continue }
        named[row] = Known.max(named[row], line.payoutID)
      }
    }
    for duplicate in resolution.duplicates {
      guard let original = duplicate.original else { continue }
      let payoutID = Known.max(named[duplicate.row], records.rows[duplicate.row].payoutID)
      repeated[original] = Known.max(repeated[original], payoutID)
    }
  }

  func payout(of index: Int, _ row: LedgerRecord) -> Text? {
    row.payoutID ?? named[index] ?? (row.paymentID == nil ? nil : repeated[index])
  }
}
