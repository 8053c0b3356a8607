import HTTP
import JSON
import Payments

/// One row as it lies in the landing zone: a JSON object with the columns of docs/contract.md section 3 as strings, and
/// `location`.
///
/// A row that was refused is landed too, as `{"quarantine": reason, "location": …, "record_id": …}`, so that a replay
/// refuses it again.
enum LandedRow {
  /// The line of a good row; blank cells are left out.
  static func line(_ cells: OrderCells, location: String) -> [UInt8] {
    var line: [UInt8] = []
    for (column, text) in zip(cells.stream.columns, cells.texts) where !text.isEmpty { append(column, text, to: &line) }
    if let word = cells.statusWord { append("status_word", word, to: &line) }
    return ended(&line, location: location)
  }

  /// The line of a row that was refused.
  static func line(_ row: QuarantinedRow) -> [UInt8] {
    var line: [UInt8] = []
    append("quarantine", row.reason, to: &line)
    append("record_id", row.recordID, to: &line)
    return ended(&line, location: row.location)
  }

  private static func append(_ name: String, _ text: String, to line: inout [UInt8]) {
    line.append(line.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    JSONValue.writeString(name.utf8, into: &line)
    line.append(UInt8(ascii: ":"))
    JSONValue.writeString(text.utf8, into: &line)
  }

  private static func ended(_ line: inout [UInt8], location: String) -> [UInt8] {
    append("location", location, to: &line)
    return line + [UInt8(ascii: "}")]
  }

  /// The cells of a landed row.
  static func cells(of record: JSONValue, _ stream: OrderStream) throws -> OrderCells {
    let values: [JSONValue] =
      switch stream {
      case .orders:
        [
          record["order_id"], record["placed_at"], record["status"], record["currency"], record["total"],
          record["provider"],
          record["tender"], record["seller_account"], record["application_fee"], record["payment_references"],
        ]
      case .refunds:
        [
          record["refund_id"], record["order_id"], record["refunded_at"], record["currency"], record["amount"],
          record["payment_reference"],
        ]
      case .inits:
        [
          record["payment_init_hash"], record["call"], record["at"], record["currency"], record["amount"],
          record["approval"],
        ]
      }
    return OrderCells(
      stream: stream, texts: try values.map { try $0.optionalString() ?? "" },
      statusWord: try record["status_word"].optionalString())
  }
}

/// A row that was refused: its place, its record, and the reason.
package struct QuarantinedRow: Sendable, Hashable {
  /// File name and row, e.g. `orders.csv:12`.
  package var location: String
  /// The order's or refund's id, empty where it has none.
  package var recordID: String
  /// The column, what was found and what was expected.
  package var reason: String

  package init(location: String, recordID: String, reason: String) {
    self.location = location
    self.recordID = recordID
    // A value in the wrong column may be an e-mail address.
    self.reason = Addresses.hidden(in: reason)
  }
}
