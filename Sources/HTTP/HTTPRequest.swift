/// One request: to a provider a GET, or the POST of a form that obtains a token (Crossfoot changes nothing anywhere);
/// to a receiver of alerts the POST of a message.
package struct HTTPRequest: Sendable {
  /// An absolute URL on the client's host, or a path from `/` that is appended to the client's base URL.
  package var url: String
  /// Headers that may be logged.
  package var headers: [(String, String)]
  /// Headers that are never logged, and whose values are removed from every excerpt.
  package var secretHeaders: [(String, String)]
  /// What is requested, for messages, e.g. `stripe refunds`.
  package var label: String
  /// Returns what is wrong with the body of a 2xx answer (truncated, a web page …), or nil; an invalid body is
  /// requested again.
  package var bodyFault: (@Sendable (HTTPResponse) -> String?)?
  /// A form (`application/x-www-form-urlencoded`), posted to obtain a token; nil: a GET.
  ///
  /// Its answer contains a secret, so no error repeats any of it.
  package var tokenForm: String?
  /// A message to a receiver of alerts, posted with a `Content-Type` among the headers; nil: no message.
  package var message: [UInt8]?
  /// Further texts that no error may contain, such as an address that is itself a credential.
  package var secrets: [String] = []

  /// A request without a body.
  package init(
    url: String, headers: [(String, String)] = [], secretHeaders: [(String, String)] = [], label: String,
    bodyFault: (@Sendable (HTTPResponse) -> String?)? = nil, tokenForm: String? = nil, message: [UInt8]? = nil,
    secrets: [String] = []
  ) {
    self.message = message
    self.secrets = secrets
    self.url = url
    self.headers = headers
    self.secretHeaders = secretHeaders
    self.label = label
    self.bodyFault = bodyFault
    self.tokenForm = tokenForm
  }
}

/// What a provider answered, whole: status, headers, body.
package struct HTTPResponse: Sendable {
  /// The HTTP status, 100…599.
  package var status: Int
  /// The headers in the order received, names as sent.
  package var headers: [(name: String, value: String)]
  /// The decoded body.
  package var body: [UInt8]

  /// An answer from its parts.
  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The last value of a header, whatever the case of its name.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.last { $0.name.lowercased() == wanted }?.value
  }

  /// The provider's id of the request, for its support (`Request-Id`, `PayPal-Debug-Id`, `X-Request-Id`).
  package var requestID: String? {
    header("Request-Id") ?? header("X-Request-Id") ?? header("PayPal-Debug-Id")
  }

  /// The `Date` header as Unix seconds, if there is a readable one.
  package var date: Int64? { header("Date").flatMap(HTTPDate.parse) }
}
