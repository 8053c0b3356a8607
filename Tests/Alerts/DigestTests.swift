import Foundation
import Settings
import Testing

@testable import Alerts

@Suite("Digests")
struct DigestTests {
  @Test("The text of a digest: verdict, counts, what is new, worse and resolved, the rest and the place")
  func golden() throws {
    let scene = try Scene()
    let entry = try #require(
      try scene.entries("  - {kind: slack, url: 'https://hooks.slack.com/services/T/B/x', minimum_severity: low}").first
    )
    let before = RunOutcome.night([.duplicate, .late])
    let first = AlertFilter(entry: entry).changes(before, history: DeliveryHistory([], channel: ""))
    let line = AlertLine(at: "", channel: "", key: "k", outcome: .sending, rangeEnd: before.rangeEnd, changes: first)
    var history = DeliveryHistory([], channel: "")
    history.add(line)
    var fresh = Discrepancy(id: "d_03", type: "approval_stuck", severity: .low, state: "new", provider: "paypal")
    fresh.explanation = "Started and never concluded."
    let run = RunOutcome.night(
      [Discrepancy.duplicate.with(state: "persisting", difference: 24_000), .late.with(state: "resolved"), fresh],
      outcome: .incomplete, day: 2,
      reasons: ["paypal/transactions: not read in full: status 500"])
    let digest = Digest(run, AlertFilter(entry: entry).changes(run, history: history))
    #expect(
      digest.text == """
        Crossfoot 2026-03-02: incomplete; 1 new, 1 worse, 1 resolved

        - paypal/transactions: not read in full: status 500

        New: 1 low
        Worse: 1 critical (240.00 EUR)
        Resolved: 1 high (500 JPY)

        NEW
        low approval_stuck, paypal
          Started and never concluded.
          d_03

        WORSE
        critical duplicate_payment, 240.00 EUR, stripe, order o-1 <b>&, payment ch_1 ch_2
          The customer paid 240.00 EUR for an order of 120.00 EUR.
          What to do: Refund one of the two payments.
          d_01

        RESOLVED
        high settlement_overdue, -500 JPY, paypal
          Not paid out after 9 days; ask <address>
          d_02

        Report: /srv/crossfoot/output/2026-03-02

        """)
  }

  @Test("Never a flood: ten are spelt out, the worst first, the others counted")
  func flood() throws {
    let discrepancies = (0..<200).map { number in
      var discrepancy = Discrepancy.late.with(state: "new", difference: Int64(number))
      discrepancy.id = "d_\(number)"
      return discrepancy
    }
    let run = RunOutcome.night(discrepancies)
    let digest = Digest(run, discrepancies.map { Change(.new, $0) }.sorted(by: Change.isBefore))
    #expect(digest.items.count == 10 && digest.rest == 190)
    #expect(digest.items.first?.amount == "199 JPY")
    #expect(digest.text.contains("and 190 more in the report") && digest.text.contains("New: 200 high (19900 JPY)"))
    let message = Slack.message(digest)
    #expect(message.blocks.count <= 50)
    #expect(message.blocks.allSatisfy { ($0.text?.text.count ?? 0) <= 3000 })
  }

  @Test("Slack's and HTML's markup in a record stays text; an owner is in no message")
  func markup() throws {
    let digest = Digest(RunOutcome.night(), [Discrepancy.duplicate, .late].map { Change(.new, $0) })
    let body = String(decoding: try JSONEncoder().encode(Slack.message(digest)), as: UTF8.self)
    #expect(body.contains("o-1 &lt;b&gt;&amp;") && !body.contains("<b>"))
    #expect(digest.html.contains("order o-1 &lt;b&gt;&amp;,"))
    for text in [body, digest.html, digest.text] { #expect(!text.contains("Jenny") && !text.contains("@example")) }
  }

  @Test("A mail's headers: line breaks become spaces, other letters are encoded, addresses stay bare")
  func headers() throws {
    #expect(MailText.encoded("a\r\nBcc: x@example.com") == "a Bcc: <address>")
    #expect(MailText.encoded("Prüfung") == "=?UTF-8?B?\(Data("Prüfung".utf8).base64EncodedString())?=")
    #expect(MailText.date(1_772_600_000) == "Wed, 04 Mar 2026 04:53:20 +0000")
    #expect(Email.isAddress("finance@example.com"))
    for bad in ["a@b\r\nRCPT TO:<c@d>", "Jenny <a@b>", "a b@c", "a", "@b", "a@b@c", ""] {
      #expect(!Email.isAddress(bad))
    }
  }

  @Test("Filters: severity, provider, type, connected account and owner; an incomplete run passes them all")
  func filters() throws {
    let scene = try Scene()
    let wanted = [
      "minimum_severity: critical": ["d_01"], "provider: [paypal]": ["d_02"], "type: duplicate_payment": ["d_01"],
      "owner: Jenny Rosen": ["d_01"],
      "connected_account: acct_1": [], "minimum_severity: low": ["d_01", "d_02"],
    ]
    for (filter, ids) in wanted {
      let entry = try #require(
        try scene.entries("  - {kind: slack, url: 'https://hooks.slack.com/x', \(filter)}").first)
      let changes = AlertFilter(entry: entry).changes(
        RunOutcome.night(outcome: .incomplete), history: DeliveryHistory([], channel: ""))
      #expect(changes.map(\.id) == ["run 2026-03-01"] + ids, "\(filter)")
    }
  }

  @Test(
    "What was decided is not new; open again with another amount it is; a rerun of an older day contradicts nothing")
  func states() throws {
    let scene = try Scene()
    let filter = AlertFilter(
      entry: try #require(try scene.entries("  - {kind: slack, url: 'https://hooks.slack.com/x'}").first))
    func kinds(_ discrepancy: Discrepancy?, day: Int = 1, after sent: [Change] = [], on toldDay: Int = 1) -> [Change
      .Kind]
    {
      var state = DeliveryHistory([], channel: "")
      state.add(
        AlertLine(
          at: "", channel: "", key: "", outcome: .sending, rangeEnd: RunOutcome.night(day: toldDay).rangeEnd,
          changes: sent))
      return filter.changes(RunOutcome.night(discrepancy.map { [$0] } ?? [], day: day), history: state).map(\.kind)
    }
    let open = [Change(.new, .duplicate)]
    #expect(kinds(.duplicate.with(state: "acknowledged")) == [])
    #expect(kinds(.duplicate.with(state: "resolved")) == [])
    #expect(kinds(.duplicate, after: open) == [])
    #expect(kinds(.duplicate.with(state: "persisting", difference: 12_001), after: open) == [.worse])
    #expect(kinds(.duplicate.with(state: "persisting", difference: 11_000), after: open) == [])
    var reopened = Discrepancy.duplicate.with(state: "persisting", difference: 11_000)
    reopened.decision = "written off by x; open again"
    #expect(kinds(reopened, after: open) == [.new])
    #expect(kinds(.duplicate.with(state: "resolved"), day: 2, after: open) == [.resolved])
    #expect(kinds(nil, day: 2, after: open) == [.resolved])
    #expect(kinds(.duplicate.with(state: "resolved"), day: 1, after: open, on: 2) == [])
    #expect(kinds(nil, day: 1, after: open, on: 2) == [])
    #expect(kinds(.duplicate, day: 3, after: [Change(.resolved, .duplicate)], on: 2) == [.new])
  }
}
