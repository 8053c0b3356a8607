import JSON
import Payments

/// The cells of one row, one for each of the stream's columns; blank where nothing was delivered.
///
/// The same rules check a row when it is pulled, and read it again from the landing zone.
struct OrderCells {
  let stream: OrderStream
  /// In the order of `OrderStream.columns`, trimmed.
  var texts: [String]
  /// The source's own status, where there is no rule for it.
  var statusWord: String?

  /// The record's id.
  var id: String { texts[0] }

  /// A cell that the stream has by name.
  subscript(_ column: String) -> String {
    stream.columns.firstIndex(of: column).map { texts[$0] } ?? ""
  }
}

/// What is wrong with a row: the column, and what was found and expected; up to 40 characters of a cell are quoted.
struct RowProblem: Error, CustomStringConvertible {
  let description: String

  init(_ column: String, _ reason: some CustomStringConvertible) {
    description = "\(column): \(reason)"
  }
}

/// Turns the cells of a row into an order or a refund.
struct RowRules {
  let cells: OrderCells

  /// - Throws: `RowProblem`.
  func order(source: String, origin: Origin) throws(RowProblem) -> Order {
    let currency = try currency()
    let total = try amount("total", currency)
    return Order(
      orderID: try identifier("order_id"), source: source, placedAt: try instant("placed_at"), status: try status(),
      currency: currency.code, totalMinor: total, tenderMinor: try optionalAmount("tender", currency) ?? total,
      // Configured names are in small letters; shops write the provider's own.
      provider: optional("provider")?.lowercased(), sellerAccount: optional("seller_account"),
      applicationFeeMinor: try optionalAmount("application_fee", currency), paymentReferences: references(),
      origin: origin,
      statusWord: cells.statusWord)
  }

  /// - Throws: `RowProblem`.
  func refund(source: String, origin: Origin) throws(RowProblem) -> OrderRefund {
    let currency = try currency()
    return OrderRefund(
      refundID: try identifier("refund_id"), source: source, orderID: try identifier("order_id"),
      refundedAt: try instant("refunded_at"), currency: currency.code, amountMinor: try amount("amount", currency),
      paymentReference: optional("payment_reference"), origin: origin)
  }

  /// - Throws: `RowProblem`.
  func initCall(source: String, origin: Origin) throws(RowProblem) -> PaymentInitCall {
    let currency = try currency()
    return PaymentInitCall(
      source: source, initHash: try identifier("payment_init_hash"), call: try identifier("call"),
      at: try instant("at"),
      currency: currency.code, amountMinor: try optionalAmount("amount", currency),
      asksApproval: !cells["approval"].isEmpty,
      origin: origin)
  }

  private func identifier(_ column: String) throws(RowProblem) -> String {
    let text = cells[column]
    if text.isEmpty { throw RowProblem(column, "is empty; expected an id") }
    if text.unicodeScalars.contains(where: { $0.value < 32 }) { throw RowProblem(column, "has a control character") }
    return text
  }

  private func instant(_ column: String) throws(RowProblem) -> Int64 {
    do { return try Instant.parse(cells[column]) } catch { throw RowProblem(column, error) }
  }

  private func status() throws(RowProblem) -> OrderStatus {
    if let status = OrderStatus(rawValue: cells["status"]) { return status }
    let words = OrderStatus.allCases.map(\.rawValue).joined(separator: ", ")
    throw RowProblem("status", "\"\(cells["status"].prefix(40))\" is none of \(words)")
  }

  private func currency() throws(RowProblem) -> Currency {
    do { return try Currency(code: cells["currency"]) } catch { throw RowProblem("currency", error) }
  }

  /// An amount in minor units, exact and not negative.
  private func amount(_ column: String, _ currency: Currency) throws(RowProblem) -> Int64 {
    let money: Money
    do { money = try Money.parse(cells[column], currency) } catch { throw RowProblem(column, error) }
    if money.amountMinor < 0 { throw RowProblem(column, "\(money) is negative; expected 0 or more") }
    return money.amountMinor
  }

  private func optionalAmount(_ column: String, _ currency: Currency) throws(RowProblem) -> Int64? {
    cells[column].isEmpty ? nil : try amount(column, currency)
  }

  private func optional(_ column: String) -> String? {
    cells[column].isEmpty ? nil : cells[column]
  }

  /// Each reference once, in the order given.
  private func references() -> [String] {
    var seen: Set<Substring> = []
    return cells["payment_references"].split(whereSeparator: \.isWhitespace).filter { seen.insert($0).inserted }.map(
      String.init)
  }
}
