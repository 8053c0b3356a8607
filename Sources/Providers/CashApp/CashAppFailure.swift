import HTTP
import JSON

/// Why Cash App did not give what was asked for, as one stream sees it.
struct CashAppFailure: Error, Sendable {
  /// What follows from it.
  enum Kind: Sendable, Equatable {
    /// 401: nothing else need be asked.
    case credentials
    /// 403, with the scope that is missing.
    case forbidden
    /// 404.
    case missing
    /// 400 with `INVALID_CURSOR`: the list is to be walked again from its beginning.
    case cursorGone
    /// No answer at all.
    case unreachable
    /// The run was cancelled.
    case cancelled
    /// Anything else.
    case other
  }
  var kind: Kind
  /// For people: what was asked, what came instead, what to do; holds neither secret nor personal values.
  var sentence: String
}

extension CashAppFailure {
  /// What a thrown error means for the stream.
  init(_ error: any Error, asking what: String) {
    switch error {
    case let failure as CashAppFailure: self = failure
    case let error as HTTPError:
      self.init(kind: error.isUnreachable ? .unreachable : .other, sentence: error.description)
    case is CancellationError: self.init(kind: .cancelled, sentence: "\(what): the pull was cancelled; run it again")
    default: self.init(kind: .other, sentence: "\(what): \(error)")
    }
  }

  /// What an answer that is no success means.
  init(
    _ response: HTTPResponse, _ fault: CashAppErrorBody, asking what: String, stream: CashAppStream, provider: String
  ) {
    let status = "status \(response.status)" + (fault.code.isEmpty ? "" : ", \(fault.code)")
    switch response.status {
    case 401:
      self.init(
        kind: .credentials,
        sentence: "provider \(provider): Cash App refused the API key (\(status)); \(Self.remedy(fault.code))")
    case 403:
      self.init(
        kind: .forbidden,
        sentence:
          "\(what): the API key lacks the scope \(fault.scope ?? stream.scope) (\(status)); make a key that has it, "
          + "then run again"
      )
    case 404: self.init(kind: .missing, sentence: "\(what): there is no such record (\(status))")
    case 400 where fault.code == "INVALID_CURSOR":
      self.init(kind: .cursorGone, sentence: "\(what): the page's cursor is no longer known (\(status))")
    default: self.init(kind: .other, sentence: "\(what): \(status) instead of an answer: \(fault.detail)")
    }
  }

  private static func remedy(_ code: String) -> String {
    switch code {
    case "ACCESS_TOKEN_EXPIRED":
      "keys end after 30 days: make a new one and set its key_id and secret in the configuration"
    case "ACCESS_TOKEN_REVOKED": "make a new one and set its key_id and secret in the configuration"
    case "CLIENT_DISABLED": "Cash App has disabled the client: ask its support"
    default: "check client_id, key_id, secret and signature_variant in the configuration"
    }
  }
}

/// What the body of a refusal says: `{"errors":[{"category","code","detail","field"}]}`.
struct CashAppErrorBody: Sendable {
  /// Of the first error.
  var code = ""
  /// At most 200 characters, without secrets.
  var detail = ""
  /// The scope that the text names, `PAYMENTS_READ`.
  var scope: String?

  init(_ body: [UInt8], hiding secrets: [String]) {
    let found = try? JSONParser().parse(body) { root -> (String, String) in
      guard let error = root["errors"].elements.first(where: { _ in true }) else { return ("", "") }
      return ((try? error["code"].string()) ?? "", (try? error["detail"].string()) ?? "")
    }
    code = String((found?.0 ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }.prefix(60))
    detail = Excerpt.of(Array((found?.1 ?? "").utf8), hiding: secrets)
    let words = (found?.1 ?? "").split { !($0.isASCII && ($0.isLetter || $0 == "_")) }
    scope = words.first { $0.hasSuffix("_READ") && $0.count < 60 }.map(String.init)
  }
}
