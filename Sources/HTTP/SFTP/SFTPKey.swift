import Foundation

/// The private key with which we authenticate: checked before any connection, so that a key that cannot work is refused
/// with the reason.
///
/// RSA is refused: the libssh2 of Debian 12 (1.10) signs with SHA-1 only, which OpenSSH has rejected since 8.8 without
/// giving a reason.
struct SFTPKey: Sendable {
  let path: String

  /// - Throws: `SFTPError.key`; no error contains the key's text.
  init(path: String) throws(SFTPError) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw .key("cannot be read; see that the path is right and the user who runs this may read it")
    }
    if let fault = Self.fault(String(decoding: bytes.prefix(64 << 10), as: UTF8.self)) { throw .key(fault) }
    self.path = path
  }

  /// Why a key cannot be used; nil for an Ed25519 or ECDSA key without a passphrase.
  private static func fault(_ text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let label = lines.first(where: { $0.hasPrefix("-----BEGIN ") })?.dropFirst(11).prefix(while: { $0 != "-" })
    else {
      return "is no private key; name the private key's file, not the one that ends in .pub"
    }
    let content = Array(Data(base64Encoded: lines.filter { !$0.contains("-") && !$0.contains(":") }.joined()) ?? Data())
    switch label {
    case "OPENSSH PRIVATE KEY": return fault(ofOpenSSH: content)
    case "RSA PRIVATE KEY": return rsa
    case "PRIVATE KEY" where content.contains(sequence: rsaIdentifier): return rsa
    case "EC PRIVATE KEY" where !text.contains("ENCRYPTED"), "PRIVATE KEY": return nil
    case "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY": return passphrase
    default: return "is of a kind that is not supported; \(advice)"
    }
  }

  /// OpenSSH's own format: a magic word, then the cipher's name, two fields about the passphrase, a count, and the
  /// public key with its kind.
  private static func fault(ofOpenSSH content: [UInt8]) -> String? {
    var rest = content.dropFirst("openssh-key-v1\0".utf8.count)
    func field() -> [UInt8] {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      defer { rest = rest.dropFirst(4 + length) }
      return Array(rest.dropFirst(4).prefix(length))
    }
    let cipher = field()
    _ = (field(), field())
    rest = rest.dropFirst(4)
    rest = field()[...]
    let kind = String(decoding: field(), as: UTF8.self)
    if kind == "ssh-rsa" { return rsa }
    guard kind == "ssh-ed25519" || kind.hasPrefix("ecdsa-sha2-") else {
      return "is of a kind that is not supported; \(advice)"
    }
    return cipher == Array("none".utf8) ? nil : passphrase
  }

  /// The object identifier 1.2.840.113549.1.1.1, which an RSA key in PKCS #8 carries.
  private static let rsaIdentifier: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
  private static let advice =
    "make an Ed25519 key with `ssh-keygen -t ed25519 -N '' -f FILE` (or ECDSA: `-t ecdsa`) and have its public half, "
    + "FILE.pub, installed on the server"
  private static let rsa = "is an RSA key, which this libssh2 cannot use with a current OpenSSH server; \(advice)"
  private static let passphrase = "has a passphrase, and nobody is there at night to enter it; \(advice)"
}

extension [UInt8] {
  fileprivate func contains(sequence: [UInt8]) -> Bool {
    guard count >= sequence.count else { return false }
    return (0...(count - sequence.count)).contains { self[$0..<($0 + sequence.count)].elementsEqual(sequence) }
  }
}
