import FlyingFox
import FlyingSocks
import Foundation

/// How the endpoint answers a request.
extension StripeEndpoint {
  /// A finished answer before the wire: what a fault can still spoil.
  struct Answer: Sendable {
    var status: Int
    var body: String
    var headers: [String: String] = [:]
  }

  func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    let query = request.query.map { (name: $0.name, value: $0.value) }
    let (count, total, fault) = note(request)
    state.withLock { $0.watcher }?(total)
    let requestID = "req_\(count)\(total)"
    if fault == .silence { try await Task.sleep(for: .seconds(3600)) }
    var answer = spoiled(by: fault, request: request) ?? self.answer(request, query: query)
    if fault == .repeatedObject { repeatObject(in: &answer, request: request, query: query) }
    if fault == .endless { answer.body = answer.body.replacing("\"has_more\":false", with: "\"has_more\":true") }
    if fault == .endsEarly { answer.body.removeLast(min(answer.body.count, 2 + answer.body.count / 3)) }
    see(request, query: query, status: answer.status)
    return response(to: answer, requestID: requestID, fault: fault)
  }

  private func note(_ request: HTTPRequest) -> (Int, Int, FaultPlan.Kind?) {
    state.withLock { state in
      let list = request.path.split(separator: "/").prefix(2).joined(separator: "/")
      let count = (state.requestsByPath[list] ?? 0) + 1
      state.requestsByPath[list] = count
      let total = state.requestsByPath.values.reduce(0, +)
      return (count, total, state.faults.fault(path: request.path, request: count, total: total))
    }
  }

  private func see(_ request: HTTPRequest, query: StripePage.Query, status: Int) {
    let seen = SeenRequest(
      method: request.method.rawValue, path: request.path, query: query.map { "\($0.name)=\($0.value)" },
      version: request.headers[HTTPHeader("Stripe-Version")], status: status)
    state.withLock { $0.seen.append(seen) }
  }

  private func answer(_ request: HTTPRequest, query: StripePage.Query) -> Answer {
    do {
      guard request.method == .GET else { throw StripeRefusal.method(request.method.rawValue) }
      try admit(request)
      return Answer(status: 200, body: try body(of: request.path, query: query))
    } catch let refusal as StripeRefusal {
      return Answer(status: refusal.status, body: refusal.body)
    } catch {
      return Answer(status: 500, body: "{\"error\":{\"type\":\"api_error\"}}")
    }
  }

  private func admit(_ request: HTTPRequest) throws {
    guard let header = request.headers[.authorization] else { throw StripeRefusal.noKey }
    let words = header.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { throw StripeRefusal.noKey }
    let basic = Data(base64Encoded: words[1]).map { String(decoding: $0, as: UTF8.self) }
    let given = words[0] == "Basic" ? String((basic ?? "").prefix { $0 != ":" }) : words[1]
    guard given == key else { throw StripeRefusal.badKey(given) }
  }

  private func body(of path: String, query: StripePage.Query) throws -> String {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.first == "v1", parts.count >= 2 else { throw StripeRefusal.unknownPath(method: "GET", path: path) }
    let view = state.withLock { $0.currentView() }
    switch (parts[1], parts.count) {
    case ("balance", 2): return balance(view)
    case ("account", 2): return accountBody
    case (_, 2):
      return try page(of: parts[1], list: StripeList(rawValue: parts[1]), path: path, query: query, view: view)
    case (_, 3): return try object(parts[2], list: StripeList(rawValue: parts[1]), path: path, query: query, view: view)
    case (_, 4):
      return try page(of: parts[1...].joined(separator: "/"), list: nil, path: path, query: query, view: view)
    default: return try part(parts, path: path, view: view)
    }
  }

  private func page(
    of name: String, list: StripeList?, path: String, query: StripePage.Query, view: StripeView
  ) throws -> String {
    guard let listing = view.lists[name] else { throw StripeRefusal.unknownPath(method: "GET", path: path) }
    try refuseManual(query, view)
    let page = try StripePage(of: listing, list: list, query: query)
    let expansions = Expansion.asked(query, prefix: "data.")
    let objects = page.objects.map { Expansion.expand($0.json, expansions, from: view) }.joined(separator: ",")
    return "{\"object\":\"list\",\"url\":\"\(path)\",\"has_more\":\(page.hasMore),\"data\":[\(objects)]}"
  }

  private func refuseManual(_ query: StripePage.Query, _ view: StripeView) throws {
    guard let payout = query.first(where: { $0.name == "payout" })?.value else { return }
    guard let found = view.lists[StripeList.payouts.rawValue]?[payout] else {
      throw StripeRefusal.noSuchObject(kind: "payout", id: payout)
    }
    if found.keys["automatic"] == "false" { throw StripeRefusal.manualPayout }
  }

  private func object(_ id: String, list: StripeList?, path: String, query: StripePage.Query, view: StripeView) throws
    -> String
  {
    guard let list else { throw StripeRefusal.unknownPath(method: "GET", path: path) }
    guard let object = view.lists[list.rawValue]?[id] else {
      throw StripeRefusal.noSuchObject(kind: list.object, id: id)
    }
    return Expansion.expand(object.json, Expansion.asked(query, prefix: ""), from: view)
  }

  /// One object of a sub-list, e.g. `/v1/transfers/tr_1/reversals/trr_1`.
  private func part(_ parts: [String], path: String, view: StripeView) throws -> String {
    guard parts.count == 5, let listing = view.lists[parts[1...3].joined(separator: "/")] else {
      throw StripeRefusal.unknownPath(method: "GET", path: path)
    }
    guard let object = listing[parts[4]] else { throw StripeRefusal.noSuchObject(kind: parts[3], id: parts[4]) }
    return object.json
  }
}
