import HTTP
import JSON

/// Why PayPal did not give what was asked for, as one stream sees it.
struct PayPalFailure: Error, Sendable {
  /// What follows from it.
  enum Kind: Sendable, Equatable {
    /// The token endpoint, or a fresh token, was refused: nothing else need be asked.
    case credentials
    /// 403, or a token without the scope: a feature of the application is not switched on.
    case forbidden
    /// 404: there is no such object.
    case missing
    /// `RESULTSET_TOO_LARGE`: the window must be cut (docs/providers/paypal.md section 1).
    case tooLarge
    /// "Data for the given start date is not available": not served yet, which is not the same as no rows.
    case notServed
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

extension PayPalFailure {
  /// What a thrown error means for the stream.
  init(_ error: any Error, asking what: String) {
    switch error {
    case let failure as PayPalFailure: self = failure
    case let error as HTTPError:
      self.init(kind: error.isUnreachable ? .unreachable : .other, sentence: error.description)
    case is CancellationError: self.init(kind: .cancelled, sentence: "\(what): the pull was cancelled; run it again")
    default: self.init(kind: .other, sentence: "\(what): \(error)")
    }
  }

  /// What an answer that is no success means.
  init(_ response: HTTPResponse, _ fault: PayPalErrorBody, asking what: String, stream: PayPalStream, provider: String)
  {
    let status = "status \(response.status)" + ((response.requestID ?? fault.debugID).map { ", request \($0)" } ?? "")
    switch response.status {
    case 401: self = .refused(provider: provider, status: status)
    case 403: self = .forbidden(what, stream, status)
    case 400, 404, 422:
      if fault.isTooLarge {
        self.init(kind: .tooLarge, sentence: "\(what): more rows than PayPal gives for one window (\(status))")
      } else if fault.isNotServed {
        self.init(
          kind: .notServed, sentence: "\(what): PayPal does not serve these hours yet (\(status)); run again later")
      } else if response.status == 404 {
        self.init(kind: .missing, sentence: "\(what): there is no such object (\(status))")
      } else {
        self.init(kind: .other, sentence: "\(what): \(status) instead of an answer: \(fault.words)")
      }
    default: self.init(kind: .other, sentence: "\(what): \(status) instead of an answer: \(fault.words)")
    }
  }

  /// The credentials are not accepted.
  static func refused(provider: String, status: String) -> PayPalFailure {
    PayPalFailure(
      kind: .credentials,
      sentence:
        "provider \(provider): PayPal refused the credentials (\(status)); check its client_id and client_secret in "
        + "the configuration, and that they belong to the host in base_url")
  }

  /// A feature is not switched on for the application.
  static func forbidden(_ what: String, _ stream: PayPalStream, _ status: String) -> PayPalFailure {
    PayPalFailure(
      kind: .forbidden,
      sentence:
        "\(what): the application may not read it (\(status)); enable \(stream.feature) in the application's settings "
        + "at PayPal; it can take nine hours until new tokens carry it, then run again")
  }
}

/// What the body of a refusal says: `{"name","message","debug_id","details":[{"issue","description"}]}`, at the token
/// endpoint
/// `{"error","error_description"}`.
struct PayPalErrorBody: Sendable {
  var name = ""
  var debugID: String?
  /// Name, message and issues, at most 200 characters, without secrets.
  var words = ""
  private var text = ""

  init(_ body: [UInt8], hiding secrets: [String]) {
    let found = try? JSONParser().parse(body) { root in
      let issues = root["details"].elements.flatMap { [$0["issue"], $0["description"]] }
      let parts = [root["name"], root["message"], root["error"], root["error_description"]] + issues
      return ((try? root["name"].string()) ?? "", try? root["debug_id"].string(), parts.compactMap { try? $0.string() })
    }
    name = found?.0 ?? ""
    debugID = found?.1.map { String($0.prefix(60)) }
    text = found?.2.joined(separator: " ") ?? ""
    words = text.isEmpty ? Excerpt.of(body, hiding: secrets) : Excerpt.of(Array(text.utf8), hiding: secrets)
  }

  var isTooLarge: Bool { text.contains("RESULTSET_TOO_LARGE") }
  var isNotServed: Bool { text.lowercased().contains("not available") }
}
