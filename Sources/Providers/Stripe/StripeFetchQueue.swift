/// A list to request so that a flow is complete.
enum StripeQuestion: Hashable, Sendable {
  /// All ledger rows of a charge that may have several: the charge contains only the latest.
  case ledger(of: String)
  case refunds(of: String)
  case disputes(of: String)
  /// Transfers and charges that share a `transfer_group`.
  case transfers(inGroup: String)
  case charges(inGroup: String)
  /// The rows an automatic payout pays.
  case lines(of: String)

  /// The stream its answer is landed in.
  var stream: StripeStream {
    switch self {
    case .ledger: .balanceTransactions
    case .refunds: .refunds
    case .disputes: .disputes
    case .transfers: .transfers
    case .charges: .charges
    case .lines: .payoutLines
    }
  }

  /// The list's filter.
  var filter: (String, String) {
    switch self {
    case .ledger(let id): ("source", id)
    case .refunds(let id), .disputes(let id): ("charge", id)
    case .transfers(let group), .charges(let group): ("transfer_group", group)
    case .lines(let id): ("payout", id)
    }
  }
}

/// What a pull still has to request because a landed record refers to it: each only once.
actor StripeFetchQueue {
  private let connect: Bool
  /// Whether an earlier pull landed a record; always false while a stream that has fallen behind is repaired.
  private let isKnown: @Sendable (StripeStream, String) -> Bool
  private var asked: Set<StripeName> = []
  private var pending: [StripeStream: [StripeName]] = [:]
  private var questions: Set<StripeQuestion> = []
  private var askedQuestions: Set<StripeQuestion> = []
  private var chargeGroups: Set<String> = []
  private var unlinkedGroups: Set<String> = []

  init(connect: Bool, isKnown: @escaping @Sendable (StripeStream, String) -> Bool) {
    self.connect = connect
    self.isKnown = isKnown
  }

  /// Adds records that an earlier night left open.
  func enqueue(_ names: [StripeName]) { names.forEach(add) }

  /// Examines records that have just landed; `isNamed` when they were fetched because another record refers to them.
  func consider(_ records: [StripeRecord], _ stream: StripeStream, isNamed: Bool) {
    for record in records {
      let isOld = isKnown(stream, record.id)
      for name in record.names where !isSettled(name, by: stream, isOld: isOld) { add(name) }
      switch stream {
      case .charges: considerCharge(record, isBroughtIn: isNamed && !isOld)
      case .transfers:
        if let group = record.traits.group, record.traits.isUnlinked, !isOld { unlinkedGroups.insert(group) }
      case .payouts: if record.traits.isItemised, !isKnown(.payoutLines, record.id) { ask(.lines(of: record.id)) }
      default: break
      }
    }
  }

  /// A known record need not be fetched again, unless a new ledger row shows that it has changed.
  private func isSettled(_ name: StripeName, by stream: StripeStream, isOld: Bool) -> Bool {
    if stream == .balanceTransactions && !isOld { return false }
    return isKnown(name.stream, name.id)
  }

  /// A payment from outside the window is fetched completely: ledger rows, refunds, disputes, transfers.
  private func considerCharge(_ record: StripeRecord, isBroughtIn: Bool) {
    let traits = record.traits
    if let group = traits.group { chargeGroups.insert(group) }
    guard isBroughtIn else { return }
    if traits.mayHaveMoreRows { ask(.ledger(of: record.id)) }
    if traits.isRefunded { ask(.refunds(of: record.id)) }
    if traits.isDisputed { ask(.disputes(of: record.id)) }
    if connect, let group = traits.group, !traits.hasTransfer { ask(.transfers(inGroup: group)) }
  }

  private func add(_ name: StripeName) {
    guard !name.id.isEmpty, connect || !name.stream.needsConnect, asked.insert(name).inserted else { return }
    pending[name.stream, default: []].append(name)
  }

  private func ask(_ question: StripeQuestion) {
    if askedQuestions.insert(question).inserted { questions.insert(question) }
  }

  /// What to request next, removed from the queue; nil when everything is answered.
  ///
  /// Groups of transfers without a charge come last, when the charges that are here are known.
  func next() -> (names: [StripeStream: [StripeName]], questions: [StripeQuestion])? {
    if pending.isEmpty && questions.isEmpty {
      for group in unlinkedGroups.subtracting(chargeGroups) { ask(.charges(inGroup: group)) }
      unlinkedGroups = []
    }
    guard !pending.isEmpty || !questions.isEmpty else { return nil }
    defer { (pending, questions) = ([:], []) }
    return (pending, questions.sorted { ($0.stream.rawValue, $0.filter.1) < ($1.stream.rawValue, $1.filter.1) })
  }
}
