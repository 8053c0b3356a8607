import Payments

/// The result of assembling one provider's records: entries, fund flows, and the state of payments, refunds and
/// disputes at both snapshots.
///
/// Each payment, refund and dispute depends on its own records alone; one whose sums overflow is left out and listed in
/// `unresolved`.
struct Assembly {
  /// The range's ends: records dated before the first are known at its opening, those before the second at its closing.
  let instants: [Int64]
  let records: ProviderRecords
  let resolution: Resolution
  let directory: RecordDirectory
  let transfers: [TransferPayment]
  let links: [RowLink?]
  var bundles: [PaymentBundle] = []
  /// Entries without a payment: the account's own.
  var accountEntries: [Entry] = []
  var refunds: [(refund: RefundRecord, paymentID: Text, states: [RefundState?])] = []
  var disputes: [(dispute: DisputeRecord, paymentID: Text?, states: [[DisputeState]])] = []
  /// Checkouts that never concluded and direct charges, by snapshot.
  var moneyless: [[MoneylessPayment]] = []
  /// The identifiers of checkouts that never concluded, at the closing.
  var intentReferences: [(Text, [PaymentIdentifier])] = []
  var unresolved: [Unresolved]

  init(_ records: ProviderRecords, instants: [Int64]) {
    self.instants = instants
    self.records = records
    resolution = Resolution(records)
    directory = RecordDirectory(resolution)
    transfers = TransferPayments.find(records, directory)
    let linking = RowLinking(resolution, directory, transfers)
    links = linking.links
    unresolved = resolution.unresolved + linking.unresolved
    let references = PaymentReferences(records)
    bundle()
    derivePayments(references)
    deriveMoneyless(references)
    deriveRefunds()
    deriveDisputes()
  }

  /// Combines each payment with its entries: first the payments in their order, then those that only their entries
  /// name.
  private mutating func bundle() {
    bundles = resolution.payments.map {
      PaymentBundle(paymentID: $0.paymentID, flowKey: records.flowKey($0.paymentID), payment: $0)
    }
    var places = Dictionary(bundles.enumerated().map { ($1.paymentID, $0) }) { first, _ in first }
    let left = Set(unresolved.map(\.recordID))
    Entries(resolution, links).forEach { entry in
      guard let paymentID = entry.paymentID else { return accountEntries.append(entry) }
      if !left.isEmpty && left.contains(paymentID.string) { return }
      let place = places[paymentID] ?? bundles.count
      if place == bundles.count {
        bundles.append(PaymentBundle(paymentID: paymentID, flowKey: records.flowKey(paymentID)))
        places[paymentID] = place
      }
      bundles[place].entries.append(entry)
    }
  }

  private mutating func derivePayments(_ references: PaymentReferences) {
    let context = PaymentContext(self)
    for index in bundles.indices {
      do throws(MoneyError) {
        try bundles[index].derive(context, instants, references)
      } catch {
        leaveOut(bundles[index].paymentID, error)
        bundles[index] = PaymentBundle(paymentID: bundles[index].paymentID, flowKey: bundles[index].flowKey)
      }
    }
  }

  mutating func leaveOut(_ recordID: Text, _ error: MoneyError) {
    unresolved.append(Unresolved(provider: records.provider.string, recordID: recordID.string, reason: "\(error)"))
  }
}

/// A payment with its entries, and its fund flows and states at both snapshots.
struct PaymentBundle {
  let paymentID: Text
  let flowKey: Text
  /// Nil: no record states it, only its entries name it.
  var payment: PaymentRecord?
  var entries: [Entry] = []
  /// By snapshot.
  var flows: [[FundFlow]] = []
  /// By snapshot; nil: it did not exist yet, or is not a payment.
  var states: [PaymentState?] = []
  var references: [PaymentIdentifier] = []

  mutating func derive(_ context: PaymentContext, _ instants: [Int64], _ identifiers: PaymentReferences)
    throws(MoneyError)
  {
    for instant in instants {
      var found = try FundFlow.flows(entries, before: instant, opening: instants.first ?? instant)
      // The account of the payment: its entries are of the account whose balance they move (Cash App Pay).
      if let account = payment?.account, account != "" {
        for place in found.indices { found[place].account = account }
      }
      flows.append(found)
    }
    guard let payment, !payment.isDeclined else { return }
    let facts = context.facts(of: payment, entries)
    for instant in instants {
      states.append(payment.createdAt < instant ? try PaymentStateFold.state(of: facts, at: instant) : nil)
    }
    references = identifiers.references(of: payment, facts.intent)
  }
}
