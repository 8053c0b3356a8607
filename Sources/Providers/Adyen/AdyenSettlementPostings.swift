import Payments

/// Makes the postings of one settlement row; they always add up to its stated net.
struct AdyenSettlementPostings {
  let row: AdyenSettlementRow
  let rule: AdyenPostingRule

  func postings() -> [Posting] {
    var postings: [Posting] = []
    postings.reserveCapacity(row.fees.count + 1)
    func post(
      _ kind: EntryKind, _ other: Role, _ inflow: Int64, _ feeType: FeeType? = nil, _ description: String? = nil
    ) {
      guard inflow != 0 else { return }
      postings.append(
        Posting(
          ordinal: postings.count, kind: kind, from: inflow > 0 ? other : .platform,
          to: inflow > 0 ? .platform : other, currency: row.net.code, amountMinor: abs(inflow), feeType: feeType,
          description: description))
    }
    let gross = row.isWhole ? row.amountMinor : row.convertedMinor
    post(
      gross > 0 ? rule.incoming : rule.outgoing, rule.counterparty, gross, rule.feeType,
      rule.counterparty == .customer ? nil : row.words)
    for fee in row.fees { post(.fee, .provider, -fee.amountMinor, fee.type) }
    // Of a row that does not add up the stated net counts: settlement_row_broken refers to the rest.
    post(.adjustment, .provider, row.amountMinor - gross, nil, "what the row's own arithmetic leaves open")
    return postings
  }
}
