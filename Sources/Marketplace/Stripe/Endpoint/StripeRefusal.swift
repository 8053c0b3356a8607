/// An answer of Stripe's that is no object: status and error body as the API words them (digest 1).
enum StripeRefusal: Error, Sendable {
  case badKey(String)
  case noKey
  case forbidden(key: String, account: String, permission: String)
  case noSuchObject(kind: String, id: String)
  case noSuchCursor(parameter: String, id: String)
  case unknownParameter(String)
  case invalid(parameter: String, value: String)
  case manualPayout
  case unknownPath(method: String, path: String)
  case method(String)

  /// The HTTP status.
  var status: Int {
    switch self {
    case .badKey, .noKey: 401
    case .forbidden: 403
    case .noSuchObject, .unknownPath: 404
    case .method: 405
    case .noSuchCursor, .unknownParameter, .invalid, .manualPayout: 400
    }
  }

  /// The error body.
  var body: String {
    var members = [("message", message), ("type", "invalid_request_error")]
    if let code {
      members.append(("code", code))
      members.append(("doc_url", "https://stripe.com/docs/error-codes/" + code.replacing("_", with: "-")))
    }
    if let parameter { members.append(("param", parameter)) }
    let text = members.map { "\"\($0.0)\":\(JSONTree.quoted($0.1))" }.joined(separator: ",")
    return "{\"error\":{\(text)}}"
  }

  private var message: String {
    switch self {
    case .badKey(let key): "Invalid API Key provided: \(Self.masked(key))"
    case .noKey: "You did not provide an API key. Provide it in the Authorization header, using Bearer auth."
    case .forbidden(let key, let account, let permission):
      "The provided key '\(Self.masked(key))' does not have the required permissions for this endpoint on account "
        + "'\(account)'. Having the '\(permission)' permission would allow this request to continue."
    case .noSuchObject(let kind, let id), .noSuchCursor(let kind, let id): "No such \(kind): '\(id)'"
    case .unknownParameter(let name): "Received unknown parameter: \(name)"
    case .invalid(let parameter, let value): "Invalid \(parameter): \(value)"
    case .manualPayout: "Balance transaction history can only be filtered on automatic transfers, not manual."
    case .unknownPath(let method, let path):
      "Unrecognized request URL (\(method): \(path)). Please see https://stripe.com/docs."
    case .method(let method): "This endpoint serves reads only; it refuses \(method)."
    }
  }

  private var code: String? {
    switch self {
    case .noSuchObject, .noSuchCursor: "resource_missing"
    case .unknownParameter: "parameter_unknown"
    case .invalid: "parameter_invalid_integer"
    default: nil
    }
  }

  private var parameter: String? {
    switch self {
    case .noSuchObject: "id"
    case .noSuchCursor(let parameter, _), .unknownParameter(let parameter), .invalid(let parameter, _): parameter
    case .manualPayout: "payout"
    default: nil
    }
  }

  /// A key as Stripe repeats it in a message: its first and last letters.
  private static func masked(_ key: String) -> String {
    let end = key.count > 12 ? String(key.suffix(4)) : ""
    return "\(key.prefix(8))\(String(repeating: "*", count: max(0, key.count - 12)))\(end)"
  }
}
