/// The ordering front end: its calls, as in an export (docs/contract.md section 5.8).
final class OrderingSimulator {
  private var dice: SeededRandom
  private var calls: [Call] = []

  /// One line of the export.
  private struct Call {
    var at: Int64
    var night: Int
    var text: String
  }

  init(dice: SeededRandom) {
    self.dice = dice
  }

  /// A payment is prepared.
  ///
  /// - Parameter needsApproval: the shopper's bank must approve first.
  /// - Returns: its hash, 32 hexadecimal digits.
  func prepare(_ amount: Int64, at instant: Int64, needsApproval: Bool, night: Int) -> String {
    let hash = Self.hexadecimal(32, &dice)
    let action = needsApproval ? Self.action : "null"
    call(
      "init-payment", at: instant, night: night,
      request: """
        {"venue_id":\(dice.number(11...19)),"order_info":{"order_type":{"id":6,\
        "customer_phone_number":"+4670174061\(dice.number(0...9))"},\
        "menu_items":[{"quantity":1,"id":204,"modifiers":[]}]},"payment_info":{"stored_payment_method_id":8,\
        "amount":\(amount)}}
        """,
      response: """
        {"payment_processor_id":3,"payment_processor_type_id":11,"payment_init_hash":"\(hash)",\
        "additional_info":{"approval_url":null,"approval_action":\(action),"client_encryption_public_key":"10001|AB"}}
        """)
    return hash
  }

  /// The shopper's answer is passed on.
  func approve(_ hash: String, at instant: Int64, isConcluded: Bool = true, night: Int) {
    call(
      "auth-payment", at: instant, night: night,
      request: "{\"auth_info\":{\"action_result\":\"eyJkZXRhaWxzIjp7fX0=\"},\"payment_init_hash\":\"\(hash)\"}",
      response: "{\"approval_url\":null,\"approval_action\":\(isConcluded ? "null" : Self.action)}")
  }

  /// The order is created, or sent again with another total.
  func order(_ order: OrderRecord, hash: String, total: Int64, at instant: Int64, night: Int) {
    let number = order.id.suffix(6)
    call(
      "orders", at: instant, night: night,
      request: """
        {"venue_id":11,"customer":{"name":"\(Shopper(number: 3).name)","email":"\(Shopper(number: 3).email)"},\
        "payment_info":{"payment_init_hash":"\(hash)"}}
        """,
      response: "{\"id\":\"\(order.id)\",\"number\":\"\(number)\",\"status\":\"\(order.status)\",\"total\":\(total)}")
  }

  /// The exports so far: one file a night.
  func files(_ night: Int) -> [String: String] {
    let lines = calls.filter { $0.night == night }.sorted { $0.at != $1.at ? $0.at < $1.at : $0.text < $1.text }
    return ["calls-\(night).jsonl": lines.map { $0.text + "\n" }.joined()]
  }

  /// The order source of `crossfoot.yml`.
  var settings: String {
    """
      - name: kiosk
        kind: par
        directory: kiosk
        currency: USD
    """
  }

  private func call(_ name: String, at instant: Int64, night: Int, request: String, response: String) {
    let text = """
      {"call":"\(name)","request":\(request),"response":{"status":"OK","code":200,"data":\(response)},\
      "at":"\(Moment.text(instant))"}
      """
    calls.append(Call(at: instant, night: night, text: text))
  }

  /// `{"type":"threeDS2Challenge"}`, base64.
  private static let action = "\"eyJ0eXBlIjoidGhyZWVEUzJDaGFsbGVuZ2UifQ==\""

  /// Random hexadecimal digits.
  static func hexadecimal(_ count: Int, _ dice: inout SeededRandom) -> String {
    String((0..<count).map { _ in dice.pick(Array("0123456789abcdef")) })
  }
}
