/// Which payment a transfer belongs to, and how it was found.
struct TransferPayment: Equatable {
  /// The rules, surest first.
  enum Rule: String, CaseIterable {
    case source, order, group

    var reason: String {
      switch self {
      case .source: "the transfer names the payment as its source"
      case .order: "the earliest captured payment that carries the transfer's order reference"
      case .group: "the earliest captured payment of the transfer's group"
      }
    }
  }

  var transferID: Text
  var paymentID: Text
  var rule: Rule
}

/// Finds the payments of transfers; for transfers that name none, by the references of captured payments.
struct TransferPayments {
  private let directory: RecordDirectory
  /// The earliest payment by order reference and by transfer group, limited to those that a transfer looks for.
  private var byOrder: [Text: PaymentRecord] = [:]
  private var byGroup: [Text: PaymentRecord] = [:]

  /// The payments, in the order of the transfers.
  static func find(_ records: ProviderRecords, _ directory: RecordDirectory) -> [TransferPayment] {
    var search = TransferPayments(directory: directory)
    search.index(records)
    return records.transfers.compactMap(search.payment)
  }

  private init(directory: RecordDirectory) { self.directory = directory }

  private mutating func index(_ records: ProviderRecords) {
    let loose = records.transfers.filter { $0.paymentID == nil }
    let orders = Set(loose.compactMap(\.orderReference))
    let groups = Set(loose.compactMap(\.transferGroup))
    guard !orders.isEmpty || !groups.isEmpty else { return }
    for reference in records.references {
      let isOrder =
        (reference.orderRank != nil || reference.name == "metadata.order_id") && orders.contains(reference.value)
      let isGroup = reference.name == "transfer_group" && groups.contains(reference.value)
      guard isOrder || isGroup, let payment = captured(reference) else { continue }
      if isOrder { byOrder[reference.value] = earlier(payment, byOrder[reference.value]) }
      if isGroup { byGroup[reference.value] = earlier(payment, byGroup[reference.value]) }
    }
  }

  /// The captured payment whose newest version has a reference.
  private func captured(_ reference: ReferenceRecord) -> PaymentRecord? {
    guard let payment = directory.payment(reference.ownerID), payment.landedFile == reference.landedFile else {
      return nil
    }
    return payment.isCaptured && !payment.isDeclined ? payment : nil
  }

  private func earlier(_ one: PaymentRecord, _ other: PaymentRecord?) -> PaymentRecord {
    guard let other else { return one }
    return (one.createdAt, one.paymentID) < (other.createdAt, other.paymentID) ? one : other
  }

  private func payment(of transfer: TransferRecord) -> TransferPayment? {
    if let paymentID = transfer.paymentID {
      return TransferPayment(transferID: transfer.transferID, paymentID: paymentID, rule: .source)
    }
    if let payment = transfer.orderReference.flatMap({ byOrder[$0] }) {
      return TransferPayment(transferID: transfer.transferID, paymentID: payment.paymentID, rule: .order)
    }
    return transfer.transferGroup.flatMap { byGroup[$0] }.map {
      TransferPayment(transferID: transfer.transferID, paymentID: $0.paymentID, rule: .group)
    }
  }
}
