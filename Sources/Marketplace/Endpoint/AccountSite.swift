/// What one account of a provider answers on one night, before transport.
protocol AccountSite: Sendable {
  /// Answers a request; refusals are worded as the provider does.
  ///
  /// - Parameter repeating: an item of the page before, or of this one, comes once more, where the answer is a list.
  func answer(_ request: SiteRequest, repeating: Bool) -> SiteAnswer
  /// The body of an error with that status, worded as the provider does.
  func failure(_ status: Int) -> String
}

/// A request as a site sees it.
struct SiteRequest: Sendable {
  var method: String
  /// Decoded, without the query.
  var path: String
  /// Decoded, in the order sent.
  var query: [(name: String, value: String)]
  /// By lower-case name.
  var headers: [String: String]
  var body: String
  /// Where the endpoint listens, for links.
  var baseURL: String

  /// The first value of that name.
  func value(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The user and the password of HTTP Basic, joined by a colon.
  var basic: String?

  /// The token of a bearer header.
  var bearer: String? {
    guard let header = headers["authorization"], header.hasPrefix("Bearer ") else { return nil }
    return String(header.dropFirst(7))
  }
}

/// An answer before transport.
struct SiteAnswer: Sendable {
  var status: Int
  var body: String
  /// `Content-Type` among them where it is not JSON.
  var headers: [String: String] = [:]

  static func ok(_ body: String) -> SiteAnswer { SiteAnswer(status: 200, body: body) }
}
