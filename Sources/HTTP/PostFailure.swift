/// Why a message could not be delivered, and whether the receiver may have it nonetheless.
package struct PostFailure: Error, CustomStringConvertible {
  package let error: HTTPError
  /// The request was sent and its answer was lost: if repeated, it must be recognisable as the same message.
  package let mayHaveArrived: Bool

  package var description: String { error.description }
}

/// The address of a receiver, split so that the part which may be a credential never appears in an error.
package struct ReceiverAddress: Sendable {
  /// Scheme, host and port: safe to show.
  package let host: String
  /// Texts that no error may contain.
  package let secrets: [String]

  /// Nil where it is not an address with a host, or contains a user or a password.
  package init?(_ url: String) {
    guard let parts = URLParts(url), !parts.hasUser else { return nil }
    host = "\(parts.scheme)://\(parts.host):\(parts.port)"
    let pieces = url.split(whereSeparator: { "/?&=#".contains($0) }).map(String.init)
    secrets = [url, parts.path] + pieces.filter { $0.count >= 12 && !$0.contains(parts.host) }
  }
}
