import Payments
import Storage

/// Payouts, settlements, observations, and how far the provider's records are complete.
extension LandedLoader {
  func loadPayouts() throws {
    let account = TextColumn()
    let columns = """
      payout_id, account, currency, amount_minor, created_at, arrival_on, status, is_itemised, row_id, \
      failure_row_id, failure_code, \
      bank_reference, landed_file, landed_line
      """
    try read(.payout, columns) { row, place in
      providers[place].payouts.append(
        PayoutRecord(
          payoutID: row.key(1), account: account.read(row, 2) ?? "", currency: row.key(3),
          amountMinor: try row.number(4),
          createdAt: try row.number(5), arrivalOn: row.value(6), status: row.key(7), isItemised: try row.flag(8),
          rowID: row.value(9),
          failureRowID: row.value(10), failureCode: row.value(11), bankReference: row.value(12),
          landedFile: try row.number(13),
          landedLine: try row.number(14)))
    }
    let payout = TextColumn()
    try read(.payoutLine, "payout_id, row_id, currency, net_minor, landed_file, landed_line") { row, place in
      providers[place].payoutLines.append(
        PayoutLineRecord(
          payoutID: payout.read(row, 1) ?? "", rowID: row.key(2), currency: row.key(3), netMinor: try row.number(4),
          landedFile: try row.number(5), landedLine: try row.number(6)))
    }
  }

  func loadSettlements() throws {
    let columns = """
      account, payout_id, row_id, fee_row_id, currency, net_millionths, minor_millionths, settled_at, landed_file, \
      landed_line
      """
    try read(.exactNet, columns) { row, place in
      providers[place].exactNets.append(
        ExactNet(
          account: row.key(1), payoutID: row.key(2), rowID: row.key(3), feeRowID: row.value(4), currency: row.key(5),
          netMillionths: try row.number(6), minorMillionths: try row.number(7), settledAt: try row.number(8),
          landedFile: try row.number(9),
          landedLine: try row.number(10)))
    }
  }

  func loadObservations() throws {
    let (account, record) = (TextColumn(), TextColumn())
    let subject = WordColumn<EventSubject>(of: .observation)
    let state = WordColumn<EventState>(of: .observation)
    let feed = WordColumn<EventFeed>(of: .observation)
    let columns = """
      account, subject, record_id, payment_id, event_id, state, feed, currency, amount_minor, happened_at, until_at, \
      method, intent_id, detail, \
      part, is_echo, landed_file, landed_line
      """
    try read(.observation, columns, orderedBy: "provider, subject, record_id, state, event_id, feed, part") {
      row, place in
      providers[place].observations.append(
        Observation(
          account: account.read(row, 1) ?? "", subject: try subject.required(row, 2),
          recordID: record.read(row, 3) ?? "",
          paymentID: row.value(4), eventID: row.key(5), state: try state.required(row, 6),
          feed: try feed.required(row, 7),
          currency: row.key(8), amountMinor: try row.number(9), happenedAt: try row.number(10),
          untilAt: try row.integer(11),
          method: row.value(12), intentID: row.value(13), detail: row.value(14), part: row.key(15),
          isSecondary: try row.flag(16),
          landedFile: try row.number(17), landedLine: try row.number(18)))
    }
  }

  func loadCoverage() throws {
    try database.query(LandedTable.coverage.select("source, subject, covers_from, is_complete", of: batch)) { row in
      guard let source = row.value(0), source != "" else { return }
      let place = place(of: source)
      if row.text(1) == "payments" { providers[place].coverage.paymentsFrom = try row.integer(2) }
      if row.text(1) == "refunds" { providers[place].coverage.areRefundsComplete = try row.flag(3) }
    }
  }
}
