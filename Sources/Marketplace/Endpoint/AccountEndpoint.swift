import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A loopback server for one account: each night, that night's site answers; faults are injected on demand.
package final class AccountEndpoint: Sendable {
  private let sites: [any AccountSite]
  private let state: Mutex<State>
  private let server: HTTPServer
  private let running = Mutex<Task<Void, any Error>?>(nil)

  private struct State: Sendable {
    var night = 1
    var faults: FaultPlan
    var seen: [SeenRequest] = []
    var requestsByPath: [String: Int] = [:]
    var baseURL = ""
  }

  /// - Parameter sites: one for each night, at least one.
  init(_ sites: [any AccountSite], faults: FaultPlan = FaultPlan()) {
    self.sites = sites
    state = Mutex(State(faults: faults))
    let address = (try? sockaddr_in.inet(ip4: "127.0.0.1", port: 0)) ?? .inet(port: 0)
    server = HTTPServer(address: address, timeout: 3600, pool: PromptSockets(), logger: .disabled)
  }

  /// Starts listening on a free port of 127.0.0.1.
  ///
  /// - Returns: the base URL.
  /// - Throws: `MarketplaceError.notListening`.
  @discardableResult
  package func start() async throws -> String {
    await server.appendRoute("*") { [weak self] request in
      guard let self else { return HTTPResponse(statusCode: .serviceUnavailable) }
      return try await self.answer(request)
    }
    let server = server
    running.withLock { $0 = Task { try await server.run() } }
    try await server.waitUntilListening(timeout: 120)
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw MarketplaceError.notListening }
    state.withLock { $0.baseURL = "http://127.0.0.1:\(port)" }
    return "http://127.0.0.1:\(port)"
  }

  /// Stops listening and closes every connection.
  package func stop() async {
    running.withLock { $0?.cancel() }
    await server.stop()
  }

  /// Which night it is, from 1.
  package var night: Int {
    get { state.withLock { $0.night } }
    set { state.withLock { $0.night = newValue } }
  }

  /// The faults from now on; the requests to each path are counted again from 1.
  package var faults: FaultPlan {
    get { state.withLock { $0.faults } }
    set {
      state.withLock { state in
        state.faults = newValue
        state.requestsByPath = [:]
      }
    }
  }

  /// Every request so far, in the order of their arrival.
  package var requests: [SeenRequest] {
    state.withLock { $0.seen }
  }

  private func answer(_ received: HTTPRequest) async throws -> HTTPResponse {
    let request = try await siteRequest(received)
    let (site, noted) = note(request)
    var fault = noted
    if fault == .silence { try await Task.sleep(for: .seconds(3600)) }
    var answer = fault.flatMap { spoiled(by: $0, site) } ?? site.answer(request, repeating: fault == .repeatedObject)
    // A file has no terminator, which is why it is sent with its length: it can only be cut on the wire.
    if fault == .endsEarly, answer.isFile { fault = .cutBody(0.6) }
    if fault == .endsEarly { answer.body.removeLast(min(answer.body.count, 2 + answer.body.count / 3)) }
    let seen = SeenRequest(
      method: request.method, path: request.path, query: request.query.map { "\($0.name)=\($0.value)" }, version: nil,
      status: answer.status)
    state.withLock { $0.seen.append(seen) }
    return answer.response(fault)
  }

  private func siteRequest(_ request: HTTPRequest) async throws -> SiteRequest {
    let body = String(decoding: try await request.bodyData, as: UTF8.self)
    let headers = request.headers.map { ($0.key.rawValue.lowercased(), $0.value) }
    var made = SiteRequest(
      method: request.method.rawValue, path: request.path, query: request.query.map { ($0.name, $0.value) },
      headers: Dictionary(headers) { first, _ in first }, body: body, baseURL: state.withLock { $0.baseURL })
    if let header = made.headers["authorization"], header.hasPrefix("Basic ") {
      made.basic = Data(base64Encoded: String(header.dropFirst(6))).map { String(decoding: $0, as: UTF8.self) }
    }
    return made
  }

  /// The site of tonight, and the fault of this request.
  private func note(_ request: SiteRequest) -> (any AccountSite, FaultPlan.Kind?) {
    state.withLock { state in
      let list = request.path.split(separator: "/").prefix(3).joined(separator: "/")
      let count = (state.requestsByPath[list] ?? 0) + 1
      state.requestsByPath[list] = count
      let total = state.requestsByPath.values.reduce(0, +)
      let site = sites[min(state.night, sites.count) - 1]
      return (site, state.faults.fault(path: request.path, request: count, total: total))
    }
  }

  private func spoiled(by fault: FaultPlan.Kind, _ site: any AccountSite) -> SiteAnswer? {
    switch fault {
    case .rateLimited(let seconds):
      var headers: [String: String] = [:]
      headers["Retry-After"] = seconds.map(String.init)
      return SiteAnswer(status: 429, body: site.failure(429), headers: headers)
    case .status(let status, _):
      return SiteAnswer(status: status == 409 ? 503 : status, body: site.failure(status == 409 ? 503 : status))
    case .badGateway:
      let page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
      return SiteAnswer(status: 502, body: page, headers: ["Content-Type": "text/html"])
    case .body(let status, let body):
      return SiteAnswer(status: status, body: body)
    case .forbidden:
      return SiteAnswer(status: 403, body: site.failure(403))
    case .cutBody, .endsEarly, .repeatedObject, .endless, .silence:
      return nil
    }
  }
}

extension SiteAnswer {
  /// A file rather than JSON.
  fileprivate var isFile: Bool { status == 200 && headers["Content-Type"]?.hasPrefix("text/csv") == true }

  /// The answer on the wire, truncated where the fault requires it.
  fileprivate func response(_ fault: FaultPlan.Kind?) -> HTTPResponse {
    var fields: HTTPHeaders = [:]
    fields[.contentType] = headers["Content-Type"] ?? "application/json"
    for (name, value) in headers where name != "Content-Type" { fields[HTTPHeader(name)] = value }
    let code = HTTPStatusCode(status, phrase: status == 200 ? "OK" : "Refused")
    let bytes = Data(body.utf8)
    guard case .cutBody(let part) = fault else {
      let whole = HTTPBodySequence(data: bytes, suggestedBufferSize: max(4096, bytes.count))
      return HTTPResponse(statusCode: code, headers: fields, body: whole)
    }
    let cut = CutBytes(bytes: [UInt8](bytes.prefix(Int(Double(bytes.count) * part))))
    return HTTPResponse(statusCode: code, headers: fields, body: HTTPBodySequence(from: cut, count: bytes.count))
  }
}
