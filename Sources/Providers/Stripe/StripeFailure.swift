import HTTP

/// Why Stripe did not give what was asked for, as one stream sees it.
struct StripeFailure: Error, Sendable {
  /// What follows from it.
  enum Kind: Sendable, Equatable {
    /// 401: nothing else need be asked.
    case credentials
    /// 403, with the permission that is missing.
    case forbidden
    /// 404, or 400 with `resource_missing`.
    case missing
    /// 400 about `starting_after`: the cursor's object is gone or no longer fits the filter
    /// (docs/providers/stripe.md section 4, trap 2).
    case cursorGone
    /// 400 because a manual payout does not say which rows it pays (trap 11).
    case notItemised
    /// No answer at all.
    case unreachable
    /// The run was cancelled.
    case cancelled
    /// Anything else.
    case other
  }
  var kind: Kind
  /// For people: what was asked, what came instead, what to do; holds neither key nor personal values.
  var sentence: String
}

extension StripeFailure {
  /// What a thrown error means for the stream.
  init(_ error: any Error, asking what: String) {
    switch error {
    case let failure as StripeFailure: self = failure
    case let error as HTTPError:
      self.init(kind: error.isUnreachable ? .unreachable : .other, sentence: error.description)
    case is CancellationError: self.init(kind: .cancelled, sentence: "\(what): the pull was cancelled; run it again")
    default: self.init(kind: .other, sentence: "\(what): \(error)")
    }
  }

  /// What an answer that is no success means.
  init(_ response: HTTPResponse, _ fault: StripeErrorBody, asking what: String, stream: StripeStream, provider: String)
  {
    let status = "status \(response.status)" + (response.requestID.map { ", request \($0)" } ?? "")
    switch response.status {
    case 401:
      self.init(
        kind: .credentials,
        sentence: "provider \(provider): Stripe refused the API key (\(status)); check its api_key in the configuration"
      )
    case 403:
      let wanted = fault.permissions.isEmpty ? stream.permission : fault.permissions.joined(separator: ", ")
      self.init(
        kind: .forbidden,
        sentence:
          "\(what): the API key lacks the permission \(wanted) (\(status)); grant it in the Dashboard, then run again")
    case 404: self.init(kind: .missing, sentence: "\(what): there is no such object (\(status))")
    case 400 where fault.parameter == "starting_after":
      self.init(kind: .cursorGone, sentence: "\(what): the page's cursor is no longer known (\(status))")
    case 400 where fault.message.contains("automatic"):
      self.init(kind: .notItemised, sentence: "\(what): Stripe does not say which rows it pays (\(status))")
    case 400 where fault.code == "resource_missing":
      self.init(kind: .missing, sentence: "\(what): there is no such object (\(status))")
    default: self.init(kind: .other, sentence: "\(what): \(status) instead of an answer: \(fault.message)")
    }
  }
}
