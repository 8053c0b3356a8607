import Marketplace
import TestSupport
import Testing

@testable import crossfoot

/// One cell of the failure table: something goes wrong at one provider, and this is what the night must make of it.
struct FailureCell: Sendable, CustomTestStringConvertible {
  /// The rows of the table.
  enum Trouble: String, CaseIterable, Sendable {
    case tokenRefused = "the credentials are refused"
    case permissionMissing = "a permission is missing"
    case tooManyRequests = "nothing but 429"
    case serverErrors = "nothing but server errors"
    case cutBody = "every body is cut"
    case webPage = "a web page instead of records"
    case halfWritten = "a file half written"
    case otherTenant = "a file of another tenant"
    case wrongDates = "dates in the wrong order"
    case away = "nobody there"
  }

  /// How the trouble is brought about.
  enum Cause: Sendable {
    /// At every request to the paths that begin so.
    case wire(FaultPlan.Kind, path: String)
    /// At every request to Cash App's Network API, which the market does not serve: there a server of the test's own
    /// answers.
    case networkAPI(LoopbackServer.Reply)
    /// In the files of the folder that it is given.
    case files(@Sendable (MarketFolder) throws -> Void)
    /// By what the configuration says.
    case configuration(@Sendable (String) throws -> String)
  }

  let account: AccountPlan
  let trouble: Trouble
  let cause: Cause
  /// Words of the sentence, or of the quarantine; without any the night is whole.
  let words: [String]
  /// How a night ends in which another provider is well.
  var together = crossfoot.ExitStatus.incomplete
  /// How it ends where no other provider is configured.
  var alone = crossfoot.ExitStatus.incomplete
  /// Types of which a row is expected.
  var findings: [String] = []

  var testDescription: String { "\(account.name): \(trouble.rawValue)" }

  init(
    _ account: AccountPlan, _ trouble: Trouble, _ cause: Cause, says words: [String],
    together: crossfoot.ExitStatus = .incomplete,
    alone: crossfoot.ExitStatus = .incomplete, findings: [String] = []
  ) {
    (self.account, self.trouble, self.cause, self.words) = (account, trouble, cause, words)
    (self.together, self.alone, self.findings) = (together, alone, findings)
  }
}

/// The table: providers across, troubles down. A cell that cannot be has its reason in `FailureTable.without`.
enum FailureTable {
  typealias Trouble = FailureCell.Trouble
  static let page = "<html><body><h1>Sign in</h1></body></html>"

  static let cells = stripe + payPal + adyenDownloads + adyenFiles + afterpay + cashAppFiles + cashAppAPI

  /// Why a provider has no such cell.
  static let without: [AccountPlan.Kind: [Trouble: String]] = [
    .stripe: [
      .halfWritten: "it delivers no files: a body that is cut is its half-written file",
      .otherTenant: "an answer belongs to the key that asked; there is no other way to another account's records",
      .wrongDates: "its dates are numbers, seconds since 1970",
    ],
    .payPal: [
      .halfWritten: "it delivers no files: a body that is cut is its half-written file",
      .otherTenant:
        "an answer belongs to the application that asked; there is no other way to another account's records",
    ],
  ]

  private static let stripe: [FailureCell] = [
    FailureCell(
      .stripe, .tokenRefused, .wire(.status(401), path: "/"),
      says: ["refused the API key (status 401", "check its api_key in the configuration"],
      alone: .credentials),
    FailureCell(
      .stripe, .permissionMissing, .wire(.forbidden, path: "/v1/refunds"),
      says: ["lacks the permission", "(status 403", "grant it in the Dashboard, then run again"]),
    FailureCell(
      .stripe, .tooManyRequests, .wire(.rateLimited(retryAfter: 0), path: "/"), says: ["status 429", "run later"]),
    FailureCell(.stripe, .serverErrors, .wire(.status(503), path: "/"), says: ["status 503", "run again later"]),
    FailureCell(
      .stripe, .cutBody, .wire(.cutBody(0.5), path: "/v1/charges"),
      says: ["stripe charges", "broke off", "run again later"]),
    FailureCell(
      .stripe, .webPage, .wire(.body(200, page), path: "/v1/charges"),
      says: ["stripe charges", "no JSON", "check base_url"]),
    FailureCell(
      .stripe, .away, .configuration(closed), says: ["could not be reached", "check the network and base_url"],
      alone: .unreachable),
  ]

