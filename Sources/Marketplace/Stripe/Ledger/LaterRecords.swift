// What happens after a capture: refunds, disputes, payouts. Units as in Records.swift.

/// A refund.
final class RefundRecord {
  let id: String
  let created: Int64
  let amount: Int64
  let currency: String
  let charge: String
  let intent: String
  var status = "succeeded"
  var reason: String? = "requested_by_customer"
  var row: String?
  var failureRow: String?
  var failureReason: String?
  var pendingReason: String?
  var reversal: String?
  var night: Int

  init(id: String, created: Int64, amount: Int64, currency: String, charge: String, intent: String, night: Int) {
    self.id = id
    self.created = created
    self.amount = amount
    self.currency = currency
    self.charge = charge
    self.intent = intent
    self.night = night
  }
}

/// A dispute.
final class DisputeRecord {
  let id: String
  let created: Int64
  let amount: Int64
  let currency: String
  let charge: String
  let intent: String
  var status: String
  var caseType = "chargeback"
  var rows: [RowRecord] = []
  var shopper: Shopper
  var night: Int

  init(id: String, created: Int64, amount: Int64, charge: ChargeRecord, status: String, night: Int) {
    self.id = id
    self.created = created
    self.amount = amount
    self.status = status
    self.night = night
    currency = charge.currency
    self.charge = charge.id
    intent = charge.intent
    shopper = charge.shopper
  }
}

/// A payout to the bank, or a debit from it when the amount is negative.
final class PayoutRecord {
  let id: String
  let created: Int64
  var amount: Int64
  let currency: String
  let isAutomatic: Bool
  var status = "paid"
  var row: RowRecord?
  var failureRow: String?
  /// The rows it pays, for `?payout=`.
  var lines: [String] = []
  var night: Int

  init(id: String, created: Int64, amount: Int64, currency: String, isAutomatic: Bool, night: Int) {
    self.id = id
    self.created = created
    self.amount = amount
    self.currency = currency
    self.isAutomatic = isAutomatic
    self.night = night
  }
}

/// A customer, made up: what no report needs and the landing zone must not hold.
struct Shopper: Sendable {
  let number: Int64

  var name: String { "\(Self.firstNames[Int(number) % Self.firstNames.count]) Personsson" }
  var email: String { "customer\(number)@shopper.example" }
  var phone: String { "+467017406\(10 + number % 90)" }
  var street: String { "Privatgatan \(number % 200 + 1)" }
  var lastDigits: String { String(1000 + number * 37 % 9000) }
  var address: String {
    """
    {"city":"Exempelstad","country":"SE","line1":"\(street)","line2":null,"postal_code":"99999","state":null}
    """
  }

  private static let firstNames = [
    "Ada", "Björn", "Chloé", "Dmitri", "Eşref", "Fatima", "Grace", "Håkan", "Ines", "Jörg",
  ]

  /// Words that occur in every value of a shopper: none of them may be found in what is landed or published.
  package static let traces = [
    "Personsson", "@shopper.example", "+467017406", "Privatgatan", "Exempelstad", "_secret_", "\"last4\"",
  ]
}
