import Payments
import Storage

/// Reads the inputs of matching in bulk, table by table and without a join.
struct MatchReader {
  let database: any Database
  let tables: MatchTables

  /// - Throws: `StorageError`.
  func read() throws -> MatchInputs {
    var inputs = MatchInputs()
    try readMoments(&inputs)
    try readRules(&inputs)
    try readOrders(&inputs)
    try readOrderRefunds(&inputs)
    try readInitCalls(&inputs)
    try readPayments(&inputs)
    try readReferences(&inputs)
    try readRefunds(&inputs)
    return inputs
  }

  private func readMoments(_ inputs: inout MatchInputs) throws {
    try database.query(tables.moments) { inputs.instants.append(try $0.required(1)) }
  }

  private func readRules(_ inputs: inout MatchInputs) throws {
    try database.query(tables.policies) { row in
      inputs.policies[inputs.texts.intern(row, 0)] = MatchPolicy(
        captureCompleteWithin: try row.required(1), approvalWithin: try row.required(2))
    }
    inputs.longestCaptureDelay = inputs.policies.values.map(\.captureCompleteWithin).max() ?? inputs.longestCaptureDelay
    try database.query(tables.tolerances) { row in inputs.tolerances[row.word(0)] = try row.required(1) }
    try database.query(tables.coverage) { row in
      let coverage = SubjectCoverage(
        coversFrom: try row.required(2), completeTo: try row.required(3), isAsked: try row.flag(4),
        isRead: try row.flag(5))
      switch row.word(1) {
      case "payments": inputs.paymentCoverage[inputs.texts.intern(row, 0)] = coverage
      case "refunds": inputs.refundCoverage[inputs.texts.intern(row, 0)] = coverage
      case "orders": inputs.orderCoverage = coverage
      default: inputs.orderRefundCoverage = coverage
      }
    }
  }

  private func readOrders(_ inputs: inout MatchInputs) throws {
    var orders: [MatchOrder] = []
    try database.query(tables.orders) { row in
      orders.append(
        MatchOrder(
          orderID: inputs.texts.intern(row, 0), placedAt: try row.required(1),
          status: OrderStatus(rawValue: row.word(2)), currency: row.word(3),
          tenderMinor: try row.required(4), provider: inputs.texts.optional(row, 5), landedFile: try row.required(6),
          cancelReadAt: try row.integer(7)))
    }
    let texts = inputs.texts
    orders.sort { texts.precedes($0.orderID, $1.orderID) }
    inputs.orders = orders
    inputs.orderPlaces = Places(of: orders.map(\.orderID))
    try database.query(tables.orderReferences) { row in
      let landedFile = try row.required(2)
      guard let order = inputs.orderPlace(row, 0), orders[Int(order)].landedFile == landedFile else { return }
      inputs.orderReferences.append(OrderReference(order: order, value: inputs.texts.intern(row, 1)))
    }
  }

  private func readOrderRefunds(_ inputs: inout MatchInputs) throws {
    try database.query(tables.orderRefunds) { row in
      guard let order = inputs.orderPlace(row, 1) else { return }
      inputs.orderRefunds.append(
        OrderRefundRecord(
          refundID: inputs.texts.intern(row, 0), order: order, refundedAt: try row.required(2), currency: row.word(3),
          amountMinor: try row.required(4), reference: inputs.texts.optional(row, 5)))
    }
  }

  private func readInitCalls(_ inputs: inout MatchInputs) throws {
    try database.query(tables.initCalls) { row in
      let (hash, at) = (inputs.texts.intern(row, 0), try row.required(1))
      inputs.initHashes[hash] = min(inputs.initHashes[hash] ?? at, at)
    }
  }

  private func readPayments(_ inputs: inout MatchInputs) throws {
    var places: [TextID: Int] = [:]
    var payments: [MatchPayment] = []
    try database.query(tables.payments) { row in
      let flowKey = inputs.texts.intern(row, 1)
      let place = places[flowKey] ?? payments.count
      if place == payments.count {
        places[flowKey] = place
        payments.append(
          MatchPayment(
            flowKey: flowKey, provider: inputs.texts.intern(row, 2), paymentID: inputs.texts.intern(row, 4),
            intentID: inputs.texts.optional(row, 5)))
      }
      let moment = try row.required(0)
      payments[place][moment] = try Self.snapshot(row, account: inputs.texts.intern(row, 3))
    }
    let texts = inputs.texts
    // A payment that no longer exists at the closing (an intent whose charge arrived) belongs to no group.
    inputs.payments = payments.filter { $0.closing != nil }.sorted { texts.precedes($0.flowKey, $1.flowKey) }
    inputs.paymentPlaces = Places(of: inputs.payments.map(\.flowKey))
  }

  private static func snapshot(_ row: any Row, account: TextID) throws -> PaymentSnapshot {
    let progress: PaymentSnapshot.Progress =
      switch row.word(7) {
      case "started": .started
      case "authorised": .authorised
      default: .other
      }
    return PaymentSnapshot(
      account: account, currency: row.word(6), progress: progress, isCaptured: try row.flag(8),
      capturedAt: try row.integer(9),
      capturedMinor: try row.required(10), refundedMinor: try row.required(11), disputedMinor: try row.required(17),
      failedMinor: try row.required(12),
      failedAt: try row.integer(13),
      isCovered: try row.flag(14), openMinor: try row.required(15), releasedAt: try row.integer(16))
  }

  /// Reads the references whose value is named by an order, a refund or the front end, and those that contain an init
  /// hash in capitals.
  private func readReferences(_ inputs: inout MatchInputs) throws {
    try database.query(tables.references) { row in
      guard inputs.texts.find(row, 1) != nil || inputs.isInitHashInCapitals(row, 1) else { return }
      let value = inputs.texts.intern(row, 1)
      inputs.references.append(
        PaymentReference(flowKey: inputs.texts.intern(row, 0), value: value, rank: try row.integer(2)))
    }
  }

  private func readRefunds(_ inputs: inout MatchInputs) throws {
    guard let opening = inputs.instants.first else { return }
    try database.query(tables.laterRefunds, [.integer(opening)]) { row in
      let key = RecordKey(provider: inputs.texts.intern(row, 0), recordID: inputs.texts.intern(row, 1))
      inputs.latestRefunds[key] = max(inputs.latestRefunds[key] ?? .min, try row.required(2))
    }
    guard inputs.orderRefundCoverage != nil else { return }
    try database.query(tables.refunds) { row in
      let moment = try row.required(0) == 0 ? 0 : 1
      inputs.refunds[moment].append(
        ProviderRefund(
          refundID: inputs.texts.intern(row, 2), flowKey: inputs.texts.intern(row, 3),
          provider: inputs.texts.intern(row, 1),
          status: inputs.texts.intern(row, 4), standing: RefundClaim(RefundStatus(rawValue: row.word(4))),
          currency: row.word(5),
          amountMinor: try row.required(6),
          createdAt: try row.required(7)))
    }
  }
}
