/// The streams of an order source, named as their folders in the landing zone, and the columns of each
/// (docs/contract.md sections 3 and 5).
package enum OrderStream: String, CaseIterable, Sendable {
  case orders
  case refunds = "order_refunds"
  /// Calls by which an ordering front end starts a payment (PAR).
  case inits = "payment_inits"

  /// The required columns; the first one is the record's id.
  var required: ArraySlice<String> { columns.prefix(self == .inits ? 4 : 5) }

  /// Every column that is read, the required ones first, in the order in which they are landed.
  var columns: [String] {
    switch self {
    case .orders: Self.orderColumns
    case .refunds: Self.refundColumns
    case .inits: Self.initColumns
    }
  }

  private static let orderColumns = [
    "order_id", "placed_at", "status", "currency", "total", "provider", "tender", "seller_account", "application_fee",
    "payment_references",
  ]
  private static let initColumns = ["payment_init_hash", "call", "at", "currency", "amount", "approval"]
  private static let refundColumns = [
    "refund_id", "order_id", "refunded_at", "currency", "amount", "payment_reference",
  ]
}

/// The positions of a stream's columns in a delivery.
struct ColumnPlaces {
  /// The position of each of the stream's columns; nil where an optional one is not delivered.
  let positions: [Int?]
  /// Delivered columns that are not read.
  let unknown: [String]
  /// How many columns there are in all.
  let count: Int

  /// Finds the columns by their names.
  ///
  /// - Throws: `ColumnProblem` when a required column is missing, or one of ours occurs twice.
  init(_ names: [String], of stream: OrderStream) throws(ColumnProblem) {
    for name in stream.columns where names.filter({ $0 == name }).count > 1 { throw .repeated(name) }
    let missing = stream.required.filter { !names.contains($0) }
    if !missing.isEmpty { throw .missing(missing, found: names) }
    positions = stream.columns.map { names.firstIndex(of: $0) }
    unknown = names.filter { !stream.columns.contains($0) }
    count = names.count
  }
}

/// Why a delivery is refused because of its header.
enum ColumnProblem: Error, CustomStringConvertible {
  case missing([String], found: [String])
  case repeated(String)
  case loneCarriageReturn

  var description: String {
    switch self {
    case .missing(let columns, let found):
      "the required column\(columns.count > 1 ? "s" : "") \(columns.joined(separator: ", ")) "
        + "\(columns.count > 1 ? "are" : "is") missing; found \(found.joined(separator: ", ").prefix(200))"
    case .repeated(let column): "the column \(column) is repeated"
    case .loneCarriageReturn: "the header row goes on after a carriage return; lines must end with a line feed"
    }
  }
}
