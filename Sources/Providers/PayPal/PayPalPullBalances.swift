import HTTP
import JSON
import Payments

/// The stated balance at the instant up to which the rows are known, so that both cover the same movements. Where no
/// pull has requested the balance at the start of the range yet, that one is requested first, so that the first night
/// ties out like every other.
extension PayPalSession {
  func pullBalances() async {
    await attempt(.balances) { () throws(ProviderFailure) in
      let isSettled = writer(.reporting).fault == nil
      let moment = min(coverage[.reporting]?.knownUntil ?? order.rangeTo, order.rangeTo)
      let closing = try await look(at: moment)
      let opening = await opening(before: moment, closing: closing)
      if let opening { try land(opening, opens: true, isSettled: isSettled) }
      try land(closing, opens: false, isSettled: isSettled)
    }
  }

  private func land(_ look: PayPalBalanceLook, opens: Bool, isSettled: Bool) throws(ProviderFailure) {
    try writer(.balances).land([look.record(opens: opens, isSettled: isSettled)])
    try writer(.balances).endPage(requestID: look.requestID)
  }

  /// The balance at the start of the range; nil where it was stated before, or where PayPal does not return it. A reply
  /// without a time that equals the closing balance does not prove the opening one.
  private func opening(before moment: Int64, closing: PayPalBalanceLook) async -> PayPalBalanceLook? {
    guard needsOpeningBalance, window.historyBegins == nil, moment > order.rangeFrom else { return nil }
    do {
      let look = try await look(at: order.rangeFrom)
      if let stated = look.statedAt {
        return stated <= order.rangeFrom && look.observedAt < closing.observedAt ? look : nil
      }
      return look.body == closing.body ? nil : look
    } catch {
      logger.info("\(error.sentence); the first night is not compared with the balance before it")
      return nil
    }
  }

  private func look(at moment: Int64) async throws(ProviderFailure) -> PayPalBalanceLook {
    // Rows of exactly that instant belong to what follows it.
    let query = [("as_of_time", Instant.text(moment - 1))]
    let response = try await api.get(PayPalStream.balances.path, query, for: .balances)
    do {
      let fields = records.fields.of(.balances)
      return try JSONParser().parse(response.body) {
        PayPalBalanceLook($0, fields, askedAt: moment, requestID: response.requestID)
      }
    } catch {
      throw ProviderFailure(error, asking: "\(configuration.name) balances")
    }
  }
}

/// One reply about what PayPal holds.
struct PayPalBalanceLook: Sendable {
  /// The kept members of the reply, before our own are added.
  let body: [UInt8]
  let dropped: Int
  /// The instant after the one stated in the reply; nil where it states none.
  let statedAt: Int64?
  /// The instant that the balance refers to: a reply may refer to an earlier one than requested, as PayPal's balances
  /// lag as well.
  let observedAt: Int64
  let requestID: String?

  init(_ root: JSONValue, _ fields: FieldSet, askedAt: Int64, requestID: String?) {
    var line: [UInt8] = []
    dropped = root.writeJSON(into: &line, keeping: fields)
    body = line
    statedAt = (try? PayPalInstant.of(root["as_of_time"])).map { $0 + 1 }
    observedAt = statedAt.map { min(askedAt, $0) } ?? askedAt
    self.requestID = requestID
  }

  /// The reply with our own members: the instant it refers to, whether the rows are known up to it, and whether it is
  /// the opening balance of the range.
  func record(opens: Bool, isSettled: Bool) -> PayPalRecord {
    var record = PayPalRecord(key: "", line: body)
    record.dropped = dropped
    let own = "\"observed_at\":\(observedAt),\"settled\":\(isSettled)\(opens ? ",\"opens\":true" : "")"
    record.line.add(json: own.utf8)
    return record
  }
}
