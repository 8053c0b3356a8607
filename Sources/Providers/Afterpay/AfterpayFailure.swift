import HTTP

/// Why Afterpay did not give what was asked for.
struct AfterpayFailure: Error, Sendable {
  /// What follows from it.
  enum Kind: Sendable, Equatable {
    /// 401: nothing else need be asked.
    case credentials
    /// 403: the account may not ask for this.
    case forbidden
    /// 404.
    case missing
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

extension AfterpayFailure {
  /// What a thrown error means.
  init(_ error: any Error, asking what: String) {
    switch error {
    case let failure as AfterpayFailure: self = failure
    case let error as HTTPError:
      self.init(kind: error.isUnreachable ? .unreachable : .other, sentence: error.description)
    case is CancellationError: self.init(kind: .cancelled, sentence: "\(what): the pull was cancelled; run it again")
    default: self.init(kind: .other, sentence: "\(what): \(error)")
    }
  }

  /// What an answer that is no success means.
  init(_ response: HTTPResponse, _ body: AfterpayErrorBody, asking what: String, provider: String) {
    let named = response.requestID ?? body.errorID
    let status = "status \(response.status)" + (named.isEmpty ? "" : ", request \(named)")
    switch response.status {
    case 401:
      self.init(
        kind: .credentials,
        sentence:
          "provider \(provider): Afterpay refused the credentials (\(status)); check merchant_id, secret_key and "
          + "base_url: each region has its own")
    case 403:
      self.init(
        kind: .forbidden,
        sentence:
          "\(what): Afterpay does not let this account ask for it (\(status)); have Afterpay's support allow it, then "
          + "run again"
      )
    case 404: self.init(kind: .missing, sentence: "\(what): there is no such thing (\(status))")
    default: self.init(kind: .other, sentence: "\(what): \(status) instead of an answer: \(body.message)")
    }
  }
}
