import Foundation

/// A port of this machine that refuses every connection, and that nobody else gets while it lives.
package final class ClosedPort: Sendable {
  private let descriptor: Int32
  package let baseURL: String

  package init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (held, fd) = (length, descriptor)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, held) == 0 && getsockname(fd, $0, &length) == 0
      }
    }
    guard isBound else { throw CocoaError(.featureUnsupported) }
    baseURL = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  deinit { close(descriptor) }
}
