import Payments
import Testing

@testable import Reconciliation

@Suite("Which rows report one movement")
struct PairingTests {
  /// `s` a row of the settlement, `a` one of the API: `side rowID recordID amount @date`.
  @Test(
    "A settlement row and the row of the API",
    arguments: [
      Case("AP06-refund-before-and-after-settlement", "a a1 r1 -500 @1; s s1 r1 -500 @3", "s1=a1"),
      Case(
        "AP14-duplicate-refunds", "a a1 r1 -500 @1; a a2 r2 -500 @2; s s1 r2 -500 @3; s s2 r1 -500 @4", "s1=a2 s2=a1"),
      Case("AP01-immediate-payment", "a a1 c1 1000 @1; s s1 s1 1000 @3", "s1=a1"),
      Case("AP03-two-captures", "a a1 c1 400 @1; a a2 c2 600 @2; s s1 s1 600 @3; s s2 s2 400 @4", "s1=a2 s2=a1"),
      Case("AP03-two-captures", "a a1 c1 500 @1; a a2 c2 500 @2; s s1 s1 500 @3; s s2 s2 500 @4", "s1=a1 s2=a2"),
      Case("AP-settled-with-another-amount", "a a1 r1 -500 @1; s s1 r1 -450 @3", "s1=a1"),
      Case("AP-settled-with-another-amount", "a a1 c1 1000 @1; s s1 s1 990 @3", "s1=a1"),
      Case("AP-settled-with-another-amount", "a a1 c1 1000 @1; s s1 s1 600 @3; s s2 s2 390 @4", "s1=a1 s2=a1"),
      Case("AP-settled-with-another-amount", "a a1 c1 1000 @1; a a2 r1 -500 @2; s s1 s1 -450 @3", "s1=a2"),
      Case("AP17b-orphan-settlement", "s s1 s1 1000 @3", ""),
      Case("AP-orphans-alike", "s s1 s1 1000 @3; s s2 s2 1000 @3; s s3 s3 1000 @3", ""),
      Case("AP02-void-is-no-refund", "a a1 c1 1000 @1; s s1 r9 -500 @3", ""),
      Case("AP17a-unsettled-refund", "a a1 r1 -500 @1; a a2 r2 -300 @2; s s1 r2 -300 @3", "s1=a2"),
    ])
  func settlement(_ line: Case) throws {
    let parts = line.parts
    let rows = try parts.enumerated().map { index, words in
      let line = Words(words)
      return SettlementPairing.Candidate(
        row: index, rowID: Text(line.plain[1]), recordID: Text(line.plain[2]), currency: "EUR",
        amountMinor: try #require(Int64(line.plain[3])),
        bookedAt: line.date)
    }
    let settlement = rows.filter { parts[$0.row][0] == "s" }
    let pairs = SettlementPairing.pairs(settlement: settlement, api: rows.filter { parts[$0.row][0] == "a" })
    #expect(pairs.map { "\(parts[$0.settlement][1])=\(parts[$0.api][1])" }.joined(separator: " ") == line.expected)
  }

  /// `row` one of the settlement, `share` one of the split: `side kind record category amount fee=`. Expected: the
  /// shares that do not count.
  @Test(
    "A share of a split and the settlement's row",
    arguments: [
      Case(
        "A18c-settlement-and-platform-know-one-payment",
        "row payment P settled 1000; share payment P capture 900; share payment P capture 100", "1 2"),
      Case(
        "A18e-the-settlement-tells-a-part-of-a-split-payment", "row payment P settled 1000; share refund R split -500",
        ""),
      Case(
        "A18e-the-settlement-tells-a-part-of-a-split-payment",
        "row payment P settled 1000 fee=20; share payment P capture 1000; share payment P capture 0", "1 2"),
      Case(
        "A18e-the-settlement-tells-a-part-of-a-split-payment",
        "row payment P settled 1000; share payment P capture 1000; share payment P capture 0", "1"),
      Case(
        "A18a-a-split-its-refund-and-the-sellers-payout", "share payment P capture 900; share payment P capture 100",
        ""),
      Case(
        "A18e-the-settlement-tells-a-part-of-a-split-payment",
        "row refund R1 refunded -500; share refund R2 split -500", "1"),
      Case(
        "A18e-the-settlement-tells-a-part-of-a-split-payment",
        "row refund R1 refunded -500; share refund R2 split -400", ""),
      Case(
        "A18d-a-dispute-lost-twice-and-money-between-accounts",
        "row dispute D chargeback -500; share dispute D chargeback -500; share dispute D secondchargeback -500", "1"),
      Case(
        "A18d-a-dispute-lost-twice-and-money-between-accounts",
        "row dispute D chargeback -500; row dispute D reversed 500; share dispute D CHARGEBACK -500",
        "2"),
    ])
  func shares(_ line: Case) throws {
    let rows = try line.parts.enumerated().map { index, words in
      let line = Words(words)
      return SplitPairing.Candidate(
        row: index, kind: try #require(RecordKind(rawValue: line.plain[1])), recordID: Text(line.plain[2]),
        category: Text(line.plain[3]),
        currency: "EUR", amountMinor: try #require(Int64(line.plain[4])), feeMinor: line.number("fee") ?? 0,
        isShare: line.plain[0] == "share")
    }
    #expect(try SplitPairing.coveredShares(rows).map(String.init).joined(separator: " ") == line.expected)
  }

  @Test("Every rule says why it is one")
  func reasons() {
    #expect(
      SettlementPairing.Rule.allCases.allSatisfy { !$0.reason.isEmpty }
        && SplitPairing.Rule.allCases.allSatisfy { !$0.reason.isEmpty })
    #expect(
      CapturePairing.Rule.allCases.allSatisfy { !$0.reason.isEmpty }
        && TransferPayment.Rule.allCases.allSatisfy { !$0.reason.isEmpty })
    #expect(LinkRule.allCases.allSatisfy { !$0.reason.isEmpty })
  }
}
