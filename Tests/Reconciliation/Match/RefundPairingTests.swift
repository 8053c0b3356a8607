import Testing

@testable import Reconciliation

/// The refunds of both sides of a group → which agree: one line a case, the story that made the rule necessary in
/// brackets.
///
/// `o`: a refund that the orders record, `p`: one that the provider has; amount, then the payment (`-`: does not say)
/// and what else matters.
@Suite struct RefundPairingTests {
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let refunds: [String]
    /// `=` matched, `~` differs, `!` alone; with the payment within which sums were compared where it is not the
    /// refund's own.
    let outcomes: [String]
    var tolerance: Int64

    init(_ description: String, _ refunds: [String], _ outcomes: [String], tolerance: Int64 = 0) {
      self.description = description
      self.refunds = refunds
      self.outcomes = outcomes
      self.tolerance = tolerance
    }
  }

  static let cases: [Case] = [
    Case("nothing on either side", [], []),
    Case("both have it (C02)", ["o 500 a", "p 500 a"], ["=a", "=a"]),
    Case("the orders alone (refund-missing-at-provider)", ["o 500 a"], ["!a"]),
    Case("the provider alone (refund-unrecorded)", ["p 500 a"], ["!a"]),
    Case("other amounts (refund-amounts-differ)", ["o 500 a", "p 400 a"], ["~a", "~a"]),
    Case("a cent, within tolerance", ["o 500 a", "p 499 a"], ["=a", "=a"], tolerance: 1),
    Case("by its id, whatever the payment", ["o 500 a r1", "p 500 a r1", "p 500 a"], ["=a", "=a", "!a"]),
    Case(
      "by its id, with another amount (refund-amounts-differ)", ["o 500 a r1", "p 400 a r1", "p 500 a"],
      ["~a", "~a", "!a"]),
    Case(
      "one id of two recorded refunds: compared in sum",
      [
        "o 300 a r1", "o 200 a r1",
        "p 500 a r1",
      ], ["=a", "=a", "=a"]),
    Case("two partial refunds (P03)", ["o 300 a", "o 200 a", "p 200 a", "p 300 a"], ["=a", "=a", "=a", "=a"]),
    Case("the same amount twice, once recorded", ["o 500 a", "p 500 a", "p 500 a at2"], ["=a", "=a", "!a"]),
    Case("recorded at once, refunded in parts (C05)", ["o 500 a", "p 300 a", "p 200 a"], ["=a", "=a", "=a"]),
    Case("the rest of one payment, in sum", ["o 500 a", "o 100 a", "p 500 a", "p 60 a"], ["=a", "~a", "=a", "~a"]),
    Case("which of two payments it does not say (CA-rows-that-name-no-payment)", ["o 500 -", "p 500 a"], ["=", "=a"]),
    Case(
      "which it does not say, and the amounts differ: the group in sum", ["o 500 -", "p 300 a", "p 200 b"],
      ["=", "=", "="]),
    Case("each payment for itself", ["o 500 a", "o 200 b", "p 400 a", "p 300 b"], ["~a", "~b", "~a", "~b"]),
    Case("the same payment before the group", ["o 500 b", "o 500 -", "p 500 a", "p 500 b"], ["=b", "=", "=a", "=b"]),
    Case("failed counts as present (refund-failed-alone)", ["o 500 a", "p 500 a failed"], ["=a", "=a"]),
    Case("pending counts as present (S17)", ["o 500 a", "p 500 a pending"], ["=a", "=a"]),
    Case("succeeded before failed (A08)", ["o 500 a", "p 500 a failed", "p 500 a at9"], ["=a", "!a", "=a"]),
    Case(
      "succeeded before pending before failed", ["o 500 a", "o 500 a", "p 500 a failed", "p 500 a pending", "p 500 a"],
      ["=a", "=a", "!a", "=a", "=a"]),
    Case(
      "a failed one is no part of the sum beside a succeeded one", ["o 500 a", "p 400 a", "p 100 a failed"],
      ["~a", "~a", "!a"]),
    Case("failed ones alone are compared", ["o 500 a", "p 400 a failed", "p 100 a pending"], ["=a", "=a", "=a"]),
    Case("two currencies never meet", ["o 500 a", "p 500 a USD"], ["!a", "!a"]),
    Case(
      "one side names its payment, in another currency than the rest", ["o 500 - USD", "o 300 a", "p 200 a"],
      ["!", "~a", "~a"]),
  ]

  @Test("two sides to their agreement", arguments: cases)
  func pairing(_ one: Case) throws {
    var texts = TextPool()
    let sides = one.refunds.enumerated().map { Self.side($0.element, $0.offset, &texts) }
    let matches = try RefundPairing.pair(sides, texts: texts, tolerances: ["EUR": one.tolerance, "USD": 0])
    let outcomes = matches.map { match in
      let sign =
        switch match.outcome {
        case .matched: "="
        case .differs: "~"
        case .alone: "!"
        }
      return sign + (match.unit.map(texts.string) ?? "")
    }
    #expect(outcomes == one.outcomes)
  }

  @Test("a sum beyond 64 bits is an error")
  func overflow() {
    var texts = TextPool()
    var sides = ["o 1 a", "o 2 a", "p 3 a"].enumerated().map { Self.side($0.element, $0.offset, &texts) }
    sides[0].amountMinor = .max
    #expect(throws: AmountOverflow.self) { try RefundPairing.pair(sides, texts: texts, tolerances: [:]) }
  }

  /// Reads `o 500 a r1`: side, amount, payment, and in any order a name (`r…`), an instant (`at…`), a currency, a
  /// status.
  private static func side(_ text: String, _ place: Int, _ texts: inout TextPool) -> RefundSide {
    let words = text.split(separator: " ").map(String.init)
    var side = RefundSide(
      side: words[0] == "o" ? .order : .provider, refundID: texts.intern("\(words[0])\(place)"),
      flowKey: words[2] == "-" ? nil : texts.intern(words[2]),
      provider: texts.intern("bank"), status: texts.intern("succeeded"), currency: "EUR",
      amountMinor: Int64(words[1]) ?? 0, happenedAt: 1,
      isCovered: true)
    for word in words.dropFirst(3) {
      switch word {
      case "USD": side.currency = word
      case "failed": (side.status, side.standing) = (texts.intern(word), .ended)
      case "pending": (side.status, side.standing) = (texts.intern(word), .pending)
      default:
        if word.hasPrefix("at") {
          side.happenedAt = Int64(word.dropFirst(2)) ?? 0
        } else {
          side.named = texts.intern(word)
        }
      }
    }
    return side
  }
}
