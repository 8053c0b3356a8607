import HTTP
import JSON

/// The ledger rows between two readings of the balance, so that the stated balance and the rows refer to the same
/// instant.
extension StripeSession {
  /// The balance, the list, the balance again; if it changed, the list's newest part again, a few times.
  func pullLedger() async {
    let first = await balance()
    await attempt(.balanceTransactions) { () throws(ProviderFailure) in
      let list = StripeList(
        stream: .balanceTransactions, path: "/v1/balance_transactions", created: window.from..<window.to)
      try await walk(list, from: writer(.balanceTransactions).resumeCursor)
    }
    guard let first, !isRefused else { return }
    await attempt(.balances) { () throws(ProviderFailure) in
      let (last, observedAt, isSettled) = try await settle(first)
      try await land([first, last], observedAt: observedAt, isSettled: isSettled)
    }
  }

  /// Reads what was booked since the window's end, and the balance, until the balance no longer changes.
  ///
  /// For an older range read again, nothing is settled: later rows are not read here.
  private func settle(_ first: StripeBalance) async throws(ProviderFailure) -> (
    StripeBalance, observedAt: Int64, isSettled: Bool
  ) {
    var before = first
    var newest = order.now - 1
    for round in 1...5 {
      let isRoutine = window.to > order.rangeTo || window.to >= order.now
      if isRoutine {
        if round > 1 { newest = max(newest, try await readNewest(max(window.from, window.to - 900)..<window.to)) }
        newest = max(newest, try await readNewest(window.to..<max(window.to, order.now + elapsed) + 1))
      }
      guard let after = await balance() else { return (before, order.now, false) }
      let hasFailed = writer(.balanceTransactions).fault != nil
      if after.held == before.held { return (after, newest + 1, isRoutine && !hasFailed) }
      logger.info("\(configuration.name): the balance moved while the ledger was read; its newest part is read again")
      before = after
    }
    return (before, order.now, false)
  }

  /// Lands the ledger rows of a short span; returns when the newest was created.
  private func readNewest(_ created: Range<Int64>) async throws(ProviderFailure) -> Int64 {
    var walk = walker(StripeList(stream: .balanceTransactions, path: "/v1/balance_transactions", created: created))
    var newest = Int64.min
    while let (page, _) = try await walk.next() {
      newest = max(newest, page.records.compactMap(\.created).max() ?? newest)
      try await take(page.records, .balanceTransactions, isNamed: false)
      noteLate(page.records.filter { ($0.created ?? 0) >= window.to }.flatMap(\.names))
    }
    return newest
  }

  /// One reading of the balance; nil when it is not available, which leaves the stream of balances incomplete.
  private func balance() async -> StripeBalance? {
    guard !isRefused else { return nil }
    do {
      let response = try await api.get("/v1/balance", for: .balances)
      let fields = records.fields.of(.balances)
      return try JSONParser().parse(response.body) { StripeBalance($0, keeping: fields, requestID: response.requestID) }
    } catch {
      await fail(.balances, ProviderFailure(error, asking: "\(configuration.name) balance"))
      return nil
    }
  }

  private func land(_ looks: [StripeBalance], observedAt: Int64, isSettled: Bool) async throws(ProviderFailure) {
    for look in looks {
      let record = StripeRecord(
        id: "", created: nil, line: look.line(observedAt: observedAt, isSettled: isSettled), dropped: look.dropped)
      try writer(.balances).land([record])
      try writer(.balances).endPage(requestID: look.requestID)
    }
  }
}

/// One reading of what Stripe holds.
struct StripeBalance: Sendable {
  /// Available and pending together, per balance and currency; money that only becomes available does not change it.
  let held: [String: Int64]
  let dropped: Int
  let requestID: String?
  private let body: [UInt8]

  init(_ value: JSONValue, keeping fields: FieldSet, requestID: String?) {
    var held: [String: Int64] = [:]
    for holding in StripeHolding.allCases {
      for part in holding.lists(of: value).flatMap({ Array($0.elements) }) {
        guard let currency = try? part["currency"].string(), let amount = try? part["amount"].int64() else { continue }
        // Only compared, never reported: a sum beyond 64 bits may wrap.
        held["\(holding.rawValue) \(currency)", default: 0] &+= amount
      }
    }
    self.held = held
    self.requestID = requestID
    var body: [UInt8] = []
    dropped = value.writeJSON(into: &body, keeping: fields)
    self.body = body
  }

  /// The reply with two members of our own: when it was read, and whether the ledger did not change around it.
  func line(observedAt: Int64, isSettled: Bool) -> [UInt8] {
    var line = body
    line.add(json: "\"observed_at\":\(observedAt),\"settled\":\(isSettled)".utf8)
    return line
  }
}