  private static let payPal: [FailureCell] = [
    FailureCell(
      .payPal, .tokenRefused, .wire(.status(401), path: "/v1/oauth2/token"),
      says: ["PayPal refused the credentials (status 401", "check its client_id and client_secret"], alone: .credentials
    ),
    FailureCell(
      .payPal, .permissionMissing, .wire(.forbidden, path: "/v1/reporting/transactions"),
      says: ["the application may not read it (status 403", "enable Transaction Search"]),
    FailureCell(
      .payPal, .tooManyRequests, .wire(.rateLimited(retryAfter: 0), path: "/"),
      says: ["paypal", "status 429", "run later"]),
    FailureCell(
      .payPal, .serverErrors, .wire(.status(503), path: "/"), says: ["paypal", "status 503", "run again later"]),
    FailureCell(
      .payPal, .cutBody, .wire(.cutBody(0.5), path: "/v1/reporting/transactions"),
      says: ["paypal reporting", "broke off", "run again later"]),
    FailureCell(
      .payPal, .webPage, .wire(.body(200, page), path: "/v1/reporting/transactions"),
      says: ["paypal reporting", "no JSON", "check base_url"]),
    FailureCell(
      .payPal, .wrongDates,
      .wire(.body(200, payPalRow(dated: "03/05/2026 10:00:00")), path: "/v1/reporting/transactions"),
      says: ["TX-WRONG-DATE", "03/05/2026 10:00:00", "expected RFC 3339"]),
    FailureCell(
      .payPal, .away, .configuration(closed), says: ["could not be reached", "check the network and base_url"],
      alone: .unreachable),
  ]

  private static func payPalRow(dated date: String) -> String {
    """
    {"transaction_details":[{"transaction_info":{"transaction_id":"TX-WRONG-DATE","transaction_event_code":"T0006",\
    "transaction_initiation_date":"\(date)","transaction_updated_date":"\(date)",\
    "transaction_amount":{"currency_code":"USD","value":"10.00"},"transaction_status":"S"}}],\
    "account_number":"MKTPAYPAL0001","last_refreshed_datetime":"2026-03-11T00:40:00Z","page":1,"total_items":1,\
    "total_pages":1}
    """
  }

  /// A base URL at which nobody listens.
  private static func closed(_ text: String) throws -> String {
    text.replacing(/base_url: http:\/\/127\.0\.0\.1:[0-9]+/, with: "base_url: http://127.0.0.1:1")
  }
}

/// What is delivered in files.
extension FailureTable {
  private static let reports = "/reports"
  private static let adyenDownloads: [FailureCell] = [
    FailureCell(
      .adyenNL, .tokenRefused, .wire(.status(401), path: reports),
      says: ["Adyen refused the report user (status 401", "check its username and password"], alone: .credentials),
    FailureCell(
      .adyenNL, .permissionMissing, .wire(.forbidden, path: reports),
      says: [
        "lacks the role \"Merchant Report Download\"", "(status 403", "grant it in the Customer Area, then run again",
      ]),
    FailureCell(
      .adyenNL, .tooManyRequests, .wire(.rateLimited(retryAfter: 0), path: reports),
      says: ["adyen_nl", "status 429", "run later"]),
    FailureCell(
      .adyenNL, .serverErrors, .wire(.status(503), path: reports), says: ["adyen_nl", "status 503", "run again later"]),
    FailureCell(
      .adyenNL, .cutBody, .wire(.cutBody(0.5), path: reports), says: ["adyen_nl", "broke off", "run again later"]),
    FailureCell(
      .adyenNL, .webPage, .wire(.body(200, page), path: reports),
      says: ["adyen_nl", "its body is a web page and no CSV", "check base_url"]),
    FailureCell(
      .adyenNL, .away, .configuration(closed), says: ["could not be reached", "check the network and base_url"],
      alone: .unreachable),
  ]

  private static let adyenFiles: [FailureCell] = [
    FailureCell(
      .adyenUK, .halfWritten, .files { try $0.halve("adyen_uk-reports", named: "batch_9") },
      says: ["settlement_detail_report_batch_9"]),
    FailureCell(
      .adyenUK, .otherTenant,
      .files { folder in
        let report = try folder.text("adyen_uk-reports", named: "batch_9")
        try folder.add(
          "adyen_uk-reports/settlement_detail_report_batch_77.csv",
          report.replacing("AcmeUK", with: "OtherShop").replacing("batch 9", with: "batch 77"))
      }, says: [], together: .clean, alone: .clean),
    FailureCell(
      .adyenUK, .wrongDates,
      .files { try $0.edit("adyen_uk-reports", named: "batch_9") { $0.replacing("2026-03-0", with: "03-2026-0") } },
      says: ["settlement_detail_report_batch_9", "03-2026-0", "expected"]),
  ]

