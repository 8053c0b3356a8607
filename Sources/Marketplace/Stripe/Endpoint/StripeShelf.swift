/// Everything the endpoint contains, by id and by the night from which each version of it can be seen.
struct StripeShelf: Sendable {
  /// One version of an object; the newest one whose night has come is what the API shows.
  private struct Version: Sendable {
    var night: Int
    var object: ServedObject
  }

  private var versions: [String: [Version]] = [:]
  private var order: [String] = []
  private var payoutOfRow: [String: String] = [:]

  /// Puts an object on the shelf; the same id again is a newer version, seen from its night on.
  mutating func put(_ object: ServedObject, from night: Int) {
    if versions[object.id] == nil { order.append(object.id) }
    versions[object.id, default: []].removeAll { $0.night == night }
    versions[object.id, default: []].append(Version(night: night, object: object))
  }

  /// Sets the ledger rows that a payout pays: the result of `?payout=`.
  mutating func assign(_ rows: [String], to payout: String) {
    for row in rows { payoutOfRow[row] = payout }
  }

  /// What the API shows on that night.
  func view(on night: Int) -> StripeView {
    let seen = order.compactMap { id -> ServedObject? in
      versions[id]?.filter { $0.night <= night }.max { $0.night < $1.night }?.object
    }
    return StripeView(seen.map(withPayout))
  }

  private func withPayout(_ object: ServedObject) -> ServedObject {
    guard object.object == "balance_transaction" else { return object }
    var object = object
    let source = object.keys["source"] ?? ""
    object.keys["payout"] = payoutOfRow[object.id] ?? (object.keys["type"] == "payout" ? source : nil)
    return object
  }
}
