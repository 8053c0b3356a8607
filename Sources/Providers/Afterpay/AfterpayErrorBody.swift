import HTTP
import JSON

/// The body of a refusal: `{"errorCode","errorId","message","httpStatusCode"}`.
struct AfterpayErrorBody: Sendable {
  /// Nil where it has none.
  var errorID: String?
  /// At most 200 characters, without secrets.
  var message = ""

  init(_ body: [UInt8], hiding secrets: [String]) {
    let found = try? JSONParser().parse(body) { root in
      (try? root["errorId"].string(), try? root["errorCode"].string(), try? root["message"].string())
    }
    let words = [found?.1, found?.2].compactMap { $0 }.joined(separator: ", ")
    let id = Excerpt.of(Array((found?.0 ?? "").utf8), hiding: secrets, length: 64)
    errorID = id.isEmpty ? nil : id
    message = Excerpt.of(words.isEmpty ? body : Array(words.utf8), hiding: secrets)
  }

  /// The meaning of an answer that is not a success.
  func failure(_ answer: RefusedAnswer) -> ProviderFailure {
    switch answer.code {
    case 401:
      answer.credentials(
        "Afterpay refused the credentials", "check merchant_id, secret_key and base_url: each region has its own")
    case 403:
      answer.failure(
        .forbidden, "Afterpay does not let this account ask for it", "have Afterpay's support allow it, then run again")
    case 404: answer.missing("thing")
    default: answer.unexpected(message)
    }
  }
}
