/// An Afterpay account's records as its API words them, personal values included.
struct AfterpayRendering {
  let currency: String
  let night: Int

  private func money(_ amount: Int64) -> String {
    "{\"amount\":\"\(Tender.text(amount, currency))\",\"currency\":\"\(currency.uppercased())\"}"
  }

  private func time(_ instant: Int64, _ millisecond: Int64 = 0) -> String {
    let digits = String(millisecond)
    return "\(Moment.text(instant).dropLast()).\(String(repeating: "0", count: 3 - digits.count))\(digits)Z"
  }

  func payment(_ payment: AfterpayPaymentRecord) -> AfterpaySite.Payment {
    let shopper = Shopper(number: payment.at % 90_000)
    let events = payment.events.filter { $0.night <= night }.map { event in
      """
      {"id":"\(event.id)","created":"\(time(event.at, 222))",\
      "expires":\(event.expiresAt.map { "\"\(time($0))\"" } ?? "null"),\
      "type":"\(event.type)","amount":\(money(event.amount)),"paymentEventMerchantReference":null}
      """
    }
    let refunds = payment.refunds.filter { $0.night <= night }.map { refund in
      """
      {"refundId":"\(refund.id)","refundedAt":"\(time(refund.at, refund.millisecond))",\
      "amount":\(money(refund.amount)),\
      "requestId":"\(refund.id)-r","merchantReference":null,"refundMerchantReference":null}
      """
    }
    let json = """
      {"id":"\(payment.id)","token":"\(payment.token)","status":"\(payment.isApproved ? "APPROVED" : "DECLINED")",\
      "created":"\(time(payment.at, 17))","originalAmount":\(money(payment.amount)),\
      "openToCaptureAmount":\(money(payment.open)),\
      "paymentState":"\(payment.state)","merchantReference":\(JSONTree.quoted(payment.reference)),\
      "refunds":[\(refunds.joined(separator: ","))],"isCashAppPay":\(payment.isCashAppPay),\
      "orderDetails":{"consumer":{"givenNames":"\(shopper.name)","email":"\(shopper.email)",\
      "phoneNumber":"\(shopper.phone)"},\
      "billing":{"name":"\(shopper.name)","line1":"\(shopper.street)"},"items":null},\
      "events":[\(events.joined(separator: ","))]}
      """
    return AfterpaySite.Payment(
      id: payment.id, token: payment.token, at: payment.at, isApproved: payment.isApproved, json: json)
  }

  func dispute(_ dispute: AfterpayDisputeRecord) -> String {
    """
    {"id":"\(dispute.id)","order":"\(dispute.token)","amount":"\(Tender.text(dispute.amount, currency))",\
    "reason":"product_not_received","status":"\(dispute.status)","open":\(dispute.closing == nil),\
    "responseDueBy":"\(dispute.at + 864_000)","createdAt":"\(dispute.at)","updatedAt":"\(dispute.updatedAt)",\
    "transactionDate":"\(dispute.at - 90_000)","closingReason":\(dispute.closing.map { "\"\($0)\"" } ?? "null"),\
    "merchantOrderId":"","meta":{"orderType":"BNPL"}}
    """
  }
}
