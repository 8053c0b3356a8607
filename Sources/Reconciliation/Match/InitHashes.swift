/// Which payments and orders have a hash with which the ordering front end started a payment (docs/contract.md section
/// 5.8).
struct InitHashes: Sendable {
  /// Lower-case forms of references that contain a hash in capitals: the payment is found by these too.
  private(set) var aliases: [PaymentReference] = []
  /// By the payment's flow key: its smallest hash, and the first call with any of its hashes.
  private(set) var ofPayments: [TextID: Started] = [:]
  /// By the position of the order: its smallest hash.
  private(set) var ofOrders: [Int32: TextID] = [:]

  /// A hash and when its payment was started, Unix seconds.
  struct Started: Sendable, Equatable {
    var hash: TextID
    var startedAt: Int64
  }

  init(_ inputs: MatchInputs) {
    guard !inputs.initHashes.isEmpty else { return }
    findAliases(inputs)
    for reference in inputs.references + aliases {
      guard let startedAt = inputs.initHashes[reference.value] else { continue }
      guard let other = ofPayments[reference.flowKey] else {
        ofPayments[reference.flowKey] = Started(hash: reference.value, startedAt: startedAt)
        continue
      }
      let hash = inputs.texts.precedes(reference.value, other.hash) ? reference.value : other.hash
      ofPayments[reference.flowKey] = Started(hash: hash, startedAt: min(startedAt, other.startedAt))
    }
    for reference in inputs.orderReferences where inputs.initHashes[reference.value] != nil {
      ofOrders[reference.order] = inputs.texts.smaller(ofOrders[reference.order], reference.value)
    }
  }

  private mutating func findAliases(_ inputs: MatchInputs) {
    var places: [ReferenceKey: Int] = [:]
    let spelled = Set(
      inputs.references.lazy.filter { inputs.initHashes[$0.value] != nil }.map { ReferenceKey($0.flowKey, $0.value) })
    for reference in inputs.references {
      guard let hash = inputs.texts.withBytes(of: reference.value, inputs.texts.findLowercased),
        inputs.initHashes[hash] != nil
      else { continue }
      let key = ReferenceKey(reference.flowKey, hash)
      if spelled.contains(key) { continue }
      guard let place = places[key] else {
        places[key] = aliases.count
        aliases.append(PaymentReference(flowKey: reference.flowKey, value: hash, rank: reference.rank))
        continue
      }
      if let rank = reference.rank { aliases[place].rank = min(rank, aliases[place].rank ?? rank) }
    }
  }

  private struct ReferenceKey: Hashable {
    var flowKey: TextID
    var value: TextID

    init(_ flowKey: TextID, _ value: TextID) {
      self.flowKey = flowKey
      self.value = value
    }
  }
}
