import Testing

@testable import Reports

@Suite("Texts as people read them")
struct ProseTests {
  @Test(
    "Amounts have separators at thousands, instants a day and a time; ids, days and everything else stay as they are",
    arguments: [
      ("took 1158.00 USD: 772.00 USD more", "took 1,158.00 USD: 772.00 USD more"),
      ("-1325065 JPY, due", "-1,325,065 JPY, due"),
      ("(12345678.901 KWD)", "(12,345,678.901 KWD)"), ("by 2026-03-04T04:00:59Z.", "by 2026-03-04 04:00 UTC."),
      (
        "(2026-03-04T04:00:00Z), 3 captures 310000000588 310000000609",
        "(2026-03-04 04:00 UTC), 3 captures 310000000588 310000000609"
      ),
      ("Settlement 2026-03-05 pays 999.99 USD", "Settlement 2026-03-05 pays 999.99 USD"),
      ("order 12345 USDT 1.2.3 USD", "order 12345 USDT 1.2.3 USD"),
      ("2026-03-04T04:00:00+01:00", "2026-03-04T04:00:00+01:00"), ("", ""), ("1000.00", "1000.00"),
      ("a 1000.00 EUR\u{301}", "a 1000.00 EUR\u{301}"),
    ])
  func text(text: String, expected: String) { #expect(Prose.text(text) == expected) }

  @Test("A type has a title", arguments: [("missing_payment", "Missing payment"), ("fx_loss", "FX loss"), ("", "")])
  func title(word: String, expected: String) { #expect(Prose.title(word) == expected) }
}
