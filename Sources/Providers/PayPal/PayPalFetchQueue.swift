/// The objects that must be requested by id, because a row or an object refers to them without enough detail.
struct PayPalFetchQueue {
  private let orderReference: [String]
  /// Captures and pending payments whose rows are in the window.
  private var present: Set<String> = []
  /// By the id of a payment's row: whether it is a sale of ours, or a payment that we made.
  private var payments: [String: Bool] = [:]
  /// Payments that PayPal reversed (T1106).
  private(set) var reversed: Set<String> = []
  /// By the id of a row that is not a payment: the record it is about.
  private var subjects: [String: String] = [:]
  /// Ids that refunds, disputes and fees refer to.
  private var referred: Set<String> = []
  /// Authorisations in the window with their amounts, and what captures in the window took of each.
  private var authorisations: [String: PayPalAmount?] = [:]
  private var captured: [String: [String: Int64]] = [:]
  private var pending: [PayPalName] = []
  private var asked: Set<String> = []

  init(orderReference: [String]) { self.orderReference = orderReference }

  mutating func enqueue(_ name: PayPalName) {
    guard !name.id.isEmpty, name.id.utf8.count <= 64, asked.insert("\(name.stream.rawValue) \(name.id)").inserted else {
      return
    }
    pending.append(name)
  }

  /// Records a reference to a capture, which is requested unless its row is in the window.
  mutating func refer(to capture: String) {
    if !capture.isEmpty { referred.insert(capture) }
  }

  /// Records a row before the rows beside it are examined: a page may refer to a row before it contains it.
  mutating func note(_ row: PayPalTraits) {
    if PayPalEventCode.of(row.code).meaning == .payment { payments[row.id] = row.isIncoming }
    if row.code == "T1106", !row.isIncoming, row.refersToRecord { reversed.insert(row.reference) }
  }

  /// Whether an id is that of a sale whose row was seen; nil where none was.
  func isSale(_ id: String) -> Bool? { payments[id] }

  /// Examines a row of the list; for one that refers to another row of the list (a released hold, a fee of a dispute),
  /// returns what that one is about.
  mutating func consider(_ row: PayPalTraits, isInFlight: Bool) -> String? {
    let meaning = PayPalEventCode.of(row.code).meaning
    var row = row
    var about: String?
    if meaning != .payment, row.refersToRecord {
      // A payment that we made is not a capture of ours.
      if payments[row.reference] == false { return nil }
      about = present.contains(row.reference) ? nil : subjects[row.reference]
      row.reference = about ?? row.reference
      if meaning != .authorisation { subjects[row.id] = row.reference }
    }
    follow(row, meaning, isInFlight: isInFlight)
    return about
  }

  private mutating func follow(_ row: PayPalTraits, _ meaning: PayPalEventCode.Meaning, isInFlight: Bool) {
    switch meaning {
    case .payment:
      present.insert(row.id)
      if row.refersToRecord, row.status != "D" { take(row.amount, of: row.reference) }
      guard !row.namesOrder else { return }
      enqueue(
        row.referenceType == "ODR"
          ? PayPalName(stream: .orders, id: row.reference) : PayPalName(stream: .captures, id: row.id))
    case .authorisation where isInFlight && row.code != "T1302": authorisations.updateValue(row.amount, forKey: row.id)
    case .refund:
      if row.reference.isEmpty && row.code == "T1107" { enqueue(PayPalName(stream: .refunds, id: row.id)) }
      if row.refersToRecord { refer(to: row.reference) }
    case .dispute, .disputeFee, .platformFee: if row.refersToRecord { refer(to: row.reference) }
    default: break
    }
  }

  private mutating func take(_ amount: PayPalAmount?, of authorisation: String) {
    guard let amount else { return }
    let before = captured[authorisation]?[amount.currency.code] ?? 0
    captured[authorisation, default: [:]][amount.currency.code] =
      before.addingReportingOverflow(amount.minor).partialValue
  }

  /// Whether nothing is left of an authorisation: it then need not be requested.
  private func isUsedUp(_ authorisation: String, _ allowed: PayPalAmount?) -> Bool {
    guard let allowed, let taken = captured[authorisation]?[allowed.currency.code] else { return false }
    return taken >= allowed.minor.magnitude
  }

  /// Everything to request now, and empties the queue; references to records that are not here are requested as
  /// captures. An authorisation that was captured in full is not requested; for one captured in part, only its object
  /// shows whether the rest can still come.
  mutating func next() -> [PayPalName] {
    for (id, allowed) in authorisations.sorted(by: { $0.key < $1.key }) where !isUsedUp(id, allowed) {
      enqueue(PayPalName(stream: .authorizations, id: id))
    }
    authorisations = [:]
    for id in referred.subtracting(present).sorted() { enqueue(PayPalName(stream: .captures, id: id, withRow: true)) }
    referred = []
    defer { pending = [] }
    return pending
  }
}
