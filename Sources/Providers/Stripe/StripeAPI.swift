import HTTP
import JSON
import Logging

/// Stripe's API as far as the pull needs it: GET with a pinned version, with validated answers.
struct StripeAPI: Sendable {
  /// Sent with every request; otherwise the account's default would decide the shape of the answer
  /// (docs/providers/stripe.md section 1).
  static let version = "2026-07-29.dahlia"

  let configuration: StripeConfiguration
  private let client: HTTPClient

  /// - Throws: `HTTPError.insecureBaseURL`.
  init(_ configuration: StripeConfiguration, waiting: Waiting, logger: Logger) throws {
    self.configuration = configuration
    client = try HTTPClient(
      baseURL: configuration.baseURL, retry: configuration.retry, caFile: configuration.caFile,
      connections: configuration.connections, waiting: waiting, logger: logger, shouldRetry: Self.wish)
  }

  /// The answer with status 200 to a request.
  ///
  /// - Parameters:
  ///   - query: names and values, not yet encoded.
  ///   - attempts: few for what may be missing without harm; nil: as configured.
  /// - Throws: `ProviderFailure`.
  func get(
    _ path: String, _ query: [(String, String)] = [], for stream: StripeStream, what: String? = nil,
    attempts: Int? = nil
  ) async throws(ProviderFailure) -> HTTPResponse {
    let label = "\(configuration.name) \(what ?? stream.rawValue)"
    let request = HTTPRequest(
      url: HTTPRequest.path(path, query), headers: [("Stripe-Version", Self.version), ("Accept", "application/json")],
      secretHeaders: [("Authorization", "Bearer \(configuration.apiKey.revealed)")], label: label,
      bodyFault: StripePage.fault)
    do {
      let response = try await client.get(request, attempts: attempts)
      guard response.status == 200 else {
        let body = StripeErrorBody(response.body, hiding: [configuration.apiKey.revealed])
        throw body.failure(RefusedAnswer(response, asking: label, provider: configuration.name), on: stream)
      }
      return response
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }

  /// `Stripe-Should-Retry` takes precedence; a 400 with the code `rate_limit` counts as a 429.
  private static func wish(_ response: HTTPResponse) -> Bool? {
    switch response.header("Stripe-Should-Retry") {
    case "true": true
    case "false": false
    default: response.status == 400 && StripeErrorBody(response.body, hiding: []).code == "rate_limit" ? true : nil
    }
  }
}
