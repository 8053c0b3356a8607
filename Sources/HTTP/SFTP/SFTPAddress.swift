/// A folder on an SFTP server: `sftp://user@host[:port]/path`; `/~/` is the user's own folder.
package struct SFTPAddress: Sendable, Hashable {
  package let host: String
  /// 22 unless the URL contains another port.
  package let port: String
  package let user: String
  /// As in the URL, with a trailing slash.
  let path: String
  let isLoopback: Bool

  /// - Throws: `SFTPError.address` unless it is such a URL, without a password.
  package init(_ text: String) throws(SFTPError) {
    guard let parts = URLParts(text), parts.scheme == "sftp" else {
      throw .address("it is no URL that begins with sftp://")
    }
    if parts.hasPassword { throw .address("it has a password; only keys are used, see settlement_key") }
    guard let user = parts.user, !user.isEmpty else { throw .address("it names no user") }
    if parts.hasQuery { throw .address("it has a query or a fragment") }
    host = parts.host
    port = parts.port
    self.user = user
    path = parts.path.hasSuffix("/") ? parts.path : parts.path + "/"
    isLoopback = parts.isLoopback
  }

  /// The folder for messages: without the user.
  var folder: String { "\(host):\(path)" }

  /// The URL of the folder, or of a file in it, without the user.
  func url(of name: String = "") -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.".utf8)
    let encoded = name.utf8.reduce(into: "") { text, byte in
      if plain.contains(byte) {
        text.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return "sftp://\(host):\(port)\(path)\(encoded)"
  }
}
