import Payments

/// Folds a payment from its events: what was authorised, what was captured, and when the uncaptured part was released.
///
/// A payment that is known only from a refund, a dispute or a failed capture was captured before any of its records
/// were read.
struct PaymentFold {
  /// The part of this authorisation, which has an id of its own, that captures of other payments took over.
  struct TakeOver: Equatable {
    var capturedMinor: Int64
    var takenAt: Int64
  }

  private var facts = PaymentEventFacts()
  private let captures: [Capture]
  private let takeOver: TakeOver?

  /// The payment.
  ///
  /// - Parameters:
  ///   - events: its own, and those of its refunds and disputes; at least one.
  ///   - captures: its captures, including failed ones.
  /// - Throws: `MoneyError.overflow`.
  static func payment(_ paymentID: Text, _ events: [Observation], _ captures: [Capture], _ takeOver: TakeOver?)
    throws(MoneyError) -> PaymentRecord
  {
    var fold = PaymentFold(captures: captures, takeOver: takeOver)
    for event in events { fold.facts.add(event) }
    return try fold.payment(paymentID)
  }

  private init(captures: [Capture], takeOver: TakeOver?) {
    self.captures = captures
    self.takeOver = takeOver
  }

  private func payment(_ paymentID: Text) throws(MoneyError) -> PaymentRecord {
    var captured = CheckedSum()
    for capture in captures where !capture.isFailure || capture.isAlone { try captured.add(capture.amountMinor) }
    let capturedMinor = captures.isEmpty ? nil : captured.minor
    return PaymentRecord(
      paymentID: paymentID, account: facts.account, intentID: facts.intentID, status: status,
      isCaptured: facts.isCaptured || facts.isKnownOtherwise && facts.askedMinor == nil,
      isDeclined: !facts.isHeld && !facts.isStarted,
      currency: captures.map(\.currency).min() ?? facts.askedCurrency ?? facts.currency ?? "",
      amountMinor: facts.askedMinor ?? capturedMinor ?? facts.amountMinor ?? 0, capturedMinor: capturedMinor ?? 0,
      createdAt: facts.createdAt,
      captureBefore: facts.lapsesAt, method: facts.method, isFolded: true, authorisedAt: facts.authorisedAt,
      canceledAt: canceledAt,
      landedFile: facts.landedFile, landedLine: facts.landedLine)
  }

  private var status: Text { facts.isHeld ? "succeeded" : facts.isStarted ? "pending" : "failed" }

  /// When it was taken over by captures in full, else released, else lapsed, else declined.
  private var canceledAt: Int64? {
    if let takeOver, takeOver.capturedMinor >= facts.askedMinor ?? 0,
      facts.releasedAt.map({ takeOver.takenAt < $0 }) ?? true
    {
      return takeOver.takenAt
    }
    return facts.releasedAt ?? facts.lapsesAt ?? (facts.isHeld ? nil : facts.declinedAt)
  }
}

/// The facts of a payment that its events establish together.
private struct PaymentEventFacts {
  var account: Text = ""
  var intentID: Text?
  var method: Text?
  var isHeld = false
  var isCaptured = false
  var isStarted = false
  /// Whether a refund or a dispute names it.
  var isKnownOtherwise = false
  var askedCurrency: Text?
  var currency: Text?
  var askedMinor: Int64?
  var amountMinor: Int64?
  var createdAt = Int64.max
  var authorisedAt: Int64?
  var lapsesAt: Int64?
  var releasedAt: Int64?
  var declinedAt: Int64?
  var landedFile = Int64.min
  var landedLine = Int64.max

  mutating func add(_ event: Observation) {
    account = max(account, event.account)
    intentID = Known.max(intentID, event.intentID)
    method = Known.max(method, event.method)
    currency = Known.min(currency, event.currency)
    amountMinor = Known.max(amountMinor, event.amountMinor)
    createdAt = min(createdAt, event.happenedAt)
    place(event)
    guard event.subject == .payment else {
      isKnownOtherwise = true
      return hold(event)
    }
    addState(of: event)
  }

  /// Finds the newest file that refers to it, and its first line there.
  private mutating func place(_ event: Observation) {
    if event.landedFile > landedFile { (landedFile, landedLine) = (event.landedFile, event.landedLine) }
    if event.landedFile == landedFile { landedLine = min(landedLine, event.landedLine) }
  }

  private mutating func addState(of event: Observation) {
    switch event.state {
    case .authorised:
      ask(event)
      lapsesAt = Known.max(lapsesAt, event.untilAt)
      hold(event)
    case .started:
      ask(event)
      isStarted = true
    case .captured:
      isCaptured = true
      hold(event)
    case .captureFailed: hold(event)
    case .released: releasedAt = Known.max(releasedAt, event.happenedAt)
    case .declined: declinedAt = Known.max(declinedAt, event.happenedAt)
    default: break
    }
  }

  private mutating func ask(_ event: Observation) {
    askedCurrency = Known.min(askedCurrency, event.currency)
    askedMinor = Known.max(askedMinor, event.amountMinor)
  }

  private mutating func hold(_ event: Observation) {
    isHeld = true
    authorisedAt = Known.min(authorisedAt, event.happenedAt)
  }
}
