/// How a scenario fills the endpoint and inspects what it received.
extension StripeEndpoint {
  /// Adds an object by its JSON text, seen from that night on; the same id again is a newer version of it.
  ///
  /// Embedded `reversals` and `refunds` become sub-lists of their own, and a transfer_reversal or fee_refund may be
  /// added alone.
  /// - Throws: `MarketplaceError` naming what is wrong with it.
  package func add(_ json: String, visibleFrom night: Int = 1) throws {
    try add(JSONTree.parse(json), visibleFrom: night)
  }

  /// Adds an object given as a dictionary; write an exchange rate as `JSONTree.number("1.35576")`.
  package func add(_ object: [String: Any], visibleFrom night: Int = 1) throws {
    try add(JSONTree(object), visibleFrom: night)
  }

  /// Adds an object given as a tree, or every object of an array.
  package func add(_ tree: JSONTree, visibleFrom night: Int = 1) throws {
    if case .array(let elements) = tree {
      for element in elements { try add(element, visibleFrom: night) }
    } else {
      let objects = try ServedObject.read(tree)
      change { state in
        for object in objects { state.shelf.put(object, from: night) }
      }
    }
  }

  /// Adds objects that were serialised before.
  package func add(_ objects: [ServedObject], visibleFrom night: Int = 1) {
    change { state in
      for object in objects { state.shelf.put(object, from: night) }
    }
  }

  /// Sets the ledger rows that a payout pays (`/v1/balance_transactions?payout=`); its own row is added automatically.
  package func assign(rows: [String], to payout: String) {
    change { $0.shelf.assign(rows, to: payout) }
  }

  /// Makes `/v1/balance` state that much more than the ledger rows add up to, from that night on; minor units.
  package func misstate(_ currency: String, by amount: Int64, from night: Int = 1) {
    change { $0.misstatements.append((night, currency, amount)) }
  }

  /// Which night it is, from 1; objects of later nights are not yet seen.
  package var night: Int {
    get { state.withLock { $0.night } }
    set { change { $0.night = newValue } }
  }

  /// The faults from now on; the requests to each path are counted again from 1.
  package var faults: FaultPlan {
    get { state.withLock { $0.faults } }
    set {
      state.withLock { state in
        state.faults = newValue
        state.requestsByPath = [:]
      }
    }
  }

  /// Called with the number of each request since the faults were set, from 1, before it is answered.
  package func watch(_ watcher: (@Sendable (_ number: Int) -> Void)?) {
    state.withLock { $0.watcher = watcher }
  }

  /// Every request so far, in the order of their arrival.
  package var requests: [SeenRequest] {
    state.withLock { $0.seen }
  }

  /// Forgets the requests so far.
  package func forgetRequests() {
    state.withLock { $0.seen = [] }
  }

  /// How many requests other than reads were attempted.
  package var refusedWrites: Int {
    requests.count { $0.status == 405 }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.view = nil
    }
  }
}

extension JSONTree {
  /// Reads JSON text.
  ///
  /// - Throws: `MarketplaceError.notJSON` with the byte offset.
  package static func parse(_ text: String) throws -> JSONTree {
    try JSONTreeParser.parse(text)
  }
}
