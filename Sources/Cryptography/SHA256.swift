import CLibCrypto

/// The SHA-256 of bytes that arrive piece by piece (FIPS 180-4). A copy continues from the state of the original.
package struct SHA256: Sendable {
  private var state = State()

  package init() {}

  /// The SHA-256 of a complete sequence of bytes.
  package static func hash(_ bytes: some Collection<UInt8>) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Takes the next bytes, from memory that the caller owns.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
    state.update(bytes)
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isTaken: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if isTaken == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The SHA-256 of the bytes so far; more may follow.
  package func finalize() -> Digest { State(copying: state).finish() }
}

/// The 32 bytes of a SHA-256 or an HMAC-SHA-256.
package struct Digest: Equatable, Sendable {
  package static let size = 32
  package let bytes: [UInt8]

  /// Two lowercase digits for each byte.
  package var hexadecimal: String { Hexadecimal.text(bytes) }
}

/// Bytes as lowercase hexadecimal digits.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// libcrypto's state of a hash. SHA256 changes it only if no other copy refers to it.
private final class State: @unchecked Sendable {
  private let context: OpaquePointer

  init() {
    context = Self.makeContext()
    Self.require(EVP_DigestInit_ex(context, EVP_sha256(), nil))
  }

  init(copying other: State) {
    context = Self.makeContext()
    Self.require(EVP_MD_CTX_copy_ex(context, other.context))
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    Self.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
  }

  /// The state must not be used afterwards.
  func finish() -> Digest {
    Digest(
      bytes: Array(unsafeUninitializedCapacity: Digest.size) { buffer, count in
        Self.require(EVP_DigestFinal_ex(context, buffer.baseAddress, nil))
        count = Digest.size
      })
  }

  private static func makeContext() -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { fatalError("no memory for a SHA-256") }
    return context
  }

  /// SHA-256 of bytes in memory fails only if libcrypto has no memory, or no SHA-256.
  private static func require(_ result: Int32) { precondition(result == 1, "libcrypto cannot compute a SHA-256") }
}
