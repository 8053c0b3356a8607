import Foundation
import HTTP
import Logging
import Settings

/// A way to a receiver.
protocol Channel: Sendable {
  /// Delivers one digest; the key is the same at every repetition.
  func deliver(_ digest: Digest, key: String) async -> Delivery
}

/// The result of a message.
enum Delivery: Sendable, Equatable {
  case sent
  /// Not delivered; `isForGood`: the same message would be refused again.
  case failed(String, isForGood: Bool = false)
  /// It may have been delivered: the answer was lost.
  case lost(String)
}

/// How channels connect: the same for all of them; tests replace it.
package struct Connecting: Sendable {
  package var waiting: Waiting
  /// A whole attempt.
  package var timeout: Duration
  package var logger: Logger

  package init(
    waiting: Waiting = .real, timeout: Duration = .seconds(30), logger: Logger = Logger(label: "crossfoot.alerts")
  ) {
    self.waiting = waiting
    self.timeout = timeout
    self.logger = logger
  }

  func policy(_ retry: Retry) -> RetryPolicy {
    RetryPolicy(
      attempts: Int(retry.attempts), waitAtMost: .seconds(retry.waitAtMost), timeout: timeout,
      connectTimeout: min(timeout, .seconds(10)),
      silenceTimeout: timeout, bodyLimit: 1 << 20)
  }

  /// The channel for an entry.
  func channel(_ entry: AlertEntry) -> any Channel {
    switch entry.channel {
    case .slack(let url): Slack(post: Post(url: url, entry, self))
    case .webhook(let url, let secret): Webhook(post: Post(url: url, entry, self), secret: secret, now: waiting.now)
    case .service(let url, let secret, let template):
      ServiceWebhook(
        post: Post(url: url, entry, self), secret: secret, template: template, incident: AlertFilter(entry: entry).name)
    case .email(let url, let username, let password, let from, let to):
      Email(
        url: url, username: username, password: password, from: from, to: to, caFile: entry.caFile,
        policy: policy(entry.retry), connecting: self)
    }
  }
}

/// Posts one JSON message to an address that may itself be a credential: no error contains more of it than the host.
struct Post: Sendable {
  var url: Secret
  let caFile: String?
  let policy: RetryPolicy
  let connecting: Connecting
  /// Texts that no error may contain, besides the address.
  var secrets: [String] = []

  init(url: Secret, _ entry: AlertEntry, _ connecting: Connecting) {
    self.url = url
    caFile = entry.caFile
    policy = connecting.policy(entry.retry)
    self.connecting = connecting
  }

  func send(_ body: Data, headers: [(String, String)], label: String) async -> Delivery {
    guard let address = ReceiverAddress(url.revealed),
      let client = try? HTTPClient(
        baseURL: address.host, retry: policy, caFile: caFile, connections: 1, waiting: connecting.waiting,
        logger: connecting.logger,
        shouldRetry: { $0.status == 429 || $0.status >= 500 })
    else { return .failed(Self.badAddress(label)) }
    do {
      let response = try await client.post(
        HTTPRequest(
          url: url.revealed, headers: [("Content-Type", "application/json")] + headers, label: label,
          message: Array(body),
          secrets: address.secrets + secrets))
      if (200...299).contains(response.status) { return .sent }
      let words = Excerpt.of(response.body, hiding: address.secrets + secrets)
      return .failed(
        "\(label): status \(response.status)\(words.isEmpty ? "" : ": \(words)")",
        isForGood: (400...499).contains(response.status))
    } catch let failure as PostFailure {
      return failure.mayHaveArrived ? .lost(Self.words(failure.error)) : .failed(Self.words(failure.error))
    } catch {
      return .lost("\(label): the connection ended before the answer arrived")
    }
  }

  static func badAddress(_ label: String) -> String {
    "\(label): its url must be https (http only on loopback), without user and password"
  }

  /// The key in an error refers to a receiver, not to a provider.
  static func words(_ error: any Error) -> String { "\(error)".replacing("base_url", with: "url") }
}
