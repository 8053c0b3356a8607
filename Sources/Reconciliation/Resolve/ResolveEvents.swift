import Payments

/// Which observations count, and the payments, refunds and disputes that are folded from them.
extension Resolution {
  mutating func selectEvents() {
    var selection = EventSelection()
    selection.exactNetRows = Set(records.exactNets.map(\.rowID))
    selection.duplicateRows = Set(duplicates.map { records.rows[$0.row].rowID })
    for presentment in presentments {
      let key = EventSelection.PresentmentKey(paymentID: presentment.paymentID, recordID: presentment.recordID)
      selection.presentments[key] = selection.presentments[key] ?? presentment
    }
    for group in records.observations.grouped(by: { Subject(subject: $0.subject, recordID: $0.recordID) }) {
      let selected = resolve(group[0].recordID) { _ throws(MoneyError) in try selection.events(of: group) } ?? []
      events += selected
      if group[0].subject == .payment { captures += CapturePairing.captures(of: group[0].recordID, selected) }
    }
  }

  private struct Subject: Hashable {
    var subject: EventSubject
    var recordID: Text
  }

  mutating func fold() {
    (payments, refunds, disputes) = (records.payments, records.refunds, records.disputes)
    guard !records.observations.isEmpty else { return }
    refundNames = RecordNames.refunds(events.filter { $0.subject == .refund })
    disputeNames = RecordNames.disputes(records.observations.filter { $0.subject == .dispute })
    foldPayments()
    foldRefunds()
    foldDisputes()
  }

  private mutating func foldPayments() {
    let capturesOf = Dictionary(grouping: captures, by: \.paymentID)
    let takeOvers = takeOvers(capturesOf)
    let named = events.filter { $0.subject == .payment || $0.paymentID != nil }
    for group in named.grouped(by: { $0.subject == .payment ? $0.recordID : $0.paymentID ?? $0.recordID }) {
      let paymentID = group[0].subject == .payment ? group[0].recordID : group[0].paymentID ?? group[0].recordID
      let folded = resolve(paymentID) { _ throws(MoneyError) in
        try PaymentFold.payment(paymentID, group, capturesOf[paymentID] ?? [], takeOvers[paymentID])
      }
      if let folded { payments.append(folded) }
    }
  }

  /// The authorisations with ids of their own that captures of other payments name, with the amounts taken over.
  private mutating func takeOvers(_ capturesOf: [Text: [Capture]]) -> [Text: PaymentFold.TakeOver] {
    var takers: [Text: Set<Text>] = [:]
    for event in events where event.subject == .payment && event.state == .captured {
      if let intentID = event.intentID, intentID != event.recordID {
        takers[intentID, default: []].insert(event.recordID)
      }
    }
    var found: [Text: PaymentFold.TakeOver] = [:]
    for (intentID, payments) in takers.sorted(by: { $0.key < $1.key }) {
      let taken = payments.flatMap { capturesOf[$0] ?? [] }.filter { !$0.isFailure }
      guard let takenAt = taken.map(\.confirmedAt).max() else { continue }
      found[intentID] = resolve(intentID) { _ throws(MoneyError) in
        var sum = CheckedSum()
        for capture in taken { try sum.add(capture.amountMinor) }
        return PaymentFold.TakeOver(capturedMinor: sum.minor, takenAt: takenAt)
      }
    }
    return found
  }

  private mutating func foldRefunds() {
    let rows = refundRows()
    for group in events.filter({ $0.subject == .refund }).grouped(by: { refundNames[$0.recordID] ?? $0.recordID }) {
      let refundID = refundNames[group[0].recordID] ?? group[0].recordID
      if let folded = RefundFold.refund(refundID, group, rows[refundID]) { refunds.append(folded) }
    }
  }

  /// The counting rows of each refund, by the refund's id.
  private func refundRows() -> [Text: RefundFold.Rows] {
    var found: [Text: RefundFold.Rows] = [:]
    for (index, row) in records.rows.enumerated() where row.recordKind == .refund && isBooked(index) {
      guard let recordID = row.recordID else { continue }
      let refundID = refundNames[recordID] ?? recordID
      for posting in records.postings[row.postings] {
        if posting.kind == .refund {
          found[refundID, default: .init()].rowID = Known.min(found[refundID]?.rowID, row.rowID)
        }
        if posting.kind == .refundFailure {
          found[refundID, default: .init()].failureRowID = Known.min(found[refundID]?.failureRowID, row.rowID)
        }
      }
    }
    return found
  }

  private mutating func foldDisputes() {
    let orders = DisputesByOrder(self)
    for group in events.filter({ $0.subject == .dispute }).grouped(by: disputeID) {
      let disputeID = disputeID(of: group[0])
      let paymentByOrder = group.contains { $0.paymentID != nil } ? nil : orders.payment(of: disputeID)
      if let folded = DisputeFold.dispute(disputeID, group, paymentByOrder: paymentByOrder) { disputes.append(folded) }
    }
  }

  private func disputeID(of event: Observation) -> Text {
    guard let paymentID = event.paymentID, event.recordID == paymentID else { return event.recordID }
    return disputeNames[paymentID] ?? event.recordID
  }
}

extension Array {
  /// The elements grouped by key, in the order of the groups' first elements.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var places: [Key: Int] = [:]
    var groups: [[Element]] = []
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].append(element)
      } else {
        places[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }
}
