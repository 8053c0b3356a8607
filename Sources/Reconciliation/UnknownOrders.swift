import Payments
import Reports
import Storage

/// Refunds of a range that an order source records for orders that no source has delivered: nothing can be compared
/// with them, so they are in no report but run.json.
struct UnknownOrders: Encodable, Equatable {
  /// The order source.
  let source: String
  /// How many of its refunds.
  let refunds: Int64
  /// One of them, and its order.
  let refundID, orderID: String

  static func find(in database: any Database, _ range: ReportRange) throws -> [UnknownOrders] {
    var found: [UnknownOrders] = []
    try database.query(
      """
      select u.source, u.refunds, r.refund_id, r.order_id
      from (
        select r.source, cast(count(*) as bigint) as refunds, min(r.refund_id) as refund_id
        from order_refund r
        left join customer_order o on o.order_id = r.order_id
        where r.refunded_at >= $1 and r.refunded_at < $2 and o.order_id is null
        group by r.source
      ) u
      join order_refund r on r.refund_id = u.refund_id
      order by u.source
      """, [.integer(range.startsAt), .integer(range.endsAt)]
    ) { row in
      found.append(
        UnknownOrders(
          source: row.text(0) ?? "", refunds: try row.integer(1) ?? 0, refundID: row.text(2) ?? "",
          orderID: row.text(3) ?? ""))
    }
    return found
  }

  /// What a reader of the log learns.
  var sentence: String {
    let others = refunds == 1 ? "" : " and \(refunds - 1) more"
    return "\(source): refund \(refundID)\(others) of the orders' refunds names an order that no source has delivered "
      + "(\(orderID)); deliver the order, or correct the refund's order_id"
  }
}
