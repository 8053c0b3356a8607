import CCurl

/// The one host a client talks to, parsed by the same code that will connect, so that two readings of a URL cannot
/// differ.
struct BaseURL: Sendable {
  /// Without a trailing slash.
  let text: String
  let scheme: String
  let host: String
  let port: String

  /// - Throws: `HTTPError.insecureBaseURL` unless it is https, or http on loopback, and carries no password.
  init(_ text: String) throws {
    var trimmed = Substring(text)
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let parts = URLParts(String(trimmed)), parts.isPlain else {
      throw HTTPError.insecureBaseURL(Self.shown(text))
    }
    guard parts.scheme == "https" || (parts.scheme == "http" && parts.isLoopback) else {
      throw HTTPError.insecureBaseURL(Self.shown(text))
    }
    self.text = String(trimmed)
    scheme = parts.scheme
    host = parts.host
    port = parts.port
  }

  /// The absolute URL of a request's link.
  ///
  /// - Throws: `HTTPError.foreignHost` when the link leads elsewhere, `malformedURL` when it is not a link.
  func resolve(_ link: String, label: String) throws -> String {
    let absolute = link.hasPrefix("/") ? text + link : link
    guard let parts = URLParts(absolute) else { throw HTTPError.malformedURL(label: label) }
    guard parts.scheme == scheme, parts.host == host, parts.port == port, !parts.hasUser else {
      throw HTTPError.foreignHost(label: label, host: parts.host, expected: host)
    }
    return absolute
  }

  /// A password in a URL is not repeated.
  private static func shown(_ text: String) -> String {
    text.contains("@") ? "<with a password>" : String(text.prefix(100))
  }
}
