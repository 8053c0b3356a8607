import Foundation

/// Addresses of services: which are allowed, and how they are displayed.
package enum Address {
  /// Why an address is refused.
  package struct Refusal: Error, Equatable {
    /// What would be accepted.
    package let expected: String
    /// What was found; contains nothing that can be secret.
    package let found: String
  }

  /// The address without a trailing `/`, if its scheme is one of `schemes`, or `http` to this machine.
  ///
  /// Names and passwords inside an address are refused: they have keys of their own.
  ///
  /// - Parameter isBase: Whether paths are appended to it, so that it must have no query, fragment or user.
  package static func check(_ text: String, schemes: [String] = ["https"], isBase: Bool = false) -> Result<
    String, Refusal
  > {
    let expected = "an address that begins with \(schemes.map { "\($0)://" }.joined(separator: " or "))"
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host,
      !host.isEmpty
    else {
      return .failure(Refusal(expected: expected, found: "text that is none"))
    }
    guard parts.password == nil else {
      return .failure(Refusal(expected: "an address without a password in it", found: "one with a password"))
    }
    if isBase, parts.query != nil || parts.fragment != nil || parts.user != nil {
      let what = parts.user != nil ? "one with a user" : parts.query != nil ? "one with a query" : "one with a fragment"
      return .failure(Refusal(expected: "an address that paths can be put to, as in https://host", found: what))
    }
    let isAllowed = schemes.contains(scheme) || (scheme == "http" && schemes.contains("https") && isLoopback(host))
    guard isAllowed else {
      let why = scheme == "http" ? "http:// to another machine (http is for loopback only)" : "\(scheme)://"
      return .failure(Refusal(expected: expected, found: why))
    }
    return .success(String(text.reversed().drop { $0 == "/" }.reversed()))
  }

  /// Whether a host is this machine: `localhost`, `127.0.0.0/8` or `::1`; names are not looked up.
  package static func isLoopback(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    if bare.lowercased() == "localhost" || bare == "::1" { return true }
    let numbers = bare.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && !numbers.contains(nil) && numbers[0] == 127
  }

  /// The address for display: without password, query and fragment.
  package static func shown(_ text: String) -> String {
    guard text.contains("://") else { return text.hasPrefix("sqlite:") ? text : "<secret>" }
    guard var parts = URLComponents(string: text) else { return "<secret>" }
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return parts.string ?? "<secret>"
  }
}
