import Marketplace
import Payments
import Testing

/// A shop that sells over localstripe's API, and knows what its books must say.
struct LocalShop {
  /// A payment as it must be reported.
  struct Sale {
    var payment: String
    var order: String
    var currency: String
    var captured: Int64
    var refunded: Int64 = 0

    /// Minor units as the reports write them.
    func text(_ minor: Int64) -> String {
      guard currency != "jpy" else { return String(minor) }
      let cents = minor.magnitude % 100
      return "\(minor < 0 ? "-" : "")\(minor.magnitude / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
  }
  let server: LocalStripe
  private(set) var sales: [Sale] = []
  private(set) var orders: [[String: String]] = []
  private(set) var refunds: [[String: String]] = []
  /// The discrepancies that must be reported: type, orders, payments, expected, actual.
  private(set) var wrong: [String] = []
  /// The orders that do not match, and `""` for a payment without one.
  private(set) var unmatched: Set<String> = []
  /// When the first and the last payment were made, by the server's clock.
  private(set) var openedAt: Int64 = .max
  private(set) var closedAt: Int64 = 0

  init(server: LocalStripe) { self.server = server }

  /// Everything that localstripe can do and a night must understand.
  mutating func trade() async throws {
    let card = try await card("4242424242424242")
    for number in 1...110 {
      let currency = ["usd", "eur", "jpy"][number % 3]
      try await sell("O-\(number)", currency, Int64(number) * 137, by: card)
    }
    try await sellByCharge("O-charge", 2_345, by: card)
    try await refundSome("O-partly", by: card)
    try await refundAll("O-whole", by: card)
    try await captureLess("O-captured", by: card)
    try await sellAfterDecline("O-declined", by: card)
    try await authenticate("O-secure")
    try await debit("O-debit")
    try await standStill(by: card)
    try await goWrong(by: card)
  }

  private func card(_ number: String) async throws -> String {
    let details = [("type", "card"), ("card[number]", number), ("card[exp_month]", "12"), ("card[exp_year]", "2040")]
    return try id(try await server.post("/v1/payment_methods", details + [("card[cvc]", "123")]))
  }

