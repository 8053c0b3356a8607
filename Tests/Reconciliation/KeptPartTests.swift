import TestSupport
import Testing

@testable import Reconciliation

/// A group's parts come back from the store as they were kept.
@Suite("Parts of kept sums")
struct KeptPartTests {
  @Test("Any parts are read as they were written", arguments: 1...50 as ClosedRange<UInt64>)
  func readAsWritten(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var parts: [KeptPart] = []
    for name in ["captured", "connected", "entries", "fee_lines", "within_tolerance"] {
      for provider in ["", "stripe", "afterpay eu"] where Bool.random(using: &random) {
        let key = KeptPart.Key(
          name: name, provider: provider, account: ["", "acct_1", "a=b"].randomElement(using: &random) ?? "",
          connectedAccount: ["", "acct_seller"].randomElement(using: &random) ?? "",
          currency: ["USD", "JPY"].randomElement(using: &random) ?? "")
        let amounts = [0, .min, .max, Int64.random(in: -100_000...100_000, using: &random)]
        parts.append(KeptPart(key: key, amountMinor: amounts.randomElement(using: &random) ?? 0))
      }
    }
    let read = try KeptPart.read(KeptPart.text(of: parts))
    #expect(read.count == parts.count)
    #expect(Set(read) == Set(parts))
  }

  @Test(
    "A text that nobody wrote is refused",
    arguments: [
      "entries", "stripe\tacct\t\tUSD", "stripe\tacct\t\tUSD\tentries", "stripe\tacct\t\tUSD\tentries=1.5",
      "stripe\tacct\tUSD\tentries=1",
    ])
  func refused(text: String) {
    #expect(throws: KeptSumError.self) { try KeptPart.read(text) }
  }
}
