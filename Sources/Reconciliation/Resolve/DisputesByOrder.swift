/// Finds the payment of a dispute that never names one: the only payment that has its merchant reference.
struct DisputesByOrder {
  private struct Reference: Hashable {
    var name: Text
    var value: Text
  }

  private var referencesOf: [Text: [Reference]] = [:]
  private var paymentsOf: [Reference: Set<Text>] = [:]

  init(_ resolution: Resolution) {
    let disputes = Set(resolution.events.filter { $0.subject == .dispute && $0.paymentID == nil }.map(\.recordID))
    guard !disputes.isEmpty else { return }
    for reference in resolution.records.references where disputes.contains(reference.ownerID) {
      referencesOf[reference.ownerID, default: []].append(Reference(name: reference.name, value: reference.value))
    }
    let wanted = Set(referencesOf.values.joined())
    let payments = Set(resolution.payments.filter { !$0.isDeclined }.map(\.paymentID))
    for reference in resolution.records.references where payments.contains(reference.ownerID) {
      let key = Reference(name: reference.name, value: reference.value)
      if wanted.contains(key) { paymentsOf[key, default: []].insert(reference.ownerID) }
    }
  }

  /// Nil where no payment has one of its references, or several have.
  func payment(of disputeID: Text) -> Text? {
    let payments = (referencesOf[disputeID] ?? []).reduce(into: Set<Text>()) { $0.formUnion(paymentsOf[$1] ?? []) }
    return payments.count == 1 ? payments.first : nil
  }
}
