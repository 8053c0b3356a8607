import HTTP
import JSON
import Settings

/// Paths and queries of requests to the providers' APIs.
extension HTTPRequest {
  /// A path followed by its query; names and values are not yet encoded.
  ///
  /// - Parameter plain: further characters that are not encoded.
  static func path(_ path: String, _ query: [(String, String)], keeping plain: String = "") -> String {
    guard !query.isEmpty else { return path }
    let items = query.map { "\(encoded($0.0, keeping: plain))=\(encoded($0.1, keeping: plain))" }
    return path + (path.contains("?") ? "&" : "?") + items.joined(separator: "&")
  }

  /// Percent-encoded by RFC 3986 section 2.3: all but the unreserved characters, so that no id can escape its path
  /// segment.
  static func encoded(_ text: String, keeping plain: String = "") -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte in
      unreserved.contains(byte) || plain.utf8.contains(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
}

extension HTTPResponse {
  /// What is wrong with a body as a whole, so that the request is repeated; nil when nothing is.
  ///
  /// - Parameters:
  ///   - fault: what is wrong with the document; by default, that it is not an object.
  ///   - canBeSplit: whether a body that is not valid JSON as a whole may still contain readable records.
  func bodyFault(
    _ fault: (JSONValue) -> String? = { $0.kind == .object ? nil : "its body is no JSON object" },
    unless canBeSplit: (HTTPResponse) -> Bool = { _ in false }
  ) -> String? {
    do {
      return try JSONParser().parse(body, fault)
    } catch {
      return canBeSplit(self) ? nil : "its body is no JSON: \(error)"
    }
  }
}

extension Diagnostic {
  /// Whether this machine's clock and the provider's agree: if they differ by more than a minute, a watermark would
  /// claim records that do not exist yet. Nothing where the provider does not report its time.
  ///
  /// - Parameters:
  ///   - name: the configured name.
  ///   - whose: the provider's own name.
  ///   - theirs: the provider's time, Unix seconds.
  ///   - now: this machine's.
  static func clock(_ name: String, of whose: String, _ theirs: Int64?, now: @autoclosure () -> Int64) -> [Diagnostic] {
    guard let theirs else { return [] }
    let skew = now() - theirs
    guard abs(skew) > 60 else { return [Diagnostic(.good, "\(name): this machine's clock agrees with \(whose)'s")] }
    let words = skew > 0 ? "ahead of" : "behind"
    return [
      Diagnostic(
        .bad, "\(name): this machine's clock is \(abs(skew)) s \(words) \(whose)'s; let it follow a time server")
    ]
  }
}

extension ProviderEntry {
  /// Attempts, waits and the time limit of requests, as the entry configures them.
  ///
  /// - Parameter timeout: seconds, unless the entry has a `timeout`.
  func retryPolicy(timeout: Int64 = 80) -> RetryPolicy {
    RetryPolicy(
      attempts: Int(retry.attempts), waitAtMost: .seconds(retry.waitAtMost),
      timeout: .seconds(node.duration("timeout", default: timeout)))
  }
}
