import Foundation
import Marketplace
import TestSupport
import Testing

@Suite("A check by itself", .onItsOwnThread)
struct CheckCommandTests {
  static let refund = """
    -- Refund {record_id} of payment {payment_id} gave back {actual}; above {expected} a second person agrees.
    --
    -- Suggested action: Finance ask who agreed to the refund.
    -- Severity: medium
    -- Rests on: refunds
    select r.moment, r.provider || ':' || r.refund_id as subject, r.provider, p.account, '' as order_id, r.payment_id,
      r.refund_id as record_id, r.currency, 0 as expected_minor, r.amount_minor as actual_minor, r.created_at as since,
      p.connected_account
    from refund_at r
    join payment_at p on p.moment = r.moment and p.flow_key = r.flow_key

    """

  private func check(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(["check"] + arguments + ["--resources", NightSite.checkout], in: site.folder.path)
  }

  @Test("Its rows are those that a run would list, with the same ids, and nothing is published or kept")
  func rows() async throws {
    try await NightSite.serve(orders: 80) { site in
      try site.folder.write("checks/large_refund.sql", Self.refund)
      _ = try await site.run()
      let before = site.link()
      let tried = try await check(site, ["checks/large_refund.sql", "--format", "json"])
      #expect(tried.status == 0, "\(tried.errors)")
      let trial = try #require(try JSONSerialization.jsonObject(with: Data(tried.output.utf8)) as? [String: Any])
      let rows = try #require(trial["rows"] as? [[String: Any]])
      #expect(!rows.isEmpty && rows.allSatisfy { $0["is_claimed"] as? Bool == true })
      #expect(rows.contains { $0["expected"] as? String == "0.00" && $0["currency"] as? String == "USD" })
      #expect(site.link() == before)
      let text = try await check(site, ["checks/large_refund.sql"])
      #expect(text.output.contains("\(rows.count) rows at the end of \(site.range())\n"), "\(text.output)")

      try site.configure(further: "\nchecks: [checks]\n")
      _ = try await site.run("report")
      let listed = try site.lines("discrepancies.csv").filter {
        $0.contains(",large_refund,") && !$0.contains(",resolved,")
      }
      #expect(Set(listed.map { String($0.prefix(18)) }) == Set(rows.compactMap { $0["discrepancy_id"] as? String }))
    }
  }

  @Test("What a run would refuse is refused with its file, and what is none is said")
  func refused() async throws {
    try await NightSite.serve(orders: 20) { site in
      _ = try await site.run()
      let cases: [(text: String, status: Int32, words: String)] = [
        (Self.refund.replacing("select r.moment", with: "delete from ledger_row; select r.moment"), 78, "bad.sql:6: "),
        (
          Self.refund.replacing("r.created_at as since", with: "r.created_at as sinc"), 78,
          "bad.sql: its result lacks the column since"
        ),
        (
          Self.refund.replacing("-- Severity: medium\n", with: ""), 78,
          "bad.sql: its head comment has no line \"-- Severity:"
        ),
        (
          Self.refund.replacing("{actual}", with: "{amount}"), 78,
          "bad.sql: its result lacks what its sentence names in braces: amount"
        ),
        (
          Self.refund.replacing("Rests on: refunds", with: "Rests on: moon"), 78,
          "bad.sql: its head comment names \"moon\""
        ),
        (
          Self.refund.replacing("r.provider || ':' || r.refund_id as subject", with: "'x' as subject"), 78,
          "two rows for the subject"
        ),
        (
          Self.refund.replacing("r.currency,", with: "'=EVIL()' as currency,"), 78, "with the currency \"=EVIL()\""
        ),
        (
          Self.refund.replacing("r.created_at as since", with: "9223372036854775807 as since"), 78,
          "whose since is no instant"
        ),
        (
          Self.refund.replacing("r.amount_minor as actual_minor", with: "9223372036854775807 as actual_minor"), 78,
          "whose actual_minor is beyond 10^15 minor units"
        ),
      ]
      for (text, status, words) in cases {
        try site.folder.write("bad.sql", text)
        let ended = try await check(site, ["bad.sql"])
        #expect(ended.status == status && ended.output.isEmpty, "\(words): \(ended.output)")
        #expect(ended.errors.contains(words), "\(ended.errors)")
      }
      let unknown = try await check(site, ["nowhere.sql"])
      #expect(unknown.status == 64 && unknown.errors.contains("there is no such file"), "\(unknown.errors)")
      let known = try await check(site, ["missing_payment"])
      #expect(known.status == 0 && known.output.hasPrefix("check missing_payment, severity "), "\(known.errors)")
    }
  }

  @Test("--examine runs nothing; a row that rests on what is not complete is withheld, and shown as such")
  func withheld() async throws {
    try await NightSite.serve(orders: 40) { site in
      try site.folder.write("late.sql", Self.refund.replacing("r.created_at as since", with: "4102444799 as since"))
      let examined = try await check(site, ["late.sql", "--examine"])
      let accepted = "check late, severity medium, rests on refunds: a run accepts it\n"
      #expect(examined.output == accepted, "\(examined.errors)")
      _ = try await site.run()
      site.endpoint.faults = FaultPlan([.init(.body(500, "down"), path: "/v1/refunds")])
      try await site.run().expect(2)
      let tried = try await check(site, ["late.sql"])
      #expect(
        tried.status == 0 && tried.output.contains("\n0 rows at the end of ")
          && tried.output.contains("\nwithheld, because "), "\(tried.output)")
    }
  }

  @Test("--verbose reports each stage when it begins and when it ends")
  func verbose() async throws {
    try await NightSite.serve(orders: 20) { site in
      let ended = try await site.run("run", ["--verbose"])
      for stage in ["catch up", "pull", "read", "assemble", "match", "check", "prove", "report"] {
        #expect(
          ended.errors.contains("stage \(stage): begins") && ended.errors.contains("stage \(stage): ended after "),
          "\(stage)")
      }
      #expect(ended.errors.contains("debug crossfoot: stripe/charges: read in full"), "\(ended.errors)")
    }
  }
}
