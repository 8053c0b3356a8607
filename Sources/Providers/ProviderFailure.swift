import HTTP

/// Why a provider did not return what was requested, as one stream sees it.
struct ProviderFailure: Error, Sendable {
  /// What follows from it.
  enum Kind: Sendable, Equatable {
    /// The credentials were refused: no further request is useful.
    case credentials
    /// A permission, scope or feature is missing.
    case forbidden
    /// There is no such object.
    case missing
    /// A page's cursor is no longer valid: the list has to be requested in another way.
    case cursorGone
    /// A payout does not list the rows it pays.
    case notItemised
    /// More rows than the provider returns for one window: the window must be split.
    case tooLarge
    /// Not available yet, which is different from having no rows.
    case notServed
    /// No answer at all.
    case unreachable
    /// The run was cancelled.
    case cancelled
    /// Anything else.
    case other
  }
  var kind: Kind
  /// For people: what was requested, what came instead, what to do; contains neither credentials nor personal data.
  var sentence: String

  init(kind: Kind, sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }

  /// What a thrown error means for the stream.
  init(_ error: any Error, asking what: String) {
    switch error {
    case let failure as ProviderFailure: self = failure
    case let error as HTTPError:
      self.init(kind: error.isUnreachable ? .unreachable : .other, sentence: error.description)
    case is CancellationError: self.init(kind: .cancelled, sentence: "\(what): the pull was cancelled; run it again")
    default: self.init(kind: .other, sentence: "\(what): \(error)")
    }
  }

  /// What made the whole provider unavailable, if anything did.
  var refusal: PullOutcome.Refusal? {
    switch kind {
    case .credentials: .credentials
    case .unreachable: .unreachable
    default: nil
    }
  }
}

/// An answer that is not a success, and the sentences in which the refusals of all providers are reported.
struct RefusedAnswer: Sendable {
  /// What was requested, e.g. `stripe_eu charges`.
  let what: String
  /// The configured name of the provider.
  let provider: String
  let code: Int
  /// `status 403, request req_1`.
  let status: String

  /// - Parameter request: the provider's id of the request, unless a header of the answer contains it.
  init(_ response: HTTPResponse, asking what: String, provider: String, request: String? = nil) {
    let request = response.requestID ?? request
    self.init(
      response, asking: what, provider: provider,
      status: "status \(response.status)" + (request.map { ", request \($0)" } ?? ""))
  }

  init(_ response: HTTPResponse, asking what: String, provider: String, status: String) {
    self.what = what
    self.provider = provider
    self.status = status
    code = response.status
  }

  /// The credentials were not accepted.
  ///
  /// - Parameter remedy: what to do, with the keys of the configuration.
  func credentials(_ reason: String, _ remedy: String) -> ProviderFailure {
    ProviderFailure(kind: .credentials, sentence: "provider \(provider): \(reason) (\(status)); \(remedy)")
  }

  /// Any other meaning of a status or an error code.
  func failure(_ kind: ProviderFailure.Kind, _ reason: String, _ remedy: String? = nil) -> ProviderFailure {
    ProviderFailure(
      kind: kind, sentence: "\(what): \(reason) (\(status))" + (remedy.map { "; \($0)" } ?? ""))
  }

  func missing(_ thing: String = "object") -> ProviderFailure { failure(.missing, "there is no such \(thing)") }

  /// An answer of which only the status and its text are known.
  func unexpected(_ words: String, insteadOf answer: String = "an answer") -> ProviderFailure {
    ProviderFailure(kind: .other, sentence: "\(what): \(status) instead of \(answer): \(words)")
  }
}
