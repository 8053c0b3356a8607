import HTTP
import JSON

/// The body of a refusal: `{"errors":[{"category","code","detail","field"}]}`.
struct CashAppErrorBody: Sendable {
  /// Of the first error.
  var code = ""
  /// At most 200 characters, without secrets.
  var detail = ""
  /// The scope that the detail mentions, `PAYMENTS_READ`.
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

  /// The meaning of an answer that is not a success; `status` contains the code of the error, as Cash App gives
  /// requests no id.
  func failure(_ response: HTTPResponse, asking what: String, stream: CashAppStream, provider: String)
    -> ProviderFailure
  {
    let answer = RefusedAnswer(
      response, asking: what, provider: provider,
      status: "status \(response.status)" + (code.isEmpty ? "" : ", \(code)"))
    switch response.status {
    case 401: return answer.credentials("Cash App refused the API key", remedy)
    case 403:
      return answer.failure(
        .forbidden, "the API key lacks the scope \(scope ?? stream.scope)", "make a key that has it, then run again")
    case 404: return answer.missing("record")
    case 400 where code == "INVALID_CURSOR":
      return answer.failure(.cursorGone, "the page's cursor is no longer known")
    default: return answer.unexpected(detail)
    }
  }

  private var remedy: String {
    switch code {
    case "ACCESS_TOKEN_EXPIRED":
      "keys end after 30 days: make a new one and set its key_id and secret in the configuration"
    case "ACCESS_TOKEN_REVOKED": "make a new one and set its key_id and secret in the configuration"
    case "CLIENT_DISABLED": "Cash App has disabled the client: ask its support"
    default: "check client_id, key_id, secret and signature_variant in the configuration"
    }
  }
}
