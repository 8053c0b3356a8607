import Payments

/// Payments without money of ours: checkouts that never concluded, and direct charges, of which the platform sees only
/// its commission.
struct MoneylessPayment {
  var paymentID: Text
  var intentID: Text?
  var currency: Text
  var createdAt: Int64
  var state: PaymentState
}

extension Assembly {
  mutating func deriveMoneyless(_ references: PaymentReferences) {
    var intents: [MoneylessPayment] = []
    for instant in instants {
      intents = unconcludedIntents(at: instant)
      let taken = Set(intents.map(\.paymentID))
      // If two records claim one id, whatever is wrong with them, only one is the payment.
      moneyless.append(intents + directCharges(at: instant).filter { !taken.contains($0.paymentID) })
    }
    intentReferences = intents.compactMap { payment in
      directory.intent(payment.intentID).map { (payment.paymentID, references.references(of: $0)) }
    }
  }

  /// Intents at an instant whose approval was started but which led to no charge. An intent with the id of a payment is
  /// not a second payment.
  private func unconcludedIntents(at instant: Int64) -> [MoneylessPayment] {
    let concluded = Set(resolution.payments.filter { !$0.isDeclined }.compactMap(\.intentID))
    let open: Set<Text> = ["started", "processing", "authorised", "canceled"]
    return records.intents.filter {
      $0.createdAt < instant && open.contains($0.status) && !concluded.contains($0.intentID)
        && !directory.isPayment($0.intentID)
    }.map { intent in
      var state = PaymentState(
        status: intent.isCanceled(before: instant) ? .canceled : .started, chargeType: intent.chargeType)
      state.destination = intent.destination
      state.connectedAccount = intent.destination
      state.askedTransferMinor = intent.transferAmountMinor
      state.askedFeeMinor = intent.applicationFeeMinor
      return MoneylessPayment(
        paymentID: intent.intentID, intentID: intent.intentID, currency: intent.currency, createdAt: intent.createdAt,
        state: state)
    }
  }

  /// Direct charges at an instant: the payment belongs to the connected account.
  private mutating func directCharges(at instant: Int64) -> [MoneylessPayment] {
    let direct = records.commissions.filter {
      $0.isDirect && $0.createdAt < instant && $0.paymentID.map { !directory.isPayment($0) } == true
    }
    var found: [MoneylessPayment] = []
    for group in direct.grouped(by: { $0.paymentID ?? "" }) {
      do throws(MoneyError) {
        found.append(try Assembly.directCharge(group))
      } catch {
        leaveOut(group[0].paymentID ?? group[0].feeID, error)
      }
    }
    return found
  }

  private static func directCharge(_ commissions: [CommissionRecord]) throws(MoneyError) -> MoneylessPayment {
    let first = commissions[0]
    var sum = CheckedSum()
    for commission in commissions { try sum.add(commission.amountMinor) }
    let currency = commissions.map(\.currency).min() ?? first.currency
    var state = PaymentState(status: .captured, chargeType: .direct)
    state.destination = commissions.compactMap(\.connectedAccount).min()
    state.connectedAccount = state.destination
    state.commissions = Int64(commissions.count)
    state.commissionCurrency = currency
    state.collectedMinor = sum.minor
    return MoneylessPayment(
      paymentID: first.paymentID ?? first.feeID, currency: currency,
      createdAt: commissions.map(\.createdAt).min() ?? first.createdAt, state: state)
  }
}

extension IntentRecord {
  fileprivate var chargeType: PaymentState.ChargeType {
    guard destination != nil else { return .platform }
    if transferAmountMinor != nil { return .destinationTransferAmount }
    return applicationFeeMinor ?? 0 > 0 ? .destinationApplicationFee : .destinationFull
  }
}
