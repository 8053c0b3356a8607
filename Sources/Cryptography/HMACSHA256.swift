import CLibCrypto

/// HMAC with SHA-256 (RFC 2104), which proves that the author of a text has the key.
package enum HMACSHA256 {
  package static func code(for message: some Collection<UInt8>, key: some Collection<UInt8>) -> Digest {
    let (message, key) = (Array(message), Array(key))
    return Digest(
      bytes: Array(unsafeUninitializedCapacity: Digest.size) { buffer, count in
        let code = HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, nil)
        precondition(code != nil, "libcrypto cannot compute an HMAC-SHA-256")
        count = Digest.size
      })
  }

  /// Whether a code belongs to the message; takes the same time for every wrong code of the right length.
  package static func isValid(_ code: [UInt8], for message: some Collection<UInt8>, key: some Collection<UInt8>) -> Bool
  {
    code.count == Digest.size && CRYPTO_memcmp(code, Self.code(for: message, key: key).bytes, Digest.size) == 0
  }
}
