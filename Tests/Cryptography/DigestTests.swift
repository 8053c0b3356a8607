import Cryptography
import Testing

/// Published test vectors of SHA-256 and HMAC-SHA-256.
@Suite struct DigestTests {
  /// FIPS 180-2, appendix B, and the message of no bytes (NIST's CAVP, SHA256ShortMsg).
  private static let hashes = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: hashes) func `SHA-256 of the published messages`(message: String, expected: String) {
    #expect(SHA256.hash(message.utf8).hexadecimal == expected)
  }

  @Test(arguments: [1, 55, 63, 64, 65, 4096]) func `pieces of any size give the hash of the whole`(size: Int) {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: size) {
      hash.update(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(hash.finalize() == SHA256.hash(bytes))
  }

  @Test func `a copy and a digest taken on the way leave the original as it was`() {
    var hash = SHA256()
    hash.update("ab".utf8)
    var copy = hash
    copy.update("x".utf8)
    #expect(hash.finalize() == SHA256.hash("ab".utf8))
    hash.update("c".utf8)
    #expect(hash.finalize().hexadecimal == Self.hashes[1].1)
    #expect(copy.finalize() == SHA256.hash("abx".utf8))
  }

  /// RFC 4231, test cases 1 to 4, 6 and 7 (the fifth is about a truncated code): key, message, code.
  private static let codes: [(key: [UInt8], message: [UInt8], code: String)] = [
    (
      Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(1...25), Array(repeating: 0xcd, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      Array(repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      Array(repeating: 0xaa, count: 131),
      Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]

  @Test(arguments: codes.indices) func `HMAC-SHA-256 of the published messages`(index: Int) {
    let (key, message, expected) = Self.codes[index]
    let code = HMACSHA256.code(for: message, key: key)
    #expect(code.hexadecimal == expected)
    #expect(HMACSHA256.isValid(code.bytes, for: message, key: key))
  }

  @Test func `a code that is not the message's, or only its beginning, is refused`() {
    let (key, message, _) = Self.codes[1]
    let code = HMACSHA256.code(for: message, key: key).bytes
    for index in code.indices {
      var other = code
      other[index] ^= 1
      #expect(!HMACSHA256.isValid(other, for: message, key: key))
    }
    #expect(!HMACSHA256.isValid(Array(code.dropLast()), for: message, key: key))
    #expect(!HMACSHA256.isValid(code + [0], for: message, key: key))
    #expect(!HMACSHA256.isValid([], for: message, key: key))
    #expect(!HMACSHA256.isValid(code, for: message, key: key + [1]))
  }

  @Test func `bytes are written as two lowercase digits each`() {
    #expect(Hexadecimal.text([0, 9, 0x0a, 0x7f, 0xff]) == "00090a7fff")
  }
}
