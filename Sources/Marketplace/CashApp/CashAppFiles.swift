/// Settlement files as Cash App delivers them (docs/providers/cashapp.md section 2): activity in chunks, balance,
/// summary, disputes.
struct CashAppFiles {
  let clientID: String
  let night: Int
  /// Balance rows that are stated otherwise, by batch.
  var misstatements: [String: CashAppMisstatement] = [:]
  /// Rows of one file; Cash App allows 9,999.
  private let chunk = 60

  /// The files of one batch.
  ///
  /// - Parameter madeAgainAt: when they were made once more: the name carries that day, and the rows are cut otherwise.
  func files(_ batch: CashAppBatch, madeAgainAt: Int64? = nil) -> [String: String] {
    let day = Moment.date(madeAgainAt ?? batch.closesAt).replacing("-", with: "")
    var files: [String: String] = [:]
    let size = madeAgainAt == nil ? chunk : chunk * 2 + 7
    let starts = batch.rows.isEmpty ? [0] : Array(stride(from: 0, to: batch.rows.count, by: size))
    for (index, start) in starts.enumerated() {
      let rows = batch.rows[start..<min(start + size, batch.rows.count)]
      files["\(day)_settlement_report_client_\(clientID)_batch_\(batch.id)_chunk_\(index).csv"] = activity(rows, batch)
    }
    guard madeAgainAt == nil else { return files }
    files["\(day)_balance_summary_report_client_\(clientID)_batch_\(batch.id).csv"] = balance(batch)
    files["\(day)_activity_summary_report_client_\(clientID)_batch_\(batch.id).csv"] = summary(batch)
    return files
  }

  private func activity(_ rows: ArraySlice<CashAppRow>, _ batch: CashAppBatch) -> String {
    let header = """
      merchant_id,merchant_reference_id,settlement_batch_id,payment_id,payment_reference_id,refund_id,\
      refund_reference_id,dispute_id,\
      transaction_type,transaction_time,net_amount,gross_amount,fee_amount,fee_variable,fee_fixed,currency_code,\
      settled_at
      """
    return ([header] + rows.map { line($0, batch) }).joined(separator: "\n") + "\n"
  }

  private func line(_ row: CashAppRow, _ batch: CashAppBatch) -> String {
    let at = night > 1 ? row.atTomorrow ?? row.at : row.at
    return [
      row.merchant, row.merchant.replacing("MMI_", with: "store-"), batch.id, row.paymentID, row.paymentReference,
      row.refundID,
      row.refundReference, row.disputeID, row.type, Moment.text(at), "\(row.net)", "\(row.gross)", "\(row.fee)",
      "\(row.feeVariable)",
      "\(row.feeFixed)", "USD", Moment.text(batch.closesAt),
    ].joined(separator: ",")
  }

  private func balance(_ batch: CashAppBatch) -> String {
    let wrong = misstatements[batch.id]
    let amounts = [
      ("starting_balance", "Starting balance", batch.opening + (wrong == .opening ? 100 : 0)),
      ("ending_balance", "Ending balance", batch.closing),
      ("payout", "Payout", batch.payout + (wrong == .opening ? 100 : 0)),
      ("activity", "Activity", batch.activity + (wrong == .activity ? -1 : 0)),
    ]
    let lines = amounts.map { "\($0.0),\($0.1),USD,\($0.2)" }
    return (["category,description,currency,net_amount"] + lines).joined(separator: "\n") + "\n"
  }

  /// Advisory: the vendor's own sample does not add up.
  private func summary(_ batch: CashAppBatch) -> String {
    let lines = ["CAPTURE", "REFUND", "CHARGEBACK"].map { type in
      let rows = batch.rows.filter { $0.type == type }
      let sums = rows.reduce((0, 0, 0)) { ($0.0 + $1.gross, $0.1 + $1.net, $0.2 + $1.fee) }
      return "\(rows.count),USD,\(type),\(abs(sums.0)),\(abs(sums.1)),\(sums.2)"
    }
    return (["count,currency,transaction_type,gross_amount,net_amount,fee_amount"] + lines).joined(separator: "\n")
      + "\n"
  }

  /// What changed of disputes before a cut-off, in two parts.
  func disputes(_ states: [CashAppDisputeState], of batch: CashAppBatch) -> [String: String] {
    let day = Moment.date(batch.closesAt).replacing("-", with: "")
    let header = """
      dispute_id,dispute_created_at,payment_id,merchant_id,amount,currency_code,reason,state,updated_at,response_due_at
      """
    var files: [String: String] = [:]
    for part in 0...1 {
      let lines = states.enumerated().filter { $0.offset % 2 == part }.map { _, state in
        [
          state.id, Moment.text(state.createdAt), state.payment.id, state.payment.merchant, "\(state.amount)", "USD",
          "FR11", state.state,
          Moment.text(state.changedAt), Moment.text(state.createdAt + 13 * Season.day),
        ].joined(separator: ",")
      }
      let name = "\(day)_dispute_report_client_\(clientID)_batch_\(batch.id)_chunk_\(part).csv"
      files[name] = ([header] + lines).joined(separator: "\n") + "\n"
    }
    return files
  }
}

/// What a balance summary can state wrongly.
enum CashAppMisstatement {
  /// It opens a dollar above what the batch before it left, and pays that dollar out.
  case opening
  /// Its activity is a cent less than its rows.
  case activity
}
