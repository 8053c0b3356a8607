import Storage

/// Writes the results of matching, sorted by the keys of the tables: appending to an index at its end costs least.
struct MatchWriter {
  let database: any Database
  let inputs: MatchInputs

  /// Fills a table.
  private func fill(_ output: MatchTables.Output, _ rows: (any BulkLoader) throws -> Void) throws {
    try database.transaction {
      let loader = try database.bulkLoader(into: output.name, columns: output.columns)
      try rows(loader)
      _ = try loader.finish()
    }
  }

  func write(_ hashes: InitHashes) throws {
    if inputs.initHashes.isEmpty { return }
    try fill(MatchTables.aliases) { loader in
      for alias in hashes.aliases {
        try append([alias.flowKey, alias.value], to: loader)
        try loader.append(integer: alias.rank)
        try loader.endRow()
      }
    }
    try fill(MatchTables.paymentHashes) { loader in
      for (flowKey, started) in hashes.ofPayments.sorted(by: { inputs.texts.precedes($0.key, $1.key) }) {
        try append([flowKey, started.hash], to: loader)
        try loader.append(integer: started.startedAt)
        try loader.endRow()
      }
    }
    try fill(MatchTables.orderHashes) { loader in
      for (order, hash) in hashes.ofOrders.sorted(by: { $0.key < $1.key }) {
        try append([inputs.orders[Int(order)].orderID, hash], to: loader)
        try loader.endRow()
      }
    }
  }

  func write(_ links: [MatchLink]) throws {
    let sorted = links.indices.sorted { first, second in
      let (one, other) = (links[first], links[second])
      return one.flowKey == other.flowKey
        ? one.claim.order < other.claim.order : inputs.texts.precedes(one.flowKey, other.flowKey)
    }
    try fill(MatchTables.links) { loader in
      for link in sorted.lazy.map({ links[$0] }) {
        try append([link.flowKey, inputs.orders[Int(link.claim.order)].orderID], to: loader)
        try loader.append(text: link.rule)
        try loader.append(integer: link.claim.rank)
        try loader.endRow()
      }
    }
  }

  func write(_ groups: MatchGroups) throws {
    var text = NodeText()
    try fill(MatchTables.nodes) { loader in
      for (node, group) in groups.groupOfNode.enumerated() {
        try text.append(Int32(node), of: inputs, to: loader)
        try text.append(group, of: inputs, to: loader)
        try loader.endRow()
      }
    }
  }

  func write(_ results: [[GroupResult]]) throws {
    try fill(MatchTables.groups) { loader in
      var text = NodeText()
      for moment in results { for result in moment { try write(result, &text, loader) } }
    }
    try fill(MatchTables.pairs) { loader in
      var text = NodeText()
      for moment in results { for result in moment { try writePairs(result, &text, loader) } }
    }
    try fill(MatchTables.refundMatches) { loader in
      var text = NodeText()
      for moment in results { for result in moment { try writeRefunds(result, &text, loader) } }
    }
  }

  private func write(_ result: GroupResult, _ text: inout NodeText, _ loader: any BulkLoader) throws {
    let facts = result.sums.facts
    try loader.append(integer: result.moment)
    try text.append(result.group, of: inputs, to: loader)
    try loader.append(integer: Int64(facts.orders))
    try loader.append(integer: Int64(facts.payments))
    try loader.append(text: facts.orderCurrency)
    try loader.append(text: facts.paymentCurrency)
    for amount in [facts.dueMinor, facts.capturedMinor, result.verdict.differenceMinor] {
      try loader.append(integer: amount)
    }
    try loader.append(text: result.verdict.status.rawValue)
    try loader.append(text: result.verdict.finding.rawValue)
    try text.append(list: result.sums.orders.lazy.map { inputs.orders[Int($0)].orderID }, of: inputs, to: loader)
    try text.append(list: result.sums.payments.lazy.map { inputs.payments[Int($0)].paymentID }, of: inputs, to: loader)
    try append([result.sums.provider ?? inputs.empty, result.sums.account ?? inputs.empty], to: loader)
    try loader.append(integer: result.verdict.since)
    try loader.endRow()
  }

  private func writePairs(_ result: GroupResult, _ text: inout NodeText, _ loader: any BulkLoader) throws {
    for pair in result.pairs {
      try loader.append(integer: result.moment)
      try text.append(result.group, of: inputs, to: loader)
      try append(pair.order.map { inputs.orders[Int($0)].orderID }, to: loader)
      try append(pair.payment.map { inputs.payments[Int($0)].flowKey }, to: loader)
      try loader.append(text: pair.rule)
      try loader.append(integer: result.isComparable ? 1 : 0)
      try loader.endRow()
    }
  }

  private func writeRefunds(_ result: GroupResult, _ text: inout NodeText, _ loader: any BulkLoader) throws {
    for (side, match) in result.refunds {
      try loader.append(integer: result.moment)
      try text.append(result.group, of: inputs, to: loader)
      try loader.append(text: side.side.rawValue)
      try append([side.refundID, side.orderID ?? inputs.empty], to: loader)
      try append(side.flowKey, to: loader)
      try append([side.provider, side.status], to: loader)
      try loader.append(text: side.currency)
      for value in [side.amountMinor, side.happenedAt, side.isCovered ? 1 : 0] { try loader.append(integer: value) }
      try append([match.unit ?? inputs.empty], to: loader)
      try loader.append(text: match.outcome.rawValue)
      try loader.endRow()
    }
  }

  private func append(_ texts: [TextID], to loader: any BulkLoader) throws {
    for text in texts { try append(text, to: loader) }
  }

  private func append(_ text: TextID?, to loader: any BulkLoader) throws {
    guard let text else { return try loader.appendNull() }
    try inputs.texts.withBytes(of: text) { try loader.append(utf8: $0) }
  }
}

/// Builds composite texts in a reused buffer.
private struct NodeText {
  /// How many ids a cell lists.
  private static let listed = 20
  private var bytes: [UInt8] = []

  /// The name of a node, or of a group by its smallest node.
  mutating func append(_ node: Int32, of inputs: MatchInputs, to loader: any BulkLoader) throws {
    let (prefix, text) = inputs.node(node)
    bytes.removeAll(keepingCapacity: true)
    prefix.withUTF8Buffer { bytes.append(contentsOf: $0) }
    inputs.texts.withBytes(of: text) { bytes.append(contentsOf: $0) }
    try bytes.withUnsafeBytes { try loader.append(utf8: $0) }
  }

  /// The first ids of a list, separated by spaces.
  mutating func append(list texts: some Sequence<TextID>, of inputs: MatchInputs, to loader: any BulkLoader) throws {
    bytes.removeAll(keepingCapacity: true)
    for (place, text) in texts.prefix(NodeText.listed).enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: " ")) }
      inputs.texts.withBytes(of: text) { bytes.append(contentsOf: $0) }
    }
    try bytes.withUnsafeBytes { try loader.append(utf8: $0) }
  }
}
