import FlyingFox
import FlyingSocks
import Glibc

/// The sockets of a server that sends every piece of an answer at once.
///
/// The server writes head and body apart. Left to itself, the system holds the body back until the head is
/// acknowledged, and the other side acknowledges a small head after forty milliseconds: every answer takes that long.
package struct PromptSockets: AsyncSocketPool {
  private let pool: any AsyncSocketPool = HTTPServer.defaultPool()

  package init() {}

  package func prepare() async throws { try await pool.prepare() }

  package func run() async throws { try await pool.run() }

  /// Options of a listening socket also apply to the connections that it accepts.
  package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}
