/// The tables that assemble fills, with their columns in the order of writing. The only place that names them.
enum DerivedTable: String, CaseIterable {
  case duplicate = "row_echo"
  case presentment = "presentment_echo"
  case capture = "payment_capture"
  case payment
  case refund
  case dispute
  case dayLine = "day_line"
  case link = "row_link"
  case transfer = "payment_transfer"
  case entry
  case flow
  case paymentState = "payment_at"
  case refundState = "refund_at"
  case disputeState = "dispute_at"
  case reference = "payment_reference"

  var name: String { rawValue }

  var columns: [String] { columnText.split(separator: " ").map(String.init) }

  private var columnText: String {
    switch self {
    case .duplicate: "provider row_id echoes_row_id"
    case .presentment: "provider payment_id record_id row_id currency amount_minor exchange_rate"
    case .capture:
      """
      provider payment_id flow_key capture_id is_failure currency amount_minor captured_at confirmed_at is_settled \
      is_alone
      """
    case .payment:
      """
      provider payment_id flow_key account intent_id status is_captured is_declined currency amount_minor \
      captured_minor created_at capture_before \
      method tells_events authorised_at canceled_at landed_file landed_line
      """
    case .refund:
      """
      provider refund_id payment_id status currency amount_minor created_at row_id failure_row_id \
      is_expired_authorisation failed_at landed_file \
      landed_line batch_no
      """
    case .dispute:
      """
      provider dispute_id payment_id status provider_status reason currency amount_minor created_at respond_by \
      landed_file landed_line
      """
    case .dayLine: "provider payout_id row_id currency net_minor landed_file landed_line"
    case .link:
      "provider row_id record_id record_kind payment_id connected_account presentment_currency presentment_minor"
    case .transfer: "provider transfer_id payment_id joined_by"
    case .entry:
      """
      entry_id provider account flow_key payment_id kind from_party to_party connected_account currency amount_minor \
      presentment_currency \
      presentment_minor exchange_rate fee_type description booked_at available_at payout_id row_id record_id row_name
      """
    case .flow:
      """
      moment flow_key currency provider account payment_id gross_minor refunded_minor disputed_minor \
      transferred_minor transfer_reversed_minor \
      application_fee_minor application_fee_refunded_minor provider_fee_minor platform_net_minor connected_net_minor \
      customer_net_minor \
      provider_net_minor other_net_minor in_range has_capture
      """
    case .paymentState:
      """
      moment flow_key provider account payment_id intent_id currency status is_captured captured_at created_at \
      captured_minor refunded_minor \
      failed_minor failed_at charged_minor settlement_currency settlement_captured_minor charge_type destination \
      asked_transfer_minor \
      asked_fee_minor connected_account transfers transfer_currency transferred_minor reversed_minor fees \
      fee_currency fee_collected_minor \
      fee_returned_minor disputed_minor is_covered open_minor released_at batch_no
      """
    case .refundState:
      """
      moment provider refund_id flow_key payment_id status currency amount_minor created_at booked_at failed_at \
      settlement_currency \
      settlement_minor reversal_id reversed_minor reversal_currency batch_no
      """
    case .disputeState:
      """
      moment provider dispute_id flow_key payment_id account status status_since reason created_at respond_by \
      asked_currency asked_minor currency \
      taken_minor returned_minor moved_at
      """
    case .reference: "flow_key value order_rank batch_no"
    }
  }
}
