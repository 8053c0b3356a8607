import HTTP
import JSON
import Payments

/// The stated balance, at the moment up to which the rows are known: so both speak of the same movements.
extension PayPalSession {
  func pullBalances() async {
    await attempt(.balances) { () throws(PayPalFailure) in
      let rows = lander(.reporting)
      let moment = min(rows.knownUntil ?? order.rangeTo, order.rangeTo)
      // Rows of that very moment belong to what comes after it.
      let query = [("as_of_time", Instant.text(moment - 1))]
      let response = try await api.get(PayPalStream.balances.path, query, for: .balances)
      let isSettled = rows.fault == nil
      do {
        let fields = records.fields.of(.balances)
        let record = try JSONParser().parse(response.body) { root in
          Self.look(root, fields, at: moment, isSettled: isSettled)
        }
        try lander(.balances).land([record])
        try lander(.balances).endPage(cursor: nil, requestID: response.requestID)
      } catch {
        throw PayPalFailure(error, asking: "\(configuration.name) balances")
      }
    }
  }

  /// The reply with our own two members: the moment it speaks of, and whether the rows are known up to it.
  private static func look(_ root: JSONValue, _ fields: FieldSet, at asked: Int64, isSettled: Bool) -> PayPalRecord {
    var record = PayPalRecord(key: "", line: [])
    record.dropped = root.writeJSON(into: &record.line, keeping: fields)
    // A reply may speak of an earlier moment than asked for: PayPal's balances run behind as well.
    let stated = (try? PayPalInstant.of(root["as_of_time"])).map { min(asked, $0 + 1) } ?? asked
    if record.line.last == UInt8(ascii: "}") { record.line.removeLast() }
    record.line.append(contentsOf: "\(record.line.count > 1 ? "," : "")\"observed_at\":\(stated),\"settled\":\(isSettled)}".utf8)
    return record
  }
}
