import HTTP
import JSON

/// The body of a refusal: `{"name","message","debug_id","details":[{"issue","description"}]}`, at the token endpoint
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

  /// The meaning of an answer that is not a success.
  func failure(_ answer: RefusedAnswer, on stream: PayPalStream) -> ProviderFailure {
    switch answer.code {
    case 401: return answer.refusedCredentials
    case 403: return .featureOff(answer.what, stream, answer.status)
    case 400, 404, 422:
      if isTooLarge { return answer.failure(.tooLarge, "more rows than PayPal gives for one window") }
      if isNotServed {
        return answer.failure(.notServed, "PayPal does not serve these hours yet", "run again later")
      }
      return answer.code == 404 ? answer.missing() : answer.unexpected(words)
    default: return answer.unexpected(words)
    }
  }
}

extension RefusedAnswer {
  /// The token endpoint, or a fresh token, was refused.
  var refusedCredentials: ProviderFailure {
    credentials(
      "PayPal refused the credentials",
      "check its client_id and client_secret in the configuration, and that they belong to the host in base_url")
  }
}

extension ProviderFailure {
  /// A feature is not enabled for the application, as a refusal or the scopes of the token show.
  static func featureOff(_ what: String, _ stream: PayPalStream, _ evidence: String) -> ProviderFailure {
    ProviderFailure(
      kind: .forbidden,
      sentence:
        "\(what): the application may not read it (\(evidence)); enable \(stream.feature) in the application's "
        + "settings at PayPal; it can take nine hours until new tokens carry it, then run again")
  }
}
