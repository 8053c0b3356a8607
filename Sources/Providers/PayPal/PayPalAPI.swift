import Foundation
import HTTP
import JSON
import Logging

/// PayPal's API as far as the pull needs it: GET with a token, with validated answers.
struct PayPalAPI: Sendable {
  let configuration: PayPalConfiguration
  let tokens: PayPalTokens
  private let client: HTTPClient

  /// - Throws: `HTTPError.insecureBaseURL`.
  init(_ configuration: PayPalConfiguration, waiting: Waiting, logger: Logger) throws {
    self.configuration = configuration
    client = try HTTPClient(
      baseURL: configuration.baseURL, retry: configuration.retry, caFile: configuration.caFile,
      connections: configuration.connections, waiting: waiting, logger: logger)
    tokens = PayPalTokens(configuration, client, waiting)
  }

  /// The answer with status 200 to a request; a token that is not accepted is renewed once.
  ///
  /// - Parameters:
  ///   - query: names and values, not yet encoded.
  ///   - what: what is requested, for messages; the stream's name by default.
  /// - Throws: `ProviderFailure`.
  func get(
    _ path: String, _ query: [(String, String)] = [], for stream: PayPalStream, what: String? = nil
  ) async throws(ProviderFailure) -> HTTPResponse {
    let label = "\(configuration.name) \(what ?? stream.rawValue)"
    var token = try await tokens.current()
    do {
      var response = try await ask(path, query, token, label, stream)
      if response.status == 401 {
        token = try await tokens.current(not: token)
        response = try await ask(path, query, token, label, stream)
      }
      guard response.status == 200 else {
        let body = PayPalErrorBody(response.body, hiding: [token.value.revealed, configuration.clientSecret.revealed])
        throw body.failure(
          RefusedAnswer(response, asking: label, provider: configuration.name, request: body.debugID), on: stream)
      }
      return response
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }

  private func ask(
    _ path: String, _ query: [(String, String)], _ token: PayPalTokens.Token, _ label: String, _ stream: PayPalStream
  ) async throws -> HTTPResponse {
    let request = HTTPRequest(
      url: HTTPRequest.path(path, query), headers: [("Accept", "application/json")],
      secretHeaders: [("Authorization", "Bearer \(token.value.revealed)")], label: label,
      bodyFault: PayPalPage.fault(of: stream, isList: path == stream.path))
    return try await client.get(request)
  }
}

/// A link in an answer: links to PayPal's own hosts, which may be older ones, are rebuilt on `base_url`; any other is
/// refused.
struct PayPalLink {
  /// PayPal's hosts, which links contain whatever host was contacted (docs/providers/paypal.md section 1).
  private static let hosts: Set<String> = [
    "api.paypal.com", "api-m.paypal.com", "api.sandbox.paypal.com", "api-m.sandbox.paypal.com", "www.paypal.com",
    "www.sandbox.paypal.com",
  ]
  /// The path, from `/`.
  let path: String
  private let query: Substring

  /// - Throws: `HTTPError.foreignHost` when the link leads away from PayPal, `malformedURL` when it is not a link.
  init(_ link: String, base: String, label: String) throws(HTTPError) {
    let host = Self.host(of: link)
    guard host == nil || host == Self.host(of: base) || Self.hosts.contains(Self.name(of: host ?? "")) else {
      throw .foreignHost(label: label, host: String((host ?? "").prefix(100)), expected: Self.host(of: base) ?? base)
    }
    guard let start = Self.path(of: link) else { throw .malformedURL(label: label) }
    let parts = start.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts.first ?? "/")
    query = parts.count > 1 ? parts[1] : ""
  }

  /// The last component of the path: the id of the linked record.
  var last: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The first value of a query item, decoded.
  subscript(_ name: String) -> String? {
    for item in query.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0] == name { return pair[1].removingPercentEncoding }
    }
    return nil
  }

  /// Scheme, host and port of an absolute link; nil of a path.
  private static func host(of link: String) -> String? {
    guard !link.hasPrefix("/") || link.hasPrefix("//") else { return nil }
    guard let scheme = link.range(of: "//") else { return String(link.prefix { $0 != "/" }).lowercased() }
    return String(link[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }).lowercased()
  }

  private static func name(of host: String) -> String { String(host.prefix { $0 != ":" }) }

  private static func path(of link: String) -> Substring? {
    guard let scheme = link.range(of: "//"), !link.hasPrefix("/") || link.hasPrefix("//") else {
      return link.hasPrefix("/") ? Substring(link) : nil
    }
    let rest = link[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { rest[$0...] }
  }
}
