import HTTP
import Logging

/// Cash App's Network API as far as a nightly run needs it: signed GET requests, with validated answers.
struct CashAppAPI: Sendable {
  let name: String
  let access: CashAppAccess
  private let clientID: String
  private let client: HTTPClient
  private let host: String
  /// The path prefix of all requests, for a base URL with a path of its own.
  private let prefix: String

  /// - Throws: `HTTPError.insecureBaseURL`.
  init(_ access: CashAppAccess, name: String, clientID: String, waiting: Waiting, logger: Logger) throws {
    self.name = name
    self.access = access
    self.clientID = clientID
    client = try HTTPClient(
      baseURL: access.baseURL, retry: access.retry, caFile: access.caFile, connections: 4, waiting: waiting,
      logger: logger)
    (host, prefix) = Self.parts(of: access.baseURL)
  }

  /// The answer with status 200 to a request.
  ///
  /// The signed path is the one that is sent: it is assembled once, here.
  ///
  /// - Parameters:
  ///   - query: names and values, not yet encoded.
  ///   - attempts: fewer than the configured ones, for `doctor`.
  /// - Throws: `ProviderFailure`.
  func get(
    _ path: String, _ query: [(String, String)] = [], for stream: CashAppStream, what: String? = nil,
    attempts: Int? = nil
  ) async throws(ProviderFailure) -> HTTPResponse {
    let label = "\(name) \(what ?? stream.rawValue)"
    let link = HTTPRequest.path(path, query)
    let headers = [
      ("Accept", "application/json"), ("Authorization", "Client \(clientID) \(access.keyID)"),
      ("Content-Type", "application/json"),
    ]
    let signature = CashAppSignature(variant: access.variant).value(
      method: "GET", path: prefix + link, headers: headers + [("Host", host)], secret: access.secret.revealed)
    let request = HTTPRequest(
      url: link, headers: [headers[0], headers[2], ("X-Region", access.region)],
      secretHeaders: [headers[1], ("X-Signature", signature)], label: label, bodyFault: { $0.bodyFault() })
    do {
      let response = try await client.get(request, attempts: attempts)
      guard response.status == 200 else {
        let body = CashAppErrorBody(response.body, hiding: [access.secret.revealed])
        throw body.failure(response, asking: label, stream: stream, provider: name)
      }
      return response
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }

  /// Host without port, as it is signed, and the path of a base URL.
  private static func parts(of baseURL: String) -> (host: String, prefix: String) {
    let rest = baseURL.range(of: "://").map { baseURL[$0.upperBound...] } ?? baseURL[...]
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    let isIPv6 = authority.hasPrefix("[")
    let host = isIPv6 ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    return (String(host).lowercased(), String(path.reversed().drop { $0 == "/" }.reversed()))
  }
}
