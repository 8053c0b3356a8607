import FlyingFox
import FlyingSocks
import Foundation

/// The endpoint's account-level answers, and how faults change an answer on its way.
extension StripeEndpoint {
  /// `/v1/balance`: the sum of the visible ledger rows, all of it available.
  func balance(_ view: StripeView) -> String {
    let currencies = view.balance.keys.filter { !$0.contains(" ") }.sorted()
    let available = currencies.map {
      """
      {"amount":\(view.balance[$0] ?? 0),"currency":"\($0)","source_types":{"card":\(view.balance[$0] ?? 0)}}
      """
    }
    let nothing = currencies.map { "{\"amount\":0,\"currency\":\"\($0)\",\"source_types\":{\"card\":0}}" }
    let reserved = currencies.map { "{\"amount\":0,\"currency\":\"\($0)\"}" }
    return "{\"object\":\"balance\",\"available\":[\(available.joined(separator: ","))],\(others(view))"
      + """
      "connect_reserved":[\(reserved.joined(separator: ","))],"livemode":false,\
      "pending":[\(nothing.joined(separator: ","))]}
      """
  }

  /// The balances beside that of payments (issuing, risk reserve, prefunding), each a member of its own.
  private func others(_ view: StripeView) -> String {
    let parts = view.balance.keys.sorted().compactMap { key -> (name: String, amount: String)? in
      let words = key.split(separator: " ").map(String.init)
      return words.count == 2 ? (words[0], "{\"amount\":\(view.balance[key] ?? 0),\"currency\":\"\(words[1])\"}") : nil
    }
    return Dictionary(grouping: parts, by: \.name).sorted { $0.key < $1.key }.map { name, parts in
      "\"\(name)\":{\"available\":[\(parts.map(\.amount).joined(separator: ","))]},"
    }.joined()
  }

  /// `/v1/account`, personal values included.
  var accountBody: String {
    """
    {"id":"\(account)","object":"account","business_profile":{"name":"Example Market",\
    "support_email":"help@market.example",\
    "support_phone":"+15550100"},"business_type":"company","charges_enabled":true,"country":"US","created":1577836800,\
    "default_currency":"usd","details_submitted":true,"email":"owner@market.example","payouts_enabled":true,\
    "type":"standard"}
    """
  }

  /// The answer that a fault substitutes for the true one; nil where the true one is sent.
  func spoiled(by fault: FaultPlan.Kind?, request: HTTPRequest) -> Answer? {
    switch fault {
    case .rateLimited(let seconds):
      var headers = ["Stripe-Rate-Limited-Reason": "endpoint-rate"]
      headers["Retry-After"] = seconds.map(String.init)
      return Answer(status: 429, body: Self.error("rate_limit", "Request rate limit exceeded."), headers: headers)
    case .status(let status, let shouldRetry):
      let headers = shouldRetry.map { ["Stripe-Should-Retry": "\($0)"] } ?? [:]
      return Answer(
        status: status, body: Self.error("api_error", "Something went wrong on our side."), headers: headers)
    case .badGateway:
      let page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
      return Answer(status: 502, body: page, headers: ["Content-Type": "text/html"])
    case .body(let status, let body):
      return Answer(status: status, body: body)
    case .forbidden:
      let name = request.path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      let permission = StripeList(rawValue: name)?.permission ?? "rak_\(name)_read"
      let refusal = StripeRefusal.forbidden(key: key, account: account, permission: permission)
      return Answer(status: refusal.status, body: refusal.body)
    case .cutBody, .endsEarly, .repeatedObject, .endless, .silence, nil:
      return nil
    }
  }

  private static func error(_ type: String, _ message: String) -> String {
    "{\"error\":{\"message\":\(JSONTree.quoted(message)),\"type\":\"\(type)\"}}"
  }

  /// Puts the page's cursor object at the top of the page.
  func repeatObject(in answer: inout Answer, request: HTTPRequest, query: StripePage.Query) {
    guard let cursor = query.first(where: { $0.name == "starting_after" })?.value, answer.status == 200,
      let object = state.withLock({ $0.currentView() }).object(cursor), !answer.body.contains("\"data\":[]")
    else { return }
    answer.body = answer.body.replacing("\"data\":[", with: "\"data\":[\(object.json),", maxReplacements: 1)
  }

  func response(to answer: Answer, requestID: String, fault: FaultPlan.Kind?) -> HTTPResponse {
    var headers: HTTPHeaders = [:]
    headers[.contentType] = answer.headers["Content-Type"] ?? "application/json"
    headers[HTTPHeader("Request-Id")] = requestID
    for (name, value) in answer.headers where name != "Content-Type" { headers[HTTPHeader(name)] = value }
    let status = HTTPStatusCode(answer.status, phrase: answer.status == 200 ? "OK" : "Refused")
    let bytes = Data(answer.body.utf8)
    guard case .cutBody(let part) = fault else {
      let body = HTTPBodySequence(data: bytes, suggestedBufferSize: max(4096, bytes.count))
      return HTTPResponse(statusCode: status, headers: headers, body: body)
    }
    let cut = CutBytes(bytes: [UInt8](bytes.prefix(Int(Double(bytes.count) * part))))
    return HTTPResponse(statusCode: status, headers: headers, body: HTTPBodySequence(from: cut, count: bytes.count))
  }
}

/// The beginning of a body, after which the connection breaks.
struct CutBytes: AsyncBufferedSequence, Sendable {
  typealias Element = UInt8
  let bytes: [UInt8]

  /// What the sequence throws when its bytes are sent.
  struct Cut: Error {}

  func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var bytes: [UInt8]

    mutating func next() async throws -> UInt8? {
      guard !bytes.isEmpty else { throw Cut() }
      return bytes.removeFirst()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard !bytes.isEmpty else { throw Cut() }
      defer { bytes = [] }
      return bytes
    }
  }
}
