/// An identifier of a payment: its own, its intent's, or one that its ledger rows name besides it (captures, refunds,
/// disputes).
struct PaymentIdentifier: Equatable {
  var value: Text
  /// The position in the provider's order references, doubled, so that the payment's own come before its intent's; nil:
  /// not one of them.
  var orderRank: Int64?
}

/// Collects the identifiers of payments.
struct PaymentReferences {
  private let records: ProviderRecords
  /// The references of an owner are adjacent.
  private var rangeOf: [Text: Range<Int>] = [:]
  /// The identifiers that rows name besides their payment, by the payment.
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

  /// References of an older version of the owner are void and left out.
  private func add(_ intent: IntentRecord, to found: inout Found) {
    for reference in references(ofOwner: intent.intentID) where reference.landedFile == intent.landedFile {
      found.add(reference.value, reference.orderRank.map { 2 * $0 + 1 })
    }
  }

  private func references(ofOwner id: Text) -> ArraySlice<ReferenceRecord> {
    rangeOf[id].map { records.references[$0] } ?? []
  }

  /// Each identifier once, with its smallest rank. There are few: a search is quicker than a dictionary.
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
