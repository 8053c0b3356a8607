/// The records related to a payment: its intent, captures, commissions, transfers and releases.
struct PaymentContext {
  private let directory: RecordDirectory
  private let coverage: RecordCoverage
  private let captures: [Text: [Capture]]
  private var commissions: [Text: [CommissionFact]] = [:]
  private var voidedAt: [Text: Int64] = [:]
  private var transfers: [Text: Int] = [:]

  init(_ assembly: Assembly) {
    let resolution = assembly.resolution
    directory = assembly.directory
    coverage = resolution.records.coverage
    captures = Dictionary(grouping: resolution.captures, by: \.paymentID)
    for commission in resolution.records.commissions {
      guard let paymentID = commission.paymentID else { continue }
      let fact = CommissionFact(
        countsFrom: resolution.row(commission.rowID)?.bookedAt ?? commission.createdAt, currency: commission.currency,
        amountMinor: commission.amountMinor)
      commissions[paymentID, default: []].append(fact)
    }
    for refund in resolution.refunds where refund.isExpiredAuthorisation {
      guard let paymentID = refund.paymentID else { continue }
      voidedAt[paymentID] = Known.min(voidedAt[paymentID], refund.createdAt)
    }
    for transfer in assembly.transfers { transfers[transfer.paymentID, default: 0] += 1 }
  }

  func facts(of payment: PaymentRecord, _ entries: [Entry]) -> PaymentFacts {
    PaymentFacts(
      payment: payment, intent: directory.intent(payment.intentID), entries: entries,
      captures: captures[payment.paymentID] ?? [],
      commissions: commissions[payment.paymentID] ?? [], voidedAt: voidedAt[payment.paymentID],
      linkedTransfers: transfers[payment.paymentID] ?? 0,
      coverage: coverage)
  }
}
