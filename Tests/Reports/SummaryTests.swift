import Payments
import TestSupport
import Testing

@testable import Reports

/// What a run says on the terminal.
@Suite struct SummaryTests {
  @Test(arguments: TestStore.all)
  func `a person understands the night in ten seconds`(engine: TestStore) throws {
    try Night.store(engine) { database in
      var summary = try Night.summary(database)
      summary.location = "output/2026-03-01"
      #expect(
        summary.text == """
          Reconciliation 2026-03-01 (UTC): INCOMPLETE
            stripe charges was not read in full: HTTP 503

                         captured  refunded  disputed   fees  transferred  commission   kept  paid out
            stripe  CAD      9.52      0.00      0.00   0.00         0.00        0.00   9.52      0.00
            stripe  JPY       500         0         0     18            0           0    482         0
            stripe  KWD     5.120     0.000     0.000  0.000        0.000       0.000  5.120     0.000
            stripe  USD     22.50      3.33      0.00   1.60        15.85        1.23   2.95      0.64

          Orders and payments: 3 matched, 1 mismatched, 1 unmatched order, 1 unmatched payment

          Discrepancies: 2 high; 1 of them new; 1 decided; 1 resolved
            high missing_payment: Order =o6 is paid with 1.500 KWD due, and no capture refers to it.
            high dispute_opened: A dispute took 1.00 USD.

          Reports: output/2026-03-01

          """)
      #expect(summary.line == "incomplete, 2026-03-01, 3 of 6 matched, 2 open discrepancies: output/2026-03-01")
    }
  }

  @Test(arguments: TestStore.all)
  func `kept less paid out and other is the change of the balance`(engine: TestStore) throws {
    try Night.store(engine) { database in
      try database.execute("update entry set from_party = 'other' where entry_id = 'ed'")
      try Night.sumUp(database)
      let figures = try SummaryFigures.read(from: database, range: Night.range, folder: Night.reports + "/summary")
      let change = """
        select cast(sum(case when to_party = 'platform' then amount_minor
          when from_party = 'platform' then -amount_minor else 0 end) as bigint)
        from entry where booked_at >= $1 and booked_at < $2 and currency = $3
        """
      for total in figures.totals {
        let balance = try database.integer(
          change, [.integer(Night.range.startsAt), .integer(Night.range.endsAt), .text(total.currency.code)])
        #expect(total.balanceChange == balance)
      }
    }
  }

  @Test(arguments: TestStore.all)
  func `the control total is in one line, and a proof that fails is named`(engine: TestStore) throws {
    try Night.store(engine) { database in
      let figures = try Night.summary(database).figures
      let line = try #require(figures.tieOut.first)
      #expect(line.amounts == [3000, 2000, 1000, 950, 40, 0, 10] && !line.holds)
      #expect(figures.proofs.map { "\($0.proof) \($0.failing)/\($0.lines)" } == ["control_total 1/6", "payouts 0/1"])
    }
  }

  @Test func `a night without anything says so`() {
    let summary = RunSummary(
      verdict: .clean,
      range: ReportRange(firstDay: Night.day("2026-03-01"), lastDay: Night.day("2026-03-31"), startsAt: 0, endsAt: 1),
      timeZone: "Europe/Amsterdam", figures: SummaryFigures())
    #expect(
      summary.text == """
        Reconciliation 2026-03-01 to 2026-03-31 (Europe/Amsterdam): CLEAN

        No entry was booked in the range.

        Orders and payments: 0 matched

        Discrepancies: none open

        """)
  }
}
