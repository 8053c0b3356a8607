import Payments
import Storage

/// How orders are written to their tables: one bulk row each, columns in the order of `StoreTable`.
extension StoreSink {
  func load(_ order: Order) throws {
    let loader = try loader(.customerOrder)
    try loader.append(text: order.orderID)
    try loader.append(text: order.source)
    try loader.append(integer: order.placedAt)
    try loader.append(text: order.status.rawValue)
    try loader.append(text: order.currency)
    try loader.append(integer: order.totalMinor)
    try loader.append(integer: order.tenderMinor)
    try loader.append(text: order.provider)
    try loader.append(text: order.sellerAccount)
    try loader.append(integer: order.applicationFeeMinor)
    try loader.append(integer: order.origin.file)
    try loader.append(integer: order.origin.line)
    try loader.endRow()
  }

  func add(_ call: PaymentInitCall) throws {
    let loader = try loader(.paymentInitCall)
    try loader.append(text: call.source)
    try loader.append(text: call.initHash)
    try loader.append(text: call.call)
    try loader.append(integer: call.at)
    try loader.append(text: call.currency)
    try loader.append(integer: call.amountMinor)
    try loader.append(integer: call.asksApproval ? 1 : 0)
    try loader.append(integer: call.origin.file)
    try loader.append(integer: call.origin.line)
    try loader.endRow()
  }

  package func add(_ refund: OrderRefund) throws {
    let loader = try loader(.orderRefund)
    try loader.append(text: refund.refundID)
    try loader.append(text: refund.source)
    try loader.append(text: refund.orderID)
    try loader.append(integer: refund.refundedAt)
    try loader.append(text: refund.currency)
    try loader.append(integer: refund.amountMinor)
    try loader.append(text: refund.paymentReference)
    try loader.append(integer: refund.origin.file)
    try loader.append(integer: refund.origin.line)
    try loader.endRow()
  }
}
