import HTTP
import JSON

/// Objects by their ids: records that rows refer to and do not describe fully.
extension PayPalSession {
  /// Requests everything that rows, disputes and earlier nights refer to, until nothing more turns up.
  func pullNamed() async {
    for id in order.open[PayPalStream.authorizations.rawValue] ?? [] {
      queue.enqueue(PayPalName(stream: .authorizations, id: id, orCapture: true))
    }
    for id in order.open[PayPalStream.refunds.rawValue] ?? [] {
      queue.enqueue(PayPalName(stream: .refunds, id: id))
    }
    while !isRefused {
      let names = queue.next()
      guard !names.isEmpty else { return }
      for start in stride(from: 0, to: names.count, by: configuration.connections) {
        await take(Array(names[start..<min(start + configuration.connections, names.count)]))
      }
    }
  }

  /// Requests a few concurrently and lands them in order.
  private func take(_ names: [PayPalName]) async {
    let answers = await withTaskGroup(of: (Int, Result<Found, ProviderFailure>).self) { group in
      for (place, name) in names.enumerated() { group.addTask { (place, await self.ask(name)) } }
      var answers: [Int: Result<Found, ProviderFailure>] = [:]
      while let (place, answer) = await group.next() { answers[place] = answer }
      return answers
    }
    for (place, name) in names.enumerated() {
      switch answers[place] {
      case nil: break
      case .success(let object): await land(object, name)
      case .failure(let failure) where failure.kind == .missing && name.isListed:
        fail(
          name.stream,
          ProviderFailure(
            kind: .missing, sentence: "\(failure.sentence), although PayPal's list names it; run again later"))
      case .failure(let failure) where failure.kind == .missing:
        if name.orCapture { queue.enqueue(PayPalName(stream: .captures, id: name.id, withRow: true)) }
        logger.info("\(failure.sentence)")
      case .failure(let failure): fail(name.stream, failure)
      }
    }
  }

  /// An object and its references.
  struct Found: Sendable {
    var record: PayPalRecord
    var requestID: String?
    var names: [PayPalName] = []
    /// The capture that a refund or a dispute is about.
    var captures: [String] = []
    var createdAt: Int64?
  }

  nonisolated private func ask(_ name: PayPalName) async -> Result<Found, ProviderFailure> {
    let what = "\(name.stream.rawValue) \(name.id)"
    do {
      let response = try await api.get(
        "\(name.stream.path)/\(HTTPRequest.encoded(name.id))", for: name.stream, what: what)
      return .success(try JSONParser().parse(response.body) { found($0, name, response.requestID) })
    } catch {
      return .failure(ProviderFailure(error, asking: "\(configuration.name) \(what)"))
    }
  }

  nonisolated private func found(_ value: JSONValue, _ name: PayPalName, _ requestID: String?) -> Found {
    var found = Found(record: records.object(value, name.stream), requestID: requestID)
    found.createdAt = try? PayPalInstant.of(value["create_time"])
    switch name.stream {
    case .captures:
      let namesOrder = ["custom_id", "invoice_id"].contains { key in
        configuration.orderReference.contains(key) && !((try? value.member(named: key)?.string()) ?? "").isEmpty
      }
      let order = (try? value["supplementary_data"]["related_ids"]["order_id"].string()) ?? ""
      if !namesOrder { found.names.append(PayPalName(stream: .orders, id: order)) }
    case .refunds: found.captures = [PayPalReader.capture(ofRefund: value)].compactMap { $0 }
    case .disputes:
      found.captures = value["disputed_transactions"].elements.compactMap { try? $0["seller_transaction_id"].string() }
    default: break
    }
    return found
  }

  /// Lands an object, and requests what it refers to.
  private func land(_ object: Found, _ name: PayPalName) async {
    await attempt(name.stream) { () throws(ProviderFailure) in
      try writer(name.stream).land([object.record])
      try writer(name.stream).endPage(requestID: object.requestID)
    }
    for name in object.names { queue.enqueue(name) }
    for capture in object.captures { queue.refer(to: capture) }
    guard name.withRow, let createdAt = object.createdAt else { return }
    await attempt(.reporting) { () throws(ProviderFailure) in try await pullRow(of: name.id, near: createdAt) }
  }
}
