import CCurl

/// The one host a client talks to, parsed by the same code that will connect, so that two readings of a URL cannot differ.
struct BaseURL: Sendable {
  /// Without a slash at its end.
  let text: String
  let scheme: String
  let host: String
  let port: String

  /// - Throws: `HTTPError.insecureBaseURL` unless it is https, or http on loopback, and carries no password.
  init(_ text: String) throws {
    var trimmed = Substring(text)
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let parts = URLParts(String(trimmed)), parts.isPlain else { throw HTTPError.insecureBaseURL(Self.shown(text)) }
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
  /// - Throws: `HTTPError.foreignHost` when the link leads elsewhere, `malformedURL` when it is none.
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

/// The parts of a URL as libcurl sees them.
private struct URLParts {
  var scheme: String
  var host: String
  var port: String
  var hasUser: Bool
  var hasQuery: Bool

  init?(_ text: String) {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
    func part(_ what: CURLUPart, _ flags: UInt32 = 0) -> String? {
      var bytes: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, what, &bytes, flags) == CURLUE_OK, let bytes else { return nil }
      defer { curl_free(bytes) }
      return String(cString: bytes)
    }
    guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST),
      let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))
    else { return nil }
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
    hasUser = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
    hasQuery = part(CURLUPART_QUERY) != nil || part(CURLUPART_FRAGMENT) != nil
  }

  var isPlain: Bool { !hasUser && !hasQuery }

  var isLoopback: Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    let isFourNumbers = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    return host == "localhost" || host == "[::1]" || (isFourNumbers && numbers[0] == "127")
  }
}
