import Foundation
import HTTP
import JSON
import Logging

/// Afterpay's payments API as far as the pull needs it: GET, Basic authentication, and a short list of paths
/// (docs/providers/afterpay.md section 1).
struct AfterpayAPI: Sendable {
  /// What may be requested, and nothing else: `GET /v2/disputes/{id}/accept` would concede a dispute.
  enum Path: Sendable, Equatable {
    case payments
    case payment(String)
    case disputes
    case configuration

    /// The path below the base URL.
    var text: String {
      switch self {
      case .payments: "/v2/payments"
      case .payment(let id): "/v2/payments/\(HTTPRequest.encoded(id, keeping: ":"))"
      case .disputes: "/v2/disputes"
      case .configuration: "/v2/configuration"
      }
    }
  }

  /// Afterpay answers 500 to a date it cannot parse: many attempts would not help.
  static let attemptsAt500 = 3

  let configuration: AfterpayConfiguration
  private let client: HTTPClient
  private let waiting: Waiting
  private let authorization: String

  /// - Throws: `HTTPError.insecureBaseURL`.
  init(_ configuration: AfterpayConfiguration, waiting: Waiting, logger: Logger) throws {
    self.configuration = configuration
    self.waiting = waiting
    let pair = "\(configuration.merchantID):\(configuration.secretKey.revealed)"
    authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
    client = try HTTPClient(
      baseURL: configuration.baseURL, retry: configuration.retry, caFile: configuration.caFile,
      connections: configuration.connections, waiting: waiting, logger: logger,
      shouldRetry: { $0.status == 500 ? false : nil })
  }

  /// The answer with status 200 to a request.
  ///
  /// - Parameter query: names and values, not yet encoded; the colons of a date stay.
  /// - Throws: `ProviderFailure`.
  func get(
    _ path: Path, _ query: [(String, String)] = [], what: String, attempts: Int? = nil,
    fault: @escaping @Sendable (HTTPResponse) -> String? = AfterpayAPI.noObject
  ) async throws(ProviderFailure) -> HTTPResponse {
    try await get(
      link: HTTPRequest.path(path.text, query, keeping: ":"), what: what, attempts: attempts, fault: fault)
  }

  /// The page behind a list's link, followed as given once its scheme, host and path are those of that list.
  ///
  /// - Throws: `ProviderFailure`, for a link to another host or path before anything is sent.
  func follow(
    _ link: String, on path: Path, what: String,
    fault: @escaping @Sendable (HTTPResponse) -> String? = AfterpayAPI.noObject
  ) async throws(ProviderFailure) -> HTTPResponse {
    let label = "\(configuration.name) \(what)"
    guard Self.path(of: link).hasSuffix(path.text) else {
      throw ProviderFailure(
        kind: .other, sentence: "\(label): the link to the next page does not lead to \(path.text); it is not followed")
    }
    return try await get(link: link, what: what, attempts: nil, fault: fault)
  }

  private func get(
    link: String, what: String, attempts: Int?, fault: @escaping @Sendable (HTTPResponse) -> String?
  ) async throws(ProviderFailure) -> HTTPResponse {
    let label = "\(configuration.name) \(what)"
    // The User-Agent is mandatory; Afterpay prescribes its form.
    let agent = "Crossfoot/1.0 (Crossfoot/1.0; Swift/6; Merchant/\(configuration.merchantID))"
    let request = HTTPRequest(
      url: link, headers: [("Accept", "application/json"), ("User-Agent", agent)],
      secretHeaders: [("Authorization", authorization)], label: label, bodyFault: fault)
    do {
      let response = try await patient(request, attempts)
      guard response.status == 200 else {
        let body = AfterpayErrorBody(response.body, hiding: [authorization, configuration.secretKey.revealed])
        throw body.failure(
          RefusedAnswer(response, asking: label, provider: configuration.name, request: body.errorID))
      }
      return response
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }

  /// The clock, Unix seconds.
  func now() -> Int64 { waiting.now() }

  /// Few attempts at a 500; everything else is retried by the general policy.
  private func patient(_ request: HTTPRequest, _ attempts: Int?) async throws -> HTTPResponse {
    let limit = min(Self.attemptsAt500, attempts ?? configuration.retry.attempts)
    var attempt = 1
    while true {
      do {
        return try await client.get(request, attempts: attempts)
      } catch HTTPError.serverError(let label, 500, let requestID, let excerpt, _) {
        guard attempt < limit else {
          throw HTTPError.serverError(
            label: label, status: 500, requestID: requestID, excerpt: hidden(excerpt), attempts: attempt)
        }
        try await waiting.sleep(configuration.retry.wait(after: attempt, asked: nil, jitter: waiting.jitter()))
        attempt += 1
      }
    }
  }

  private func hidden(_ text: String) -> String { Excerpt.hide([configuration.secretKey.revealed], in: text) }

  /// What is wrong with a body as a whole, so that the request is repeated.
  static let noObject: @Sendable (HTTPResponse) -> String? = { $0.bodyFault() }

  /// The path of a link, absolute or not.
  static func path(of link: String) -> String {
    var rest = Substring(link)
    if let scheme = rest.range(of: "://") {
      rest = rest[scheme.upperBound...]
      rest = rest.firstIndex { "/?#".contains($0) }.map { rest[$0...] } ?? ""
    }
    return String(rest.prefix { $0 != "?" && $0 != "#" })
  }
}
