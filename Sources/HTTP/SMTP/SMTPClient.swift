import CCurl
import Foundation
import Logging

/// Delivers mails to a mail server, over TLS only: `smtp://` requires STARTTLS, `smtps://` begins with TLS.
///
/// Temporary failures (no connection, a time-out, an answer 4xx) are retried; permanent refusals by the server (5xx)
/// are not.
package final class SMTPClient: Sendable {
  private let url: String
  /// Host and port, for messages.
  private let place: String
  private let username: String?
  private let password: String?
  private let caFile: String?
  private let retry: RetryPolicy
  private let waiting: Waiting
  private let logger: Logger
  private let queue = DispatchQueue(label: "crossfoot.smtp")

  /// - Parameter url: `smtp://host[:port]` or `smtps://host[:port]`, without user and password.
  /// - Throws: `SMTPError.badURL`.
  package init(
    url: String, username: String?, password: String?, caFile: String?, retry: RetryPolicy = RetryPolicy(),
    waiting: Waiting = .real,
    logger: Logger
  ) throws(SMTPError) {
    guard let parts = URLParts(url), ["smtp", "smtps"].contains(parts.scheme), parts.isPlain,
      ["", "/"].contains(parts.path)
    else {
      throw .badURL
    }
    self.url = "\(parts.scheme)://\(parts.host):\(parts.port)/crossfoot"
    place = "\(parts.host):\(parts.port)"
    self.username = username
    self.password = password
    self.caFile = caFile
    self.retry = retry
    self.waiting = waiting
    self.logger = logger
  }

  /// Delivers one mail; returns once the server has accepted it.
  ///
  /// - Parameters:
  ///   - sender: a bare address.
  ///   - receivers: bare addresses; the mail goes to all of them, or to none.
  ///   - message: RFC 5322, lines ended by CR LF.
  /// - Throws: `SMTPError`, `CancellationError`.
  package func send(from sender: String, to receivers: [String], message: [UInt8]) async throws {
    var attempt = 1
    var mayHaveArrived = false
    while true {
      try Task.checkCancellation()
      guard let fault = await tryOnce(from: sender, to: receivers, message: message) else { return }
      mayHaveArrived = mayHaveArrived || fault.mayHaveArrived
      let error = describe(fault, attempts: attempt, mayHaveArrived: mayHaveArrived)
      guard fault.mayPass, attempt < retry.attempts else { throw error }
      let wait = retry.wait(after: attempt, asked: nil, jitter: waiting.jitter())
      logger.info("\(error); attempt \(attempt + 1) of \(retry.attempts) in \(wait)")
      try await waiting.sleep(wait)
      attempt += 1
    }
  }

  /// Connects, switches to TLS, logs in and quits: one attempt, and no mail is sent.
  ///
  /// - Throws: `SMTPError`.
  package func examine() async throws(SMTPError) {
    if let fault = await tryOnce(from: "", to: [], message: nil) {
      throw describe(fault, attempts: 1, mayHaveArrived: false)
    }
  }

  private func tryOnce(from sender: String, to receivers: [String], message: [UInt8]?) async -> SMTPFault? {
    let mail = Mail(
      url: url, username: username, password: password, caFile: caFile, policy: retry, sender: sender,
      receivers: receivers, message: message)
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: mail.perform()) }
    }
  }

  private func describe(_ fault: SMTPFault, attempts: Int, mayHaveArrived: Bool) -> SMTPError {
    fault.error(
      at: place, attempts: attempts, hiding: [password, username].compactMap { $0 }, mayHaveArrived: mayHaveArrived)
  }
}

/// Why a mail was not accepted.
package enum SMTPError: Error, Sendable, Equatable, CustomStringConvertible {
  case badURL
  /// The server offers no TLS; neither the mail nor the password was sent.
  case noTLS(place: String)
  case untrusted(place: String, reason: String)
  case denied(place: String)
  /// The server's own answer, 400...599.
  case refused(place: String, status: Int, attempts: Int)
  case unreachable(place: String, reason: String, attempts: Int, mayHaveArrived: Bool)

  /// The server may have accepted it, and its answer was lost.
  package var mayHaveArrived: Bool {
    if case .unreachable(_, _, _, let mayHaveArrived) = self { return mayHaveArrived }
    return false
  }

  package var description: String {
    switch self {
    case .badURL:
      """
      the mail server's url must be smtp://host:port or smtps://host:port, without user and password (those have keys \
      of their own)
      """
    case .noTLS(let place):
      """
      mail server \(place): it offers no STARTTLS, and nothing is sent in the clear; switch TLS on there, or use \
      smtps://
      """
    case .untrusted(let place, let reason):
      "mail server \(place): its certificate is not trusted: \(reason); check url and ca_file"
    case .denied(let place): "mail server \(place): it refused username or password; check both"
    case .refused(let place, let status, let attempts):
      "mail server \(place): status \(status) in \(attempts) attempts; check from and to"
    case .unreachable(let place, let reason, let attempts, _):
      "mail server \(place): no answer in \(attempts) attempts: \(reason); check url and network"
    }
  }
}
