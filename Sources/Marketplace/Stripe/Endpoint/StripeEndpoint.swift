import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A loopback server that answers like Stripe's API for the objects it holds.
///
/// It serves generated objects and objects that a test wrote by hand, and injects faults on demand. Only GET is
/// allowed.
package final class StripeEndpoint: Sendable {
  /// The platform's account id, as `/v1/account` names it.
  package let account: String
  /// The key that requests must carry, as bearer token or as the user of HTTP Basic.
  package let key: String
  let state: Mutex<State>
  private let server: HTTPServer
  private let running = Mutex<Task<Void, any Error>?>(nil)

  /// What can change while it serves.
  struct State: Sendable {
    var shelf = StripeShelf()
    var night = 1
    var view: StripeView?
    var faults: FaultPlan
    var seen: [SeenRequest] = []
    var requestsByPath: [String: Int] = [:]
    var watcher: (@Sendable (_ number: Int) -> Void)?
    var misstatements: [(night: Int, currency: String, amount: Int64)] = []

    /// What the API shows tonight, built on first use.
    mutating func currentView() -> StripeView {
      if let view { return view }
      var made = shelf.view(on: night)
      for wrong in misstatements where wrong.night <= night { made.misstate(wrong.currency, by: wrong.amount) }
      view = made
      return made
    }
  }

  package init(
    account: String = "acct_platform0001", key: String = "rk_test_crossfoot_reads_only", faults: FaultPlan = FaultPlan()
  ) {
    self.account = account
    self.key = key
    state = Mutex(State(faults: faults))
    let address = (try? sockaddr_in.inet(ip4: "127.0.0.1", port: 0)) ?? .inet(port: 0)
    server = HTTPServer(address: address, timeout: 3600, pool: PromptSockets(), logger: .disabled)
  }

  /// Starts listening on a free port of 127.0.0.1.
  ///
  /// - Returns: the base URL, e.g. `http://127.0.0.1:40123`.
  /// - Throws: `MarketplaceError.notListening`.
  @discardableResult
  package func start() async throws -> String {
    await server.appendRoute("*") { [weak self] request in
      guard let self else { return HTTPResponse(statusCode: .serviceUnavailable) }
      return try await self.answer(request)
    }
    let server = server
    running.withLock { $0 = Task { try await server.run() } }
    try await server.waitUntilListening(timeout: 120)
    return try await baseURL
  }

  /// The base URL while it listens.
  package var baseURL: String {
    get async throws {
      guard case .ip4(_, let port)? = await server.listeningAddress else { throw MarketplaceError.notListening }
      return "http://127.0.0.1:\(port)"
    }
  }

  /// Stops listening and closes every connection.
  package func stop() async {
    running.withLock { $0?.cancel() }
    await server.stop()
  }
}
