import Payments

/// The rules that lead from a ledger row to a payment or a dispute.
extension RowLinking {
  /// Links rows that name their payment themselves, so that no object is needed to find it.
  func linkNamingRows() {
    let presentments = Dictionary(resolution.presentments.map { ($0.rowID, $0) }) { first, _ in first }
    let capturesByRow = Set(resolution.captures.map { CaptureKey(paymentID: $0.paymentID, captureID: $0.captureID) })
    for (index, row) in records.rows.enumerated() where row.paymentID != nil || row.recordID != nil {
      guard resolution.isBooked(index) else { continue }
      link(index, by: .rowNamesRecord, try namedLink(row, presentments[row.rowID], capturesByRow))
    }
  }

  private struct CaptureKey: Hashable {
    var paymentID: Text
    var captureID: Text
  }

  private func namedLink(_ row: LedgerRecord, _ presentment: Presentment?, _ captures: Set<CaptureKey>)
    throws(MoneyError) -> RowLink
  {
    let own = try Checked.magnitude(row.amountMinor)
    return RowLink(
      recordID: recordID(of: row, captures) ?? row.recordID ?? row.paymentID,
      kind: row.recordKind ?? (row.paymentID == nil ? .other : .payment), paymentID: paymentID(of: row),
      connectedAccount: row.connectedAccount,
      presentmentCurrency: presentment?.currency ?? row.presentmentCurrency ?? row.currency,
      presentmentMinor: presentment?.amountMinor ?? row.presentmentMinor ?? own)
  }

  /// A dispute or refund has the id that its provider uses; a further capture of a payment has the id of its row.
  private func recordID(of row: LedgerRecord, _ captures: Set<CaptureKey>) -> Text? {
    switch row.recordKind {
    case .dispute: row.recordID == row.paymentID ? row.paymentID.flatMap { resolution.disputeNames[$0] } : nil
    case .refund: row.recordID.flatMap { resolution.refundNames[$0] }
    case .payment:
      row.paymentID.flatMap { captures.contains(CaptureKey(paymentID: $0, captureID: row.rowID)) ? row.rowID : nil }
    default: nil
    }
  }

  /// A row that names a refund or a dispute but no payment belongs to the payment that another feed reports for it.
  private func paymentID(of row: LedgerRecord) -> Text? {
    if let paymentID = row.paymentID { return paymentID }
    switch row.recordKind {
    case .refund: return directory.refund(row.recordID)?.paymentID
    case .dispute: return directory.dispute(row.recordID)?.paymentID
    default: return nil
    }
  }

  func linkLooseRows() {
    let loose = links.indices.filter { index in
      guard let link = links[index], link.kind == .other, let paymentID = link.paymentID else { return false }
      return !directory.isPayment(paymentID)
    }
    guard !loose.isEmpty else { return }
    let named = Set(loose.compactMap { links[$0]?.paymentID })
    var paymentOf: [Text: Text] = [:]
    for (index, row) in records.rows.enumerated() {
      guard let source = row.sourceID, named.contains(source), let paymentID = links[index]?.paymentID,
        directory.isPayment(paymentID)
      else { continue }
      paymentOf[source] = Known.min(paymentOf[source], paymentID)
    }
    for index in loose {
      let named = links[index]?.paymentID
      links[index]?.paymentID = named.flatMap { paymentOf[$0] }
    }
  }

  /// If both currencies are the same, the presentment amount is the row's; otherwise it is the row's share of the
  /// captured amount, in proportion to the rows of the payment.
  func linkCaptures() {
    let wholes = wholesOfConversions()
    for (index, row) in records.rows.enumerated() where hasPosting(row, .capture) {
      guard let payment = directory.payment(row.sourceID) else { continue }
      link(index, by: .captureOfSource, try captureLink(row, payment, wholes[payment.paymentID]))
    }
  }

