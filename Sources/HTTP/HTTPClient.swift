import Foundation
import Logging

/// The only way to a provider's API: it only reads (a form is posted for a token and for nothing else), with one host,
/// a bounded number of connections, and retries for temporary failures.
///
/// Retried are broken connections, truncated bodies, time-outs, 409, 429, 5xx and invalid bodies; the provider may
/// override this for an answer. Redirects are never followed.
package final class HTTPClient: Sendable {
  private let base: BaseURL
  private let retry: RetryPolicy
  private let caFile: String?
  private let waiting: Waiting
  private let logger: Logger
  private let shouldRetry: @Sendable (HTTPResponse) -> Bool?
  private let pool: TransferPool

  /// A client for one host.
  ///
  /// - Parameters:
  ///   - connections: how many attempts run at once, at least 1.
  ///   - shouldRetry: the provider's decision on an answer of status 400 or above; nil leaves it to the rule.
  /// - Throws: `HTTPError.insecureBaseURL`.
  package init(
    baseURL: String, retry: RetryPolicy = RetryPolicy(), caFile: String? = nil, connections: Int = 8,
    waiting: Waiting = .real, logger: Logger, shouldRetry: @escaping @Sendable (HTTPResponse) -> Bool? = { _ in nil }
  ) throws {
    base = try BaseURL(baseURL)
    self.retry = retry
    self.caFile = caFile
    self.waiting = waiting
    self.logger = logger
    self.shouldRetry = shouldRetry
    pool = TransferPool(limit: connections)
  }

  /// The answer with status 2xx, 3xx or a 4xx that no further attempt would change.
  ///
  /// - Parameter attempts: fewer or more attempts than the policy says.
  /// - Throws: `HTTPError` after the last attempt, `CancellationError`.
  package func get(_ request: HTTPRequest, attempts: Int? = nil) async throws -> HTTPResponse {
    try await perform(request, attempts ?? retry.attempts)
  }

  /// The answer to a form that requests a token, by the same rules.
  ///
  /// - Throws: `HTTPError` after the last attempt, `CancellationError`.
  package func obtainToken(_ request: HTTPRequest, attempts: Int? = nil) async throws -> HTTPResponse {
    try await perform(request, attempts ?? retry.attempts)
  }

  /// The answer to a message, by the same rules; the message is the same at every attempt.
  ///
  /// - Throws: `PostFailure` after the last attempt, `CancellationError`.
  package func post(_ request: HTTPRequest) async throws -> HTTPResponse {
    var mayHaveArrived = false
    do {
      return try await perform(request, retry.attempts, &mayHaveArrived)
    } catch let error as HTTPError {
      throw PostFailure(error: error, mayHaveArrived: mayHaveArrived)
    }
  }

  /// Connects to the host, checks its certificate and sends no request: one attempt.
  ///
  /// - Throws: `HTTPError`, `CancellationError`.
  package func connect(label: String) async throws {
    let transfer = Transfer(
      url: base.text, headers: [], tokenForm: nil, caFile: caFile, policy: retry, isPlain: base.scheme == "http",
      onlyConnects: true)
    guard case .failure(let failure) = await pool.perform(transfer) else { return }
    switch judge(failure, HTTPRequest(url: base.text, label: label), 1) {
    case .answer: return
    case .final(let error): throw error
    case .again(let error, _): throw error
    }
  }

  private func perform(_ request: HTTPRequest, _ attempts: Int) async throws -> HTTPResponse {
    var mayHaveArrived = false
    return try await perform(request, attempts, &mayHaveArrived)
  }

  private func perform(_ request: HTTPRequest, _ attempts: Int, _ mayHaveArrived: inout Bool) async throws
    -> HTTPResponse
  {
    let url = try base.resolve(request.url, label: request.label)
    let limit = max(1, attempts)
    var attempt = 1
    var cause: String?
    while true {
      try Task.checkCancellation()
      let remaining = RunDeadline.remaining(at: waiting.now())
      if remaining == .zero { throw HTTPError.deadlineReached(label: request.label, cause: cause) }
      let transfer = Transfer(
        url: url, headers: request.headers + request.secretHeaders, tokenForm: request.tokenForm,
        message: request.message,
        caFile: caFile, policy: retry.ending(within: remaining), isPlain: base.scheme == "http")
      let result = await pool.perform(transfer)
      if case .failure(let failure) = result, failure.wasSent { mayHaveArrived = true }
      let verdict = judge(result, request, attempt)
      switch verdict {
      case .answer(let response): return response
      case .final(let error): throw error
      case .again(let error, let asked):
        let outlasts = remaining != nil && error.isUnreachable
        guard attempt < limit || outlasts else { throw error }
        let own = retry.wait(after: attempt, asked: asked, jitter: waiting.jitter())
        let wait = min(attempt < limit ? own : RunDeadline.outageWait, RunDeadline.remaining(at: waiting.now()) ?? own)
        cause = error.cause
        logger.info("\(error.cause); \(Repetition(wait: wait, attempt: attempt + 1, limit: limit).words)")
        try await waiting.sleep(wait)
        attempt += 1
      }
    }
  }
}

