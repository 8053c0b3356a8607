/// Why a message could not be delivered, and whether the receiver may have it nonetheless.
package struct PostFailure: Error, CustomStringConvertible {
  package let error: HTTPError
  /// An attempt left this machine and its answer was lost: sent again, it must be recognisable as the same.
  package let mayHaveArrived: Bool

  package var description: String { error.description }
}

/// The address of a receiver, split so that the part which may be a credential never is in an error.
package struct ReceiverAddress: Sendable {
  /// Scheme, host and port: fit to be shown.
  package let host: String
  /// What no error may repeat.
  package let secrets: [String]

  /// Nil where it is no address with a host, or carries a user or a password.
  package init?(_ url: String) {
    guard let parts = URLParts(url), !parts.hasUser else { return nil }
    host = "\(parts.scheme)://\(parts.host):\(parts.port)"
    let pieces = url.split(whereSeparator: { "/?&=#".contains($0) }).map(String.init)
    secrets = [url, parts.path] + pieces.filter { $0.count >= 12 && !$0.contains(parts.host) }
  }
}