  private static let afterpay: [FailureCell] = [
    FailureCell(
      .afterpayUS, .tokenRefused, .wire(.status(401), path: "/v2"),
      says: ["Afterpay refused the credentials (status 401", "check merchant_id, secret_key and base_url"],
      alone: .credentials),
    FailureCell(
      .afterpayUS, .permissionMissing, .wire(.forbidden, path: "/v2/disputes"),
      says: ["does not let this account ask for it (status 403", "have Afterpay's support allow it"]),
    FailureCell(
      .afterpayUS, .tooManyRequests, .wire(.rateLimited(retryAfter: 0), path: "/v2"),
      says: ["afterpay-us", "status 429", "run later"]),
    FailureCell(
      .afterpayUS, .serverErrors, .wire(.status(503), path: "/v2"),
      says: ["afterpay-us", "status 503", "run again later"]),
    FailureCell(
      .afterpayUS, .cutBody, .wire(.cutBody(0.5), path: "/v2/payments"),
      says: ["afterpay-us payments", "broke off", "run again later"]),
    FailureCell(
      .afterpayUS, .webPage, .wire(.body(200, page), path: "/v2/payments"),
      says: ["afterpay-us payments", "no JSON", "check base_url"]),
    FailureCell(
      .afterpayUS, .halfWritten, .files { try $0.halve("afterpay-us-settlements", named: "2026-03-06") },
      says: ["settlement-2026-03-06.csv", "see that the whole file was delivered"]),
    FailureCell(
      .afterpayUS, .halfWritten,
      .files { folder in try folder.edit("afterpay-us-settlements", named: "2026-03-06") { String($0.prefix(240)) } },
      says: ["settlement-2026-03-06.csv", "the file ends within its header row"]),
    FailureCell(
      .afterpayUS, .otherTenant,
      .files { folder in
        let export = try folder.text("afterpay-us-settlements", named: "2026-03-06")
        try folder.add("afterpay-us-settlements/clearpay.csv", export.replacing("$", with: "£"))
      }, says: ["clearpay.csv", "another currency than the account's USD", "may be another account's"]),
    FailureCell(
      .afterpayUS, .wrongDates,
      .files { folder in
        try folder.edit("afterpay-us-settlements", named: "2026-03-06") {
          $0.replacing("03/06/2026", with: "16/03/2026")
        }
      }, says: ["settlement-2026-03-06.csv", "16/03/2026", "settlement_date_format"]),
    FailureCell(
      .afterpayUS, .away, .configuration(closed), says: ["could not be reached", "check the network and base_url"],
      alone: .unreachable),
  ]

  private static let cashAppFiles: [FailureCell] = [
    FailureCell(
      .cashApp, .halfWritten, .files { try $0.halve("cashapp-settlements", named: "20260309_settlement_report") },
      says: ["20260309_settlement_report"]),
    FailureCell(
      .cashApp, .otherTenant,
      .files { folder in
        let report = try folder.text("cashapp-settlements", named: "20260309_settlement_report")
        try folder.add(
          "cashapp-settlements/20260309_settlement_report_client_CA-CI_other_batch_STB_X_chunk_0.csv",
          report.replacing("STB_", with: "STX_"))
      }, says: [], together: .clean, alone: .clean),
    FailureCell(
      .cashApp, .wrongDates,
      .files { folder in
        try folder.edit("cashapp-settlements", named: "20260309_settlement_report") {
          $0.replacing(/,2026-03-0([0-9])T/) { ",0\($0.output.1)-03-2026T" }
        }
      }, says: ["20260309_settlement_report", "-03-2026T", "expected"]),
    FailureCell(
      .cashApp, .away,
      .configuration {
        $0.replacing("settlement_directory: cashapp-settlements", with: "settlement_directory: nowhere")
      },
      says: ["cashapp settlement", "nowhere"], alone: .unreachable),
  ]

  /// Where the API cannot be read, the files still are: no such night ends with 69 or 77.
  private static let cashAppAPI: [FailureCell] = [
    FailureCell(
      .cashApp, .tokenRefused, .networkAPI(error(401, "ACCESS_TOKEN_EXPIRED")),
      says: [
        "Cash App refused the API key (status 401, ACCESS_TOKEN_EXPIRED)",
        "make a new one and set its key_id and secret",
      ]),
    FailureCell(
      .cashApp, .permissionMissing, .networkAPI(error(403, "INSUFFICIENT_SCOPES")),
      says: ["lacks the scope DISPUTES_READ (status 403", "make a key that has it, then run again"]),
    FailureCell(
      .cashApp, .tooManyRequests, .networkAPI(error(429, "RATE_LIMITED")),
      says: ["cashapp disputes", "status 429", "run later"]),
    FailureCell(
      .cashApp, .serverErrors, .networkAPI(error(503, "SERVICE_UNAVAILABLE")),
      says: ["cashapp disputes", "status 503", "run again later"]),
    FailureCell(
      .cashApp, .cutBody, .networkAPI(.cut(200, body: "{\"disputes\":[", announced: 500)),
      says: ["cashapp disputes", "broke off", "run again later"]),
    FailureCell(
      .cashApp, .webPage, .networkAPI(.whole(200, headers: ["Content-Type": "text/html"], body: page)),
      says: ["cashapp disputes", "no JSON", "check base_url"]),
  ]

  private static func error(_ status: Int, _ code: String) -> LoopbackServer.Reply {
    .json("{\"errors\":[{\"category\":\"API_ERROR\",\"code\":\"\(code)\",\"detail\":\"No.\"}]}", status: status)
  }
}
