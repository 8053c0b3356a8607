import CCurl

/// The parts of a URL as libcurl sees them.
struct URLParts {
  var scheme: String
  var host: String
  var port: String
  /// Without percent-encoding.
  var user: String?
  var hasPassword: Bool
  /// As it is in the URL, beginning with `/`.
  var path: String
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
    user = part(CURLUPART_USER, UInt32(CURLU_URLDECODE))
    hasPassword = part(CURLUPART_PASSWORD) != nil
    path = part(CURLUPART_PATH) ?? "/"
    hasQuery = part(CURLUPART_QUERY) != nil || part(CURLUPART_FRAGMENT) != nil
  }

  var hasUser: Bool { user != nil || hasPassword }

  var isPlain: Bool { !hasUser && !hasQuery }

  var isLoopback: Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    let isFourNumbers = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    return host == "localhost" || host == "[::1]" || (isFourNumbers && numbers[0] == "127")
  }
}
