import Payments

/// Links each ledger row to the record that explains it, rule by rule (`LinkRule`).
final class RowLinking {
  let records: ProviderRecords
  let resolution: Resolution
  let directory: RecordDirectory
  /// The payment of each transfer that has one.
  let paymentOfTransfer: [Text: Text]
  /// By the rows' places.
  var links: [RowLink?]
  private var rules: [LinkRule?]
  var unresolved: [Unresolved] = []

  init(_ resolution: Resolution, _ directory: RecordDirectory, _ transfers: [TransferPayment]) {
    records = resolution.records
    self.resolution = resolution
    self.directory = directory
    paymentOfTransfer = Dictionary(transfers.map { ($0.transferID, $0.paymentID) }) { first, _ in first }
    links = Array(repeating: nil, count: resolution.records.rows.count)
    rules = Array(repeating: nil, count: resolution.records.rows.count)
    for rule in LinkRule.allCases { apply(rule) }
  }

  /// Links a row that no earlier rule has linked; if a rule finds two records for a row, the one with the smaller id
  /// counts.
  func link(_ row: Int?, by rule: LinkRule, _ link: @autoclosure () throws(MoneyError) -> RowLink) {
    guard let row, rules[row] == nil || rules[row] == rule else { return }
    do throws(MoneyError) {
      let found = try link()
      if let other = links[row], (other.recordID ?? "") <= (found.recordID ?? "") { return }
      links[row] = found
      rules[row] = rule
    } catch {
      let rowID = records.rows[row].sourceID ?? records.rows[row].rowID
      unresolved.append(Unresolved(provider: records.provider.string, recordID: rowID.string, reason: "\(error)"))
    }
  }

  func place(_ rowID: Text?) -> Int? { rowID.flatMap { resolution.rowIndex[$0] } }

  /// The rows that have no link yet and name a source.
  private func unlinked() -> [(row: Int, source: Text)] {
    links.indices.compactMap { row in
      guard links[row] == nil, let source = records.rows[row].sourceID else { return nil }
      return (row, source)
    }
  }

  private func apply(_ rule: LinkRule) {
    switch rule {
    case .rowNamesRecord: linkNamingRows()
    case .looseRow: linkLooseRows()
    case .captureOfSource: linkCaptures()
    case .failureOfPayment: linkFailures()
    case .rowOfRefund: for refund in resolution.refunds { link(place(refund.rowID), by: rule, link(to: refund)) }
    case .failureRowOfRefund:
      for refund in resolution.refunds { link(place(refund.failureRowID), by: rule, link(to: refund)) }
    case .sourceIsRefund:
      linkSources(rule) { directory, id in directory.refund(id).map { Self.link(to: $0, directory) } }
    case .rowOfTransfer: for transfer in records.transfers { link(place(transfer.rowID), by: rule, link(to: transfer)) }
    case .rowOfReversal: linkReversals()
    case .sourceIsTransfer: linkTransferSources()
    case .rowOfCommission: for fee in records.commissions { link(place(fee.rowID), by: rule, Self.link(to: fee)) }
    case .rowOfCommissionRefund: linkCommissionRefunds()
    case .sourceIsCommission: linkSources(rule) { directory, id in directory.commission(id).map(Self.link) }
    case .rowOfDispute: linkDisputes()
    case .rowOfPayout: for payout in resolution.payouts { link(place(payout.rowID), by: rule, Self.link(to: payout)) }
    case .failureRowOfPayout:
      for payout in resolution.payouts { link(place(payout.failureRowID), by: rule, Self.link(to: payout)) }
    case .sourceIsPayout: linkSources(rule) { directory, id in directory.payout(id).map(Self.link) }
    case .unreadPayment: linkUnreadPayments()
    }
  }

  private func linkSources(_ rule: LinkRule, _ found: (RecordDirectory, Text) -> RowLink?) {
    for (row, source) in unlinked() {
      if let found = found(directory, source) { link(row, by: rule, found) }
    }
  }

  private func linkTransferSources() {
    for (row, source) in unlinked() {
      if let transfer = directory.transfer(source) { link(row, by: .sourceIsTransfer, link(to: transfer)) }
    }
  }

  private func linkReversals() {
    for reversal in records.reversals {
      guard let transfer = directory.transfer(reversal.transferID) else { continue }
      let found = RowLink(
        recordID: reversal.reversalID, kind: .transferReversal, paymentID: paymentOfTransfer[reversal.transferID],
        connectedAccount: transfer.connectedAccount)
      link(place(reversal.rowID), by: .rowOfReversal, found)
    }
  }

  private func linkCommissionRefunds() {
    for refund in records.commissionRefunds {
      guard let fee = directory.commission(refund.feeID) else { continue }
      let found = RowLink(
        recordID: refund.feeRefundID, kind: .applicationFeeRefund, paymentID: fee.paymentID,
        connectedAccount: fee.connectedAccount)
      link(place(refund.rowID), by: .rowOfCommissionRefund, found)
    }
  }
}

/// Links a row to a record that names it, or that it names.
extension RowLinking {
  private func link(to refund: RefundRecord) -> RowLink { Self.link(to: refund, directory) }

  private static func link(to refund: RefundRecord, _ directory: RecordDirectory) -> RowLink {
    RowLink(
      recordID: refund.refundID, kind: .refund, paymentID: directory.paymentID(named: refund.paymentID),
      presentmentCurrency: refund.currency,
      presentmentMinor: refund.amountMinor)
  }

  private func link(to transfer: TransferRecord) -> RowLink {
    RowLink(
      recordID: transfer.transferID, kind: .transfer, paymentID: paymentOfTransfer[transfer.transferID],
      connectedAccount: transfer.connectedAccount)
  }

  private static func link(to fee: CommissionRecord) -> RowLink {
    RowLink(
      recordID: fee.feeID, kind: .applicationFee, paymentID: fee.paymentID, connectedAccount: fee.connectedAccount)
  }

  private static func link(to payout: PayoutRecord) -> RowLink { RowLink(recordID: payout.payoutID, kind: .payout) }
}
