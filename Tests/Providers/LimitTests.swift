import JSON
import Payments
import Settings
import Testing

@testable import Providers

/// A record beyond the limits is refused by its reader, with the cell; of delivered files also with file and row.
@Suite("Amounts and moments beyond the limits") struct LimitTests {
  /// Provider, stream, a record, and what is said of it.
  private static let cases: [(provider: String, stream: String, line: String, said: String)] = [
    (
      "stripe", "charges",
      #"{"id":"ch_1","currency":"eur","created":1772323200,"status":"failed","amount":9223372036854775807}"#,
      "$.amount: found 9223372036854775807 minor units"
    ),
    (
      "stripe", "balance_transactions",
      #"""
      {"id":"txn_1","currency":"eur","type":"charge","created":1772323200,"available_on":-9223372036854775808,\#
      "amount":1,"net":1,"fee":0}
      """#,
      "$.available_on: found "
    ),
    (
      "stripe", "balance_transactions",
      #"""
      {"id":"txn_1","currency":"eur","type":"charge","created":1772323200,"amount":1,"net":1,"fee":9223372036854775807}
      """#,
      "$.fee: found 9223372036854775807 minor units"
    ),
    (
      "stripe", "payouts", #"{"id":"po_1","currency":"eur","created":946684799,"status":"paid","amount":1}"#,
      "$.created: found \"946684799\""
    ),
    (
      "stripe", "transfers", #"{"id":"tr_1","currency":"jpy","created":1772323200,"amount":-1000000000000001}"#,
      "$.amount: found -1000000000000001 minor units"
    ),
    (
      "paypal", "captures",
      #"""
      {"id":"C1","amount":{"currency_code":"EUR","value":"92233720368547758.07"},"create_time":"2026-03-01T00:00:00Z"}
      """#,
      "$.amount.value: found 9223372036854775807 minor units"
    ),
    (
      "paypal", "disputes",
      #"""
      {"dispute_id":"D1","dispute_amount":{"currency_code":"EUR","value":"1.00"},"create_time":"2101-01-01T00:00:00Z"}
      """#,
      "$.create_time: found \"2101-01-01T00:00:00Z\""
    ),
    (
      "adyen", "settlement_details",
      #"""
      {"file":"batch.csv","row":7,"merchant_account":"Acme","type":"Settled","batch_number":"1","net_currency":"EUR",\#
      "creation_date":"2026-03-01 10:00:00","time_zone":"UTC","net_credit_nc":"92233720368547758.07"}
      """#,
      "batch.csv:7: net_credit_nc: found 9223372036854775807 minor units"
    ),
    (
      "adyen", "settlement_details",
      #"""
      {"file":"batch.csv","row":8,"merchant_account":"Acme","type":"Settled","batch_number":"1","net_currency":"EUR",\#
      "creation_date":"2026-03-01 10:00:00","time_zone":"UTC","net_credit_nc":"1.00","markup_nc":"10000000000000.01"}
      """#,
      "batch.csv:8: markup_nc: found 1000000000000001 minor units"
    ),
    (
      "adyen", "settlement_details",
      #"{"file":"batch.csv","row":9,"type":"Settled","batch_number":"1","creation_date":"9999-12-31 10:00:00"}"#,
      "batch.csv:9: creation_date: found \"9999-12-31 10:00:00\", expected a local time of the years 2000 to 2100"
    ),
    (
      "adyen", "notifications",
      #"""
      {"location":"a.json","item":{"pspReference":"P1","eventCode":"CAPTURE","eventDate":"2026-03-01T10:00:00Z",\#
      "success":"true",\#
      "originalReference":"P0","amount":{"currency":"EUR","value":9223372036854775807}}}
      """#,
      "a.json: $.item.amount.value: found 9223372036854775807 minor units"
    ),
    (
      "afterpay", "settlements",
      #"""
      {"file":"s.csv","row":3,"afterpay_order_id":"1","type":"Order","settlement_date":"03/01/2026",\#
      "settlement_amount":"$9,000,000,000,000.00"}
      """#,
      "s.csv:3: settlement_amount: found $9,000,000,000,000.00, expected at most 5,000,000,000.00"
    ),
    (
      "afterpay", "settlements",
      #"""
      {"file":"s.csv","row":4,"afterpay_order_id":"1","type":"Order","settlement_date":"03/01/9999",\#
      "settlement_amount":"$1.00"}
      """#,
      "s.csv:4: settlement_date: found "
    ),
    (
      "afterpay", "disputes", #"{"id":"D1","status":"won","createdAt":"9223372036854775807","amount":1}"#,
      "$.createdAt: found \"9223372036854775807\""
    ),
    (
      "cashapp", "settlement",
      #"""
      {"file":"20260301_settlement_report_client_CLI_batch_B1.csv","row":2,"settlement_batch_id":"B1",\#
      "transaction_type":"CAPTURE",\#
      "transaction_time":"2026-03-01T10:00:00Z","payment_id":"PWC_1","gross_amount":"1000000000000001",\#
      "net_amount":"1","fee_amount":"0",\#
      "currency_code":"USD"}
      """#,
      "gross_amount: found \"1000000000000001\", expected whole cents"
    ),
    (
      "cashapp", "payments",
      #"{"id":"PWC_1","status":"AUTHORIZED","amount":-9223372036854775808,"created_at":"2026-03-01T10:00:00Z"}"#,
      "$.amount: found -9223372036854775808 minor units"
    ),
  ]

  @Test("is refused with its cell", arguments: 0..<cases.count)
  func refused(row: Int) throws {
    let (provider, stream, line, said) = Self.cases[row]
    let reader = try #require(Self.reader(of: provider))
    let origin = Origin(file: 1, line: 1, observedAt: 1_772_400_000, rangeTo: 1_772_400_000)
    let nouns = AdyenNouns()
    var found = "nothing was refused"
    do {
      try JSONParser().parse(Array(line.utf8)) { try reader.read($0, stream: stream, from: origin, into: nouns) }
    } catch { found = "\(error)" }
    #expect(found.hasPrefix(said), "\(found)")
  }

  private static func reader(of provider: String) -> (any RecordReader)? {
    switch provider {
    case "stripe": StripeReader(provider: provider, orderReference: [])
    case "paypal": PayPalReader(provider: provider, orderReference: [])
    case "adyen": AdyenReader(AdyenConfiguration(name: provider, merchantAccount: "Acme", reports: .folder("/nowhere")))
    case "afterpay":
      AfterpayReader(AfterpayConfiguration(name: provider, merchantID: "1", secretKey: Secret(""), currency: "USD"))
    case "cashapp": CashAppReader(provider: provider, clientID: "CLI")
    default: nil
    }
  }

  @Test("An event is not dated after its notification was read: its date is not signed")
  func unsignedDate() throws {
    let reader = try #require(Self.reader(of: "adyen"))
    let line = #"""
      {"location":"a.json","item":{"pspReference":"P1","eventCode":"CAPTURE","eventDate":"2099-03-01T10:00:00Z",\#
      "success":"true",\#
      "originalReference":"P0","amount":{"currency":"EUR","value":100}}}
      """#
    let nouns = AdyenNouns()
    let origin = Origin(file: 1, line: 1, observedAt: 1_772_400_000, rangeTo: 1_772_400_000)
    try JSONParser().parse(Array(line.utf8)) { try reader.read($0, stream: "notifications", from: origin, into: nouns) }
    #expect(nouns.events.map(\.happenedAt) == [1_772_400_000])
  }
}
