import Foundation
import HTTP
import JSON
import Settings

/// The access token of one application, kept in memory for its lifetime and stored nowhere.
///
/// One token serves every request of a run: PayPal answers 429 to clients that request one each time
/// (docs/providers/paypal.md section 1, Auth).
actor PayPalTokens {
  /// The token endpoint's answer.
  struct Token: Sendable {
    var value: Secret
    /// Its scopes, as PayPal lists them; empty when the answer has none.
    var scopes: Set<String>
    /// Unix seconds; five minutes before PayPal's own expiry.
    var endsAt: Int64
    /// The server's clock when it was made.
    var date: Int64?
  }
  private let configuration: PayPalConfiguration
  private let client: HTTPClient
  private let waiting: Waiting
  private var token: Token?
  private var asking: Task<Token, any Error>?

  init(_ configuration: PayPalConfiguration, _ client: HTTPClient, _ waiting: Waiting) {
    self.configuration = configuration
    self.client = client
    self.waiting = waiting
  }

  /// The token, a fresh one when there is none or it has expired; `refused` is one that an answer did not accept.
  ///
  /// - Throws: `ProviderFailure`.
  func current(not refused: Token? = nil) async throws(ProviderFailure) -> Token {
    if let token, token.endsAt > waiting.now(), token.value != refused?.value { return token }
    let label = "\(configuration.name) token"
    do {
      let task =
        asking ?? Task { [configuration, client, waiting] in try await Self.obtain(configuration, client, waiting) }
      asking = task
      defer { asking = nil }
      let fresh = try await task.value
      token = fresh
      return fresh
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }

  private static func obtain(_ configuration: PayPalConfiguration, _ client: HTTPClient, _ waiting: Waiting)
    async throws -> Token
  {
    let label = "\(configuration.name) token"
    let pair = "\(configuration.clientID):\(configuration.clientSecret.revealed)"
    let request = HTTPRequest(
      url: "/v1/oauth2/token",
      headers: [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")],
      secretHeaders: [("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())")], label: label,
      bodyFault: { Self.read($0, now: 0) == nil ? "its body holds no access token" : nil },
      tokenForm: "grant_type=client_credentials")
    let response = try await client.obtainToken(request)
    guard response.status == 200, let token = read(response, now: waiting.now()) else {
      throw refusal(response, configuration, label)
    }
    return token
  }

  private static func read(_ response: HTTPResponse, now: Int64) -> Token? {
    try? JSONParser().parse(response.body) { root in
      let life = (try? root["expires_in"].int64()) ?? 600
      let scopes = ((try? root["scope"].string()) ?? "").split(separator: " ").map(String.init)
      return Token(
        value: Secret(try root["access_token"].string()), scopes: Set(scopes),
        endsAt: now + max(0, min(life, 1 << 31) - 300),
        date: response.date)
    }
  }

  private static func refusal(_ response: HTTPResponse, _ configuration: PayPalConfiguration, _ label: String)
    -> ProviderFailure
  {
    let body = PayPalErrorBody(response.body, hiding: [configuration.clientSecret.revealed, configuration.clientID])
    let answer = RefusedAnswer(response, asking: label, provider: configuration.name)
    let isRefused = response.status == 401 || response.status == 403 || body.words.contains("invalid_client")
    return isRefused ? answer.refusedCredentials : answer.unexpected(body.words, insteadOf: "a token")
  }
}
