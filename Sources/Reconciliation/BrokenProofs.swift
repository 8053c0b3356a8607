import Payments
import Reports
import Storage

/// Failed proofs that no listed discrepancy accounts for. A severity of `ignore` or a silent check does not make a
/// proof hold.
struct BrokenProofs {
  let database: any Database

  /// The reasons for the verdict, one sentence for each failed proof.
  func sentences() throws -> [String] {
    var sentences: [String] = []
    try database.query(
      """
      select p.proof, p.provider, p.account, p.currency, p.amount_minor from proof_line p
      where p.holds = 0 and p.subject = '' and not exists (
        select 1 from discrepancy d
        where d.currency = p.currency and (d.provider = p.provider or p.provider = '') and d.state <> 'resolved'
          and d.severity <> 'ignore'
          and d.type in (
            'flow_out_of_balance', 'fee_sum_mismatch', 'payout_mismatch', 'balance_mismatch', 'batch_out_of_balance',
            'unexplained_difference')
      )
      order by p.proof, p.provider, p.account, p.currency, p.ordinal
      """
    ) { row in
      let amount = try row.integer(4) ?? 0
      let currency = row.text(3) ?? ""
      let money =
        (try? Currency(code: currency)).map { Money(amountMinor: amount, currency: $0).description }
        ?? "\(amount) \(currency)"
      let place = [row.text(1), row.text(2)].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
      let whose = place.isEmpty ? "" : " for \(place)"
      sentences.append(
        "the proof \(row.text(0) ?? "") failed\(whose): \(money) remains, and no discrepancy explains it")
    }
    return sentences
  }

  /// The verdict and its reasons, taking failed proofs into account: a run with a failed proof is not clean.
  static func judged(_ verdict: Verdict, _ reasons: [String], in database: any Database) throws -> (Verdict, [String]) {
    guard verdict == .clean else { return (verdict, reasons) }
    let broken = try BrokenProofs(database: database).sentences()
    return broken.isEmpty ? (verdict, reasons) : (.discrepancies, reasons + broken)
  }
}
