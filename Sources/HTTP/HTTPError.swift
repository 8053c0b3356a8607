/// Why a provider's answer is not available: what was requested, what came instead, after how many attempts.
package enum HTTPError: Error, Equatable {
  /// The base URL is neither `https` nor `http` on loopback, contains a password, or is not a URL.
  case insecureBaseURL(String)
  /// The requested address is not a URL.
  case malformedURL(label: String)
  /// A link leads to another host than the base URL: it is not followed.
  case foreignHost(label: String, host: String, expected: String)
  /// No connection, or it broke before an answer.
  case unreachable(label: String, host: String, reason: String, attempts: Int)
  /// The server's certificate is not trusted.
  case untrusted(label: String, host: String, reason: String)
  /// The answer took too long.
  case timedOut(label: String, host: String, attempts: Int)
  /// The body ended before its announced end.
  case cutBody(label: String, status: Int, requestID: String?, received: Int, attempts: Int)
  /// The body is longer than the limit, in bytes.
  case tooLarge(label: String, limit: Int)
  /// A status that calls for another attempt, up to the last attempt; the excerpt contains no secret.
  case serverError(label: String, status: Int, requestID: String?, excerpt: String, attempts: Int)
  /// 429 to the last attempt.
  case rateLimited(label: String, requestID: String?, attempts: Int)
  /// A 2xx whose body is not what was expected, up to the last attempt.
  case unreadableBody(label: String, status: Int, requestID: String?, fault: String, excerpt: String, attempts: Int)
  /// The run's deadline came before the answer; `cause` is the error of the attempt before, if there was one.
  case deadlineReached(label: String, cause: String?)

  /// Whether nothing at all came back, so that the provider counts as unreachable.
  package var isUnreachable: Bool {
    switch self {
    case .unreachable, .untrusted, .timedOut: true
    default: false
    }
  }
}

extension HTTPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .insecureBaseURL(let url):
      "base_url \(url) must be https (http only on loopback), without user, password, query or fragment"
    case .malformedURL(let label):
      "\(label): the link to ask is no URL; check base_url"
    case .foreignHost(let label, let host, let expected):
      "\(label): a link leads to \(host) instead of \(expected); links to other hosts are not followed: check base_url"
    case .unreachable(let label, let host, let reason, let attempts):
      "\(label): \(host) could not be reached in \(attempts) attempts: \(reason); check the network and base_url"
    case .untrusted(let label, let host, let reason):
      "\(label): the certificate of \(host) is not trusted: \(reason); check base_url and ca_file"
    case .timedOut(let label, let host, let attempts):
      "\(label): \(host) did not answer in time in \(attempts) attempts; try again later"
    case .cutBody(let label, let status, let requestID, let received, let attempts):
      "\(label): the answer (status \(status)\(Self.named(requestID))) broke off after \(received) bytes in "
        + "\(attempts) attempts; run again later"
    case .tooLarge(let label, let limit):
      "\(label): the answer is larger than \(limit) bytes; ask for fewer days at once"
    case .serverError(let label, let status, let requestID, let excerpt, let attempts):
      "\(label): status \(status)\(Self.named(requestID)) in \(attempts) attempts\(Self.said(excerpt)); run again later"
    case .rateLimited(let label, let requestID, let attempts):
      "\(label): too many requests, status 429\(Self.named(requestID)) in \(attempts) attempts; raise retry.attempts "
        + "or run later"
    case .unreadableBody(let label, let status, let requestID, let fault, let excerpt, let attempts):
      "\(label): status \(status)\(Self.named(requestID)), but \(fault), in \(attempts) "
        + "attempts\(Self.said(excerpt)); check base_url, or run again later"
    case .deadlineReached(let label, let cause):
      "\(label): the run's deadline was reached before an answer came\(cause.map { " (\($0))" } ?? ""); the next run "
        + "reads the rest"
    }
  }

  /// The error of one attempt, without the number of attempts and without advice: for the log of the next attempt.
  package var cause: String {
    switch self {
    case .unreachable(let label, let host, let reason, _): "\(label): \(host) could not be reached: \(reason)"
    case .timedOut(let label, let host, _): "\(label): \(host) did not answer in time"
    case .cutBody(let label, let status, let requestID, let received, _):
      "\(label): the answer (status \(status)\(Self.named(requestID))) broke off after \(received) bytes"
    case .serverError(let label, let status, let requestID, let excerpt, _):
      "\(label): status \(status)\(Self.named(requestID))\(Self.said(excerpt))"
    case .rateLimited(let label, let requestID, _): "\(label): too many requests, status 429\(Self.named(requestID))"
    case .unreadableBody(let label, let status, let requestID, let fault, let excerpt, _):
      "\(label): status \(status)\(Self.named(requestID)), but \(fault)\(Self.said(excerpt))"
    default: description
    }
  }

  private static func named(_ requestID: String?) -> String { requestID.map { ", request \($0)" } ?? "" }

  private static func said(_ excerpt: String) -> String { excerpt.isEmpty ? "" : ": \(excerpt)" }
}