  private func id(_ object: JSONTree) throws -> String { try #require(object["id"]?.word) }

  /// An intent that is confirmed at once, with the order's id among its metadata.
  private mutating func confirm(
    _ order: String, _ currency: String, _ amount: Int64, by method: String, _ more: [(String, String)] = [],
    status: Int = 200
  ) async throws -> JSONTree {
    let named = order.isEmpty ? [] : [("metadata[order_id]", order)]
    let form = [("amount", String(amount)), ("currency", currency), ("payment_method", method), ("confirm", "true")]
    let intent = try await server.post("/v1/payment_intents", form + named + more, expecting: status)
    if let created = intent["created"]?.word.flatMap({ Int64($0) }) { note(created) }
    return intent
  }

  private mutating func note(_ created: Int64) {
    openedAt = min(openedAt, created)
    closedAt = max(closedAt, created)
  }

  @discardableResult
  private mutating func sell(_ order: String, _ currency: String, _ amount: Int64, by method: String) async throws
    -> Sale
  {
    let intent = try await confirm(order, currency, amount, by: method)
    let sale = Sale(
      payment: try #require(intent["latest_charge"]?.reference), order: order, currency: currency, captured: amount)
    sales.append(sale)
    if !order.isEmpty { place(sale, total: amount) }
    return sale
  }

  private mutating func place(_ sale: Sale, total: Int64, status: String = "paid", at: Int64? = nil) {
    orders.append([
      "order_id": sale.order, "placed_at": Instant.text(at ?? openedAt), "status": status,
      "currency": sale.currency.uppercased(), "total": sale.text(total),
    ])
  }

  private mutating func record(refund amount: Int64, of sale: Sale) {
    refunds.append([
      "refund_id": "R-\(sale.order)", "order_id": sale.order, "refunded_at": Instant.text(closedAt),
      "currency": sale.currency.uppercased(), "amount": sale.text(amount),
    ])
  }

  private mutating func refund(_ sale: Sale, _ amount: Int64, _ form: [(String, String)]) async throws {
    let refund = try await server.post("/v1/refunds", form)
    #expect(refund["amount"]?.word == String(amount))
    if let place = sales.firstIndex(where: { $0.payment == sale.payment }) { sales[place].refunded += amount }
  }
}

extension LocalShop {
  private mutating func sellByCharge(_ order: String, _ amount: Int64, by card: String) async throws {
    let form = [("amount", String(amount)), ("currency", "usd"), ("source", card), ("metadata[order_id]", order)]
    let charge = try await server.post("/v1/charges", form)
    let sale = Sale(payment: try id(charge), order: order, currency: "usd", captured: amount)
    sales.append(sale)
    place(sale, total: amount)
  }

  private mutating func refundSome(_ order: String, by card: String) async throws {
    let sale = try await sell(order, "eur", 10_000, by: card)
    try await refund(sale, 333, [("charge", sale.payment), ("amount", "333")])
    record(refund: 333, of: sale)
  }

  private mutating func refundAll(_ order: String, by card: String) async throws {
    let sale = try await sell(order, "usd", 4_999, by: card)
    try await refund(sale, 4_999, [("charge", sale.payment)])
    record(refund: 4_999, of: sale)
  }

  /// localstripe books the whole authorisation and gives the rest back as a refund.
  private mutating func captureLess(_ order: String, by card: String) async throws {
    let intent = try await confirm(order, "usd", 2_000, by: card, [("capture_method", "manual")])
    let path = "/v1/payment_intents/\(try id(intent))/capture"
    let captured = try await server.post(path, [("amount_to_capture", "1500")])
    let payment = try #require(captured["latest_charge"]?.reference)
    let sale = Sale(payment: payment, order: order, currency: "usd", captured: 2_000, refunded: 500)
    sales.append(sale)
    place(sale, total: 2_000)
    record(refund: 500, of: sale)
  }

  /// A declined attempt is no payment and is in no report.
  private mutating func sellAfterDecline(_ order: String, by card: String) async throws {
    _ = try await confirm(order, "usd", 3_100, by: try await self.card("4000000000000341"), status: 402)
    try await sell(order, "usd", 3_100, by: card)
  }

  private mutating func authenticate(_ order: String) async throws {
    let intent = try await confirm(order, "eur", 1_290, by: try await card("4000002500003155"))
    #expect(intent["status"]?.word == "requires_action")
    let secret = try #require(intent["client_secret"]?.word)
    let path = "/v1/payment_intents/\(try id(intent))/_authenticate"
    let done = try await server.post(path, [("client_secret", secret), ("success", "true")])
    let sale = Sale(
      payment: try #require(done["latest_charge"]?.reference), order: order, currency: "eur", captured: 1_290)
    sales.append(sale)
    place(sale, total: 1_290)
  }

  /// A direct debit's money comes half a second later; the server is asked until it has.
  private mutating func debit(_ order: String) async throws {
    let form = [("type", "sepa_debit"), ("sepa_debit[iban]", "DE89370400440532013000")]
    let method = try id(try await server.post("/v1/payment_methods", form))
    let sale = try await sell(order, "eur", 8_800, by: method)
    for _ in 1...20_000 {
      let charge = try JSONTree.parse(try await server.get("/v1/charges/\(sale.payment)").text)
      if charge["balance_transaction"]?.word != nil { return }
    }
    Issue.record("localstripe did not book the direct debit")
  }

  /// What moves no money: an authorisation, a cancelled intent, a payout whose row localstripe does not list.
  private mutating func standStill(by card: String) async throws {
    let held = try await confirm("O-held", "usd", 900, by: card, [("capture_method", "manual")])
    place(Sale(payment: "", order: "O-held", currency: "usd", captured: 0), total: 900)
    unmatched.insert("O-held")
    #expect(held["status"]?.word == "requires_capture")
    let asked = try await server.post("/v1/payment_intents", [("amount", "700"), ("currency", "usd")])
    try await server.post("/v1/payment_intents/\(try id(asked))/cancel", [])
    try await server.post("/v1/payouts", [("amount", "500"), ("currency", "eur"), ("status", "paid")])
  }

  /// What must be found, and nothing beside it.
  private mutating func goWrong(by card: String) async throws {
    let stray = try await sell("", "usd", 777, by: card)
    wrong.append("missing_order,,\(stray.payment),0.00,7.77")
    let silent = try await sell("O-silent", "usd", 6_000, by: card)
    try await refund(silent, 1_250, [("charge", silent.payment), ("amount", "1250")])
    wrong.append("unrecorded_refund,O-silent,\(silent.payment),0.00,12.50")
    let never = Sale(payment: "", order: "O-never", currency: "eur", captured: 0)
    place(never, total: 4_200, at: openedAt - 86_400)
    wrong.append("missing_payment,O-never,,42.00,0.00")
    let off = try await sell("O-off", "jpy", 501, by: card)
    orders[orders.count - 1]["total"] = "500"
    wrong.append("amount_mismatch,O-off,\(off.payment),500,501")
    let first = try await sell("O-twice", "usd", 1_500, by: card)
    let second = try await sell("O-twice", "usd", 1_500, by: card)
    orders.removeLast()
    wrong.append(
      "duplicate_payment,O-twice,\([first.payment, second.payment].sorted().joined(separator: " ")),15.00,30.00")
    unmatched.formUnion(["", "O-never", "O-off", "O-twice"])
  }
}