/// What to do after an attempt.
private enum Verdict {
  case answer(HTTPResponse)
  case final(any Error)
  case again(HTTPError, asked: Duration?)
}

extension HTTPClient {
  private func judge(_ result: TransferResult, _ request: HTTPRequest, _ attempt: Int) -> Verdict {
    switch result {
    case .response(let response): judge(response, request, attempt)
    case .failure(let failure): judge(failure, request, attempt)
    }
  }

  private func judge(_ response: HTTPResponse, _ request: HTTPRequest, _ attempt: Int) -> Verdict {
    let secrets = request.secretHeaders.map(\.1) + request.secrets
    let excerpt = {
      request.tokenForm == nil ? Excerpt.of(response.body, hiding: secrets) : "(not repeated: it may hold a token)"
    }
    if response.status >= 400 {
      guard shouldRetry(response) ?? Self.isPassing(response.status) else {
        return finalAnswer(response, request, excerpt(), attempt)
      }
      return .again(statusError(response, request, excerpt(), attempt), asked: askedWait(response))
    }
    if (200...299).contains(response.status), let fault = request.bodyFault?(response) {
      let error = HTTPError.unreadableBody(
        label: request.label, status: response.status, requestID: response.requestID, fault: fault, excerpt: excerpt(),
        attempts: attempt)
      return .again(error, asked: nil)
    }
    return .answer(response)
  }

  /// A 4xx is returned as an answer; a 5xx that the provider does not want repeated is an error.
  private func finalAnswer(_ response: HTTPResponse, _ request: HTTPRequest, _ excerpt: String, _ attempt: Int)
    -> Verdict
  {
    let isError = response.status >= 500 || response.status == 429
    return isError ? .final(statusError(response, request, excerpt, attempt)) : .answer(response)
  }

  private func statusError(_ response: HTTPResponse, _ request: HTTPRequest, _ excerpt: String, _ attempt: Int)
    -> HTTPError
  {
    if response.status == 429 {
      return .rateLimited(label: request.label, requestID: response.requestID, attempts: attempt)
    }
    return .serverError(
      label: request.label, status: response.status, requestID: response.requestID, excerpt: excerpt, attempts: attempt)
  }

  private func judge(_ failure: TransferFailure, _ request: HTTPRequest, _ attempt: Int) -> Verdict {
    let reason = Excerpt.hide(request.secretHeaders.map(\.1) + request.secrets, in: failure.reason)
    switch failure.kind {
    case .cancelled: return .final(CancellationError())
    case .untrusted: return .final(HTTPError.untrusted(label: request.label, host: base.host, reason: reason))
    case .tooLarge: return .final(HTTPError.tooLarge(label: request.label, limit: retry.bodyLimit))
    case .timeout: return .again(.timedOut(label: request.label, host: base.host, attempts: attempt), asked: nil)
    case .connection:
      return .again(.unreachable(label: request.label, host: base.host, reason: reason, attempts: attempt), asked: nil)
    case .cut:
      let requestID = HTTPResponse(status: failure.status, headers: failure.headers, body: []).requestID
      let error = HTTPError.cutBody(
        label: request.label, status: failure.status, requestID: requestID, received: failure.received,
        attempts: attempt)
      return .again(error, asked: nil)
    }
  }

  /// Statuses that another attempt may change: the request took too long to arrive, a conflict, too many requests,
  /// errors of the server.
  private static func isPassing(_ status: Int) -> Bool { [408, 409, 429].contains(status) || status >= 500 }

  /// `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3).
  private func askedWait(_ response: HTTPResponse) -> Duration? {
    guard let text = response.header("Retry-After") else { return nil }
    if let seconds = Int64(text) { return .seconds(max(0, min(seconds, 86_400))) }
    return HTTPDate.parse(text).map { .seconds(max(0, min($0 - waiting.now(), 86_400))) }
  }
}

extension Waiting {
  /// The machine's clock and random numbers.
  package static let real = Waiting(
    sleep: { try await Task.sleep(for: $0) }, jitter: { Double.random(in: 0.5...1) },
    now: { Int64(Date().timeIntervalSince1970) })
}
