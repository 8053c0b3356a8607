/// PayPal's API on one night (docs/providers/paypal.md section 1), for an account with generated records.
struct PayPalSite: AccountSite {
  /// One row of the reporting list, ready to send.
  struct Row: Sendable {
    var at: Int64
    var currency: String
    /// What it adds to the balance, minor units.
    var effect: Int64
    var isAffecting: Bool
    /// Whether it only sets money aside.
    var isHold: Bool
    var json: String
  }

  /// A dispute of the list.
  struct Dispute: Sendable {
    var at: Int64
    var updatedAt: Int64
    var state: String
    var summary: String
  }

  let account: String
  let clientID: String
  let clientSecret: String
  /// The time up to which the report is complete, Unix seconds.
  let refreshedAt: Int64
  /// Oldest first.
  let rows: [Row]
  /// Newest first.
  let disputes: [Dispute]
  /// The objects by the path that serves them.
  let objects: [String: String]
  /// The error of the stated balance, by currency.
  let misstatements: [String: Int64]
  /// The maximum number of rows that one request may match.
  var mostRows = 10_000

  private var token: String { "A21AA\(account)-\(refreshedAt)" }

  func answer(_ request: SiteRequest, repeating: Bool) -> SiteAnswer {
    if request.path == "/v1/oauth2/token" { return tokenAnswer(request) }
    guard request.method == "GET" else { return error(405, "METHOD_NOT_SUPPORTED", "This endpoint serves reads only.") }
    guard request.bearer == token else {
      return error(401, "AUTHENTICATION_FAILURE", "Authentication failed due to invalid token.")
    }
    switch request.path {
    case "/v1/reporting/transactions": return transactions(request, repeating)
    case "/v1/reporting/balances": return balances(request)
    case "/v1/customer/disputes": return disputeList(request, repeating)
    default:
      if let object = objects[request.path] { return .ok(object) }
      return error(404, "RESOURCE_NOT_FOUND", "The specified resource does not exist.")
    }
  }

  func failure(_ status: Int) -> String {
    switch status {
    case 429: body("RATE_LIMIT_REACHED", "Too many requests. Blocked due to rate limiting.")
    case 403: body("NOT_AUTHORIZED", "Authorization failed due to insufficient permissions.")
    case 503: body("SERVICE_UNAVAILABLE", "Service Unavailable.")
    default: body("INTERNAL_SERVER_ERROR", "An internal server error occurred.")
    }
  }

  private func body(_ name: String, _ message: String, issue: String = "") -> String {
    let details = issue.isEmpty ? "" : "{\"issue\":\(JSONTree.quoted(issue)),\"description\":\(JSONTree.quoted(issue))}"
    return
      """
      {"name":"\(name)","message":\(JSONTree.quoted(message)),"debug_id":"d0b1e7f5","details":[\(details)]}
      """
  }

  func error(_ status: Int, _ name: String, _ message: String, issue: String = "") -> SiteAnswer {
    SiteAnswer(status: status, body: body(name, message, issue: issue), headers: ["PayPal-Debug-Id": "d0b1e7f5"])
  }

  private func tokenAnswer(_ request: SiteRequest) -> SiteAnswer {
    guard request.method == "POST", request.basic == "\(clientID):\(clientSecret)" else {
      return SiteAnswer(
        status: 401, body: "{\"error\":\"invalid_client\",\"error_description\":\"Client Authentication failed\"}")
    }
    guard request.body.contains("grant_type=client_credentials") else {
      return SiteAnswer(
        status: 400, body: "{\"error\":\"unsupported_grant_type\",\"error_description\":\"Grant Type is NULL\"}")
    }
    let scopes = [
      "https://uri.paypal.com/services/reporting/search/read",
      "https://uri.paypal.com/services/reporting/balances/read",
      "https://uri.paypal.com/services/disputes/read-seller",
    ]
    return .ok(
      """
      {"scope":"\(scopes.joined(separator: " "))","access_token":"\(token)","token_type":"Bearer",\
      "app_id":"APP-80W284485P519543T",\
      "expires_in":32400,"nonce":"2026-03-01T00:00:00Zn0nce"}
      """)
  }
}
