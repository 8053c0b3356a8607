/// Afterpay's API on one night (docs/providers/afterpay.md section 1), for one merchant account.
struct AfterpaySite: AccountSite {
  /// One payment, ready to send.
  struct Payment: Sendable {
    var id: String
    var token: String
    var at: Int64
    var isApproved: Bool
    var json: String
  }

  let merchantID: String
  let secretKey: String
  /// Newest first.
  let payments: [Payment]
  /// By id, newest first.
  let disputes: [(id: String, status: String, json: String)]
  let currency: String

  func answer(_ request: SiteRequest, repeating: Bool) -> SiteAnswer {
    if request.path == "/ping" { return .ok("{\"ok\":true}") }
    guard request.headers["user-agent"]?.isEmpty == false else {
      return error(403, "forbidden", "User-Agent is required.")
    }
    guard request.basic == "\(merchantID):\(secretKey)" else {
      return error(401, "unauthorized", "Credentials are required.")
    }
    guard request.method == "GET" else { return error(405, "method_not_allowed", "Method not allowed.") }
    let parts = request.path.split(separator: "/").map(String.init)
    switch (parts.dropFirst().first, parts.count) {
    case ("configuration", 2):
      let code = currency.uppercased()
      return .ok(
        """
        {"minimumAmount":{"amount":"1.00","currency":"\(code)"},"maximumAmount":{"amount":"2000.00",\
        "currency":"\(code)"}}
        """)
    case ("payments", 2): return list(request, repeating)
    case ("payments", 3): return one(payments.first { $0.id == parts[2] || "token:\($0.token)" == parts[2] }?.json)
    case ("disputes", 2): return disputeList(request, repeating)
    case ("disputes", 3): return one(disputes.first { $0.id == parts[2] }?.json)
    default: return one(nil)
    }
  }

  func failure(_ status: Int) -> String {
    body(status, status == 429 ? "too_many_requests" : "internal_error", "Something went wrong on our side.")
  }

  private func body(_ status: Int, _ code: String, _ message: String) -> String {
    """
    {"errorCode":"\(code)","errorId":"e2b6f0","message":\(JSONTree.quoted(message)),"httpStatusCode":\(status)}
    """
  }

  private func error(_ status: Int, _ code: String, _ message: String) -> SiteAnswer {
    SiteAnswer(status: status, body: body(status, code, message))
  }

  private func one(_ json: String?) -> SiteAnswer {
    json.map(SiteAnswer.ok) ?? error(404, "not_found", "There is no such object.")
  }

  /// A page of payments, newest first; the link to the next holds the whole question and where to go on.
  private func list(_ request: SiteRequest, _ repeating: Bool) -> SiteAnswer {
    var window = Int64.min...Int64.max
    for (name, value) in request.query where name.hasSuffix("CreatedDate") {
      guard let instant = Moment.parse(value) else { return error(500, "internal_error", "An error occurred.") }
      window =
        name.hasPrefix("from") ? instant...window.upperBound : window.lowerBound...max(instant, window.lowerBound)
    }
    let limit = request.value("limit").map { Int($0) ?? 0 } ?? 20
    guard (1...250).contains(limit) else { return error(422, "invalid_object", "limit must be between 1 and 250.") }
    let ids = Set(request.query.filter { $0.name == "ids" }.map(\.value))
    let statuses = request.query.filter { $0.name == "statuses" }.map(\.value)
    let found = payments.filter {
      window.contains($0.at) && (ids.isEmpty || ids.contains($0.id))
        && (statuses.isEmpty || statuses.contains($0.isApproved ? "APPROVED" : "DECLINED"))
    }
    let first = Int(request.value("cursor")?.dropFirst(2) ?? "") ?? Int(request.value("offset") ?? "") ?? 0
    var shown = found.dropFirst(first).prefix(limit).map(\.json)
    if repeating, let again = shown.first { shown.append(again) }
    let results = "\"totalResults\":\(found.count),\"limit\":\(limit),\"results\":[\(shown.joined(separator: ","))]"
    guard request.value("includeNextLink") == "true" else { return .ok("{\"offset\":\(first),\(results)}") }
    let query = request.query.filter { $0.name != "cursor" }.map {
      "\($0.name)=\($0.value.replacing(":", with: "%3A"))"
    }
    let next =
      first + limit < found.count
      ? "\(request.baseURL)/v2/payments?\(query.joined(separator: "&"))&cursor=c_\(first + limit)" : ""
    return .ok("{\(results),\"nextPageUrl\":\"\(next)\"}")
  }

  private func disputeList(_ request: SiteRequest, _ repeating: Bool) -> SiteAnswer {
    let found = disputes.filter { request.value("status") == nil || request.value("status") == $0.status }
    let limit = request.value("limit").flatMap { Int($0) } ?? 20
    let offset = request.value("offset").flatMap { Int($0) } ?? 0
    let shown = found.dropFirst(offset).prefix(limit).map(\.json)
    return .ok(
      "{\"data\":[\(shown.joined(separator: ","))],\"offset\":\(offset),\"limit\":\(limit),\"total\":\(found.count)}")
  }
}
