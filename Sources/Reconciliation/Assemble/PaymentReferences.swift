/// Every identifier of a payment: its own, its intent's, and what its ledger rows name beside it: captures, refunds,
/// disputes.
struct PaymentIdentifier: Equatable {
  var value: Text
  /// The position in the provider's order references, doubled: the payment's own before its intent's; nil: not one of
  /// them.
  var orderRank: Int64?
}

/// Collects the identifiers of payments.
struct PaymentReferences {
  private let records: ProviderRecords
  /// The references of an owner lie side by side.
  private var rangeOf: [Text: Range<Int>] = [:]
  /// What rows name beside their payment, by the payment.
  private var namedByRows: [Text: [Text]] = [:]

  init(_ records: ProviderRecords) {
    self.records = records
    var start = 0
    for index in records.references.indices
    where index + 1 == records.references.count
      || records.references[index + 1].ownerID != records.references[index].ownerID
    {
      rangeOf[records.references[index].ownerID] = start..<index + 1
      start = index + 1
    }
    for row in records.rows {
      guard let paymentID = row.paymentID, let recordID = row.recordID, recordID != paymentID, recordID != row.rowID
      else { continue }
      namedByRows[paymentID, default: []].append(recordID)
    }
  }

  /// The identifiers of a payment, in the order in which they are found.
  func references(of payment: PaymentRecord, _ intent: IntentRecord?) -> [PaymentIdentifier] {
    var found = Found()
    found.add(payment.paymentID, nil)
    if let intent { found.add(intent.intentID, nil) }
    for recordID in namedByRows[payment.paymentID] ?? [] { found.add(recordID, nil) }
    for reference in references(ofOwner: payment.paymentID)
    where payment.isFolded || reference.landedFile == payment.landedFile {
      found.add(reference.value, reference.orderRank.map { 2 * $0 })
    }
    if let intent { add(intent, to: &found) }
    return found.references
  }

  /// The identifiers of an intent without a charge, which is a payment of its own.
  func references(of intent: IntentRecord) -> [PaymentIdentifier] {
    var found = Found()
    found.add(intent.intentID, nil)
    add(intent, to: &found)
    return found.references
  }

  /// The older version of an owner may have other references: they are void.
  private func add(_ intent: IntentRecord, to found: inout Found) {
    for reference in references(ofOwner: intent.intentID) where reference.landedFile == intent.landedFile {
      found.add(reference.value, reference.orderRank.map { 2 * $0 + 1 })
    }
  }

  private func references(ofOwner id: Text) -> ArraySlice<ReferenceRecord> {
    rangeOf[id].map { records.references[$0] } ?? []
  }

  /// Each identifier once, with its smallest rank. They are few: a search is quicker than a dictionary.
  private struct Found {
    var references: [PaymentIdentifier] = []

    mutating func add(_ value: Text, _ rank: Int64?) {
      if let place = references.firstIndex(where: { $0.value == value }) {
        references[place].orderRank = Known.min(references[place].orderRank, rank)
      } else {
        references.append(PaymentIdentifier(value: value, orderRank: rank))
      }
    }
  }
}
