import FlyingFox
import FlyingSocks
import Foundation
import Marketplace
import Synchronization

/// A web server on 127.0.0.1 that answers as a test reports it, and remembers what it was asked.
package final class LoopbackServer: Sendable {
  /// What was asked.
  package struct Asked: Sendable {
    /// The HTTP method, e.g. `GET`.
    package var method: String
    /// The path without the query.
    package var path: String
    /// The query's items in their order, decoded.
    package var query: [(name: String, value: String)]
    /// The headers, names in lower case.
    package var headers: [String: String]
    /// The body as text; empty where there is none.
    package var body = ""

    /// The first value of a query item.
    package subscript(_ name: String) -> String? { query.first { $0.name == name }?.value }
  }

  /// What is answered.
  package enum Reply: Sendable {
    /// A whole answer.
    case whole(Int, headers: [String: String], body: String)
    /// A whole answer of any bytes, JSON or not.
    case bytes(Int, headers: [String: String], body: [UInt8])
    /// A body whose connection breaks after it: short of an announced length, or chunked without its last chunk.
    case cut(Int, body: String, announced: Int?)
    /// No answer until the asker gives up.
    case silence

    /// A JSON answer of status 200 unless said otherwise.
    package static func json(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Reply {
      .whole(status, headers: headers.merging(["Content-Type": "application/json"]) { own, _ in own }, body: body)
    }
  }

  private let server: HTTPServer
  private let running: Task<Void, any Error>
  private let log: AskedLog
  /// Where it listens: `http://127.0.0.1:<port>`.
  package let baseURL: String

  /// Starts a server on a free port.
  package init(_ answer: @escaping @Sendable (Asked) async -> Reply) async throws {
    let log = AskedLog()
    let handler = ClosureHTTPHandler { request in
      var asked = Self.asked(request)
      asked.body = String(decoding: try await request.bodyData, as: UTF8.self)
      log.add(asked)
      return try await Self.response(answer(asked))
    }
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 3600, pool: PromptSockets(),
      logger: DisabledLogger.disabled, handler: handler)
    running = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 120)
    guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
    baseURL = "http://127.0.0.1:\(port)"
    self.server = server
    self.log = log
  }

  deinit { running.cancel() }

  /// All that was asked so far, in its order.
  package var asked: [Asked] { log.all }

  /// Ends it; open connections break, and its address is refused from now on.
  package func stop() async {
    running.cancel()
    await server.stop()
  }

  private static func asked(_ request: HTTPRequest) -> Asked {
    var headers: [String: String] = [:]
    for (name, value) in request.headers { headers[name.rawValue.lowercased()] = value }
    return Asked(
      method: request.method.rawValue, path: request.path, query: request.query.map { ($0.name, $0.value) },
      headers: headers)
  }

  private static func response(_ reply: Reply) async throws -> HTTPResponse {
    switch reply {
    case .whole(let status, let headers, let body):
      return HTTPResponse(
        statusCode: HTTPStatusCode(status, phrase: "-"), headers: named(headers), body: Data(body.utf8))
    case .bytes(let status, let headers, let body):
      return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "-"), headers: named(headers), body: Data(body))
    case .cut(let status, let body, let announced):
      let bytes = BrokenBytes(bytes: Data(body.utf8))
      let sequence = announced.map { HTTPBodySequence(from: bytes, count: $0) } ?? HTTPBodySequence(from: bytes)
      return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "-"), body: sequence)
    case .silence:
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
  }

  private static func named(_ headers: [String: String]) -> HTTPHeaders {
    HTTPHeaders(Dictionary(uniqueKeysWithValues: headers.map { (HTTPHeader($0.key), $0.value) }))
  }
}

/// What a server was asked, in its order.
private final class AskedLog: Sendable {
  private let lines = Mutex<[LoopbackServer.Asked]>([])
  var all: [LoopbackServer.Asked] { lines.withLock { $0 } }
  func add(_ asked: LoopbackServer.Asked) { lines.withLock { $0.append(asked) } }
}

/// Bytes after which the connection breaks: a body sequence that throws is a cut body.
private struct BrokenBytes: AsyncBufferedSequence {
  typealias Element = UInt8
  let bytes: Data

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var rest: Data

    mutating func next() async throws -> UInt8? {
      guard !rest.isEmpty else { throw SocketError.disconnected }
      return rest.removeFirst()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      guard !rest.isEmpty else { throw SocketError.disconnected }
      defer { rest = Data(rest.dropFirst(count)) }
      return Data(rest.prefix(count))
    }
  }
}