  private func captureLink(_ row: LedgerRecord, _ payment: PaymentRecord, _ wholeMinor: Int128?) throws(MoneyError)
    -> RowLink
  {
    RowLink(
      recordID: payment.paymentID, kind: .payment, paymentID: payment.paymentID, presentmentCurrency: payment.currency,
      presentmentMinor: try presentment(of: row, payment, wholeMinor ?? 0))
  }

  private func presentment(of row: LedgerRecord, _ payment: PaymentRecord, _ wholeMinor: Int128) throws(MoneyError)
    -> Int64
  {
    if row.currency == payment.currency { return try Checked.magnitude(row.amountMinor) }
    guard let whole = Int64(exactly: wholeMinor) else { throw .overflow("the sum of a payment's captures") }
    return whole == 0 ? 0 : try Checked.magnitude(Money.proportion(payment.capturedMinor, row.amountMinor, whole))
  }

  /// The sum of the capture rows of each payment with a conversion, by the payment.
  private func wholesOfConversions() -> [Text: Int128] {
    var wholes: [Text: Int128] = [:]
    for row in records.rows where hasPosting(row, .capture) {
      if let payment = directory.payment(row.sourceID), payment.currency != row.currency {
        wholes[payment.paymentID] = 0
      }
    }
    guard !wholes.isEmpty else { return wholes }
    for row in records.rows {
      guard let source = row.sourceID, wholes[source] != nil else { continue }
      for posting in records.postings[row.postings] where posting.kind == .capture {
        wholes[source, default: 0] += Int128(row.amountMinor)
      }
    }
    return wholes
  }

  private func hasPosting(_ row: LedgerRecord, _ kind: EntryKind) -> Bool {
    records.postings[row.postings].contains { $0.kind == kind }
  }

  /// Links the row that takes back a failed asynchronous payment to the payment.
  func linkFailures() {
    for payment in resolution.payments {
      guard let place = place(payment.failureRowID) else { continue }
      link(place, by: .failureOfPayment, try failureLink(payment, records.rows[place]))
    }
  }

  private func failureLink(_ payment: PaymentRecord, _ row: LedgerRecord) throws(MoneyError) -> RowLink {
    RowLink(
      recordID: payment.paymentID, kind: .payment, paymentID: payment.paymentID, presentmentCurrency: payment.currency,
      presentmentMinor: row.currency == payment.currency
        ? try Checked.magnitude(row.amountMinor) : payment.capturedMinor)
  }

  func linkDisputes() {
    for named in records.disputeRows { linkDispute(place(named.rowID), named.disputeID) }
    for (index, row) in records.rows.enumerated() { if let source = row.sourceID { linkDispute(index, source) } }
  }

  private func linkDispute(_ place: Int?, _ disputeID: Text) {
    guard let place, let dispute = directory.dispute(disputeID) else { return }
    link(place, by: .rowOfDispute, try disputeLink(dispute, records.rows[place]))
  }

  private func disputeLink(_ dispute: DisputeRecord, _ row: LedgerRecord) throws(MoneyError) -> RowLink {
    RowLink(
      recordID: dispute.disputeID, kind: .dispute, paymentID: directory.paymentID(named: dispute.paymentID),
      presentmentCurrency: dispute.currency,
      presentmentMinor: row.currency == dispute.currency ? try Checked.magnitude(row.amountMinor) : dispute.amountMinor)
  }

  func linkUnreadPayments() {
    for (index, row) in records.rows.enumerated() where links[index] == nil {
      guard let source = row.sourceID else { continue }
      let isCapture = hasPosting(row, .capture)
      guard isCapture || hasPosting(row, .chargeFailure) && directory.isPayment(source) else { continue }
      link(index, by: .unreadPayment, try unreadLink(row, source))
    }
  }

  private func unreadLink(_ row: LedgerRecord, _ source: Text) throws(MoneyError) -> RowLink {
    RowLink(
      recordID: source, kind: .payment, paymentID: source, presentmentCurrency: row.currency,
      presentmentMinor: try Checked.magnitude(row.amountMinor))
  }
}
