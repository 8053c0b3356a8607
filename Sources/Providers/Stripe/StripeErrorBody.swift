import HTTP
import JSON

/// The body of a refusal: `{"error":{"type","code","message","param"}}`.
struct StripeErrorBody: Sendable {
  var code = ""
  var parameter = ""
  /// At most 200 characters, without secrets.
  var message = ""
  /// The permissions the message names, `rak_charge_read`.
  var permissions: [String] = []

  init(_ body: [UInt8], hiding secrets: [String]) {
    let found = try? JSONParser().parse(body) { root in
      let error = root["error"]
      return (try? error["code"].string(), try? error["param"].string(), try? error["message"].string())
    }
    code = found?.0 ?? ""
    parameter = found?.1 ?? ""
    message = Excerpt.of(Array((found?.2 ?? "").utf8), hiding: secrets)
    let words = (found?.2 ?? "").split { !($0.isLetter || $0.isNumber || $0 == "_") }
    permissions = words.filter { $0.hasPrefix("rak_") && $0.count < 80 }.map(String.init)
  }

  /// The meaning of an answer that is not a success.
  func failure(_ answer: RefusedAnswer, on stream: StripeStream) -> ProviderFailure {
    switch answer.code {
    case 401: return answer.credentials("Stripe refused the API key", "check its api_key in the configuration")
    case 403:
      let lacking = permissions.isEmpty ? stream.permission : permissions.joined(separator: ", ")
      return answer.failure(
        .forbidden, "the API key lacks the permission \(lacking)", "grant it in the Dashboard, then run again")
    case 404: return answer.missing()
    // The cursor's object is gone or no longer fits the filter (docs/providers/stripe.md section 4, trap 2).
    case 400 where parameter == "starting_after":
      return answer.failure(.cursorGone, "the page's cursor is no longer known")
    // A manual payout (trap 11).
    case 400 where message.contains("automatic"):
      return answer.failure(.notItemised, "Stripe does not say which rows it pays")
    case 400 where code == "resource_missing": return answer.missing()
    default: return answer.unexpected(message)
    }
  }
}
