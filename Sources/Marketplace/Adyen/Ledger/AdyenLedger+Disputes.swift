/// Disputes, and captures that fail afterwards.
extension AdyenLedger {
  /// The customer's bank takes the money back, with a fee; every step of one dispute carries one reference.
  func chargeback(_ payment: AdyenPayment, _ amount: Int64, at instant: Int64) -> String {
    let dispute = psp()
    notify(
      "NOTIFICATION_OF_CHARGEBACK", dispute, of: payment, value: amount, at: instant - 600, reason: "10.4 Other Fraud",
      additional: [("chargebackReasonCode", "10.4"), ("disputeStatus", "Undefended")])
    notify(
      "CHARGEBACK", dispute, of: payment, value: amount, at: instant, reason: "10.4 Other Fraud",
      additional: [
        ("chargebackReasonCode", "10.4"), ("defendable", "true"),
        ("defensePeriodEndsAt", account.eventDate(instant + 16 * Season.day)),
        ("disputeStatus", "Undefended"),
      ])
    move("Chargeback", payment, dispute, -amount, fees: AdyenFees(markup: 1_500), at: instant)
    return dispute
  }

  /// The dispute is won: the money comes back. Adyen's notification does not name the payment.
  func reverse(_ dispute: String, of payment: AdyenPayment, _ amount: Int64, at instant: Int64) {
    notify("CHARGEBACK_REVERSED", dispute, of: payment, value: amount, at: instant, linked: false)
    move("ChargebackReversed", payment, dispute, amount, fees: AdyenFees(), at: instant)
  }

  /// The dispute is lost for good: the money goes again.
  func lose(_ dispute: String, of payment: AdyenPayment, _ amount: Int64, at instant: Int64) {
    notify("SECOND_CHARGEBACK", dispute, of: payment, value: amount, at: instant, linked: false)
    move("SecondChargeback", payment, dispute, -amount, fees: AdyenFees(), at: instant)
  }

  /// A question of the customer's bank, which moves no money.
  func inquire(about payment: AdyenPayment, at instant: Int64) -> String {
    let inquiry = psp()
    notify(
      "REQUEST_FOR_INFORMATION", inquiry, of: payment, value: payment.captured, at: instant, reason: "Retrieval request"
    )
    return inquiry
  }

  /// A capture that was reported as done and was not: the money never came, or is taken back.
  func failCapture(_ payment: AdyenPayment, _ capture: String, at instant: Int64) {
    notify("CAPTURE_FAILED", capture, of: payment, value: payment.captured, at: instant, reason: "Capture Failed")
    move("CaptureFailed", payment, capture, -payment.captured, fees: AdyenFees(), at: instant)
  }

  private func move(
    _ type: String, _ payment: AdyenPayment, _ modification: String, _ amount: Int64, fees: AdyenFees, at instant: Int64
  ) {
    let row = book(type, at: instant, payment, modification, net: settled(amount, of: payment) - fees.sum)
    row.gross = amount
    row.fees = fees
  }
}
