import Payments
import Testing

@testable import Journal

@Suite("Lines for accounting packages")
struct JournalCSVTests {
  @Test(
    "What a spreadsheet would run stays text, in any width and behind whatever is invisible",
    arguments: [
      ("=1+1", "'=1+1"), ("\u{FF1D}1", "'\u{FF1D}1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"),
      ("\u{FF20}x", "'\u{FF20}x"),
      ("\u{200B}=1", "'\u{200B}=1"), ("\u{202E}-1", "'\u{202E}-1"), (" @x", "' @x"), ("a=1", "a=1"), ("1", "1"),
    ])
  func neutral(order: String, written: String) throws {
    let accounts = JournalAccounts()
    func account(_ party: String) -> JournalAccount {
      accounts.account(party: party, provider: "stripe", account: "acct_1", currency: "EUR")
    }
    let entry = JournalEntry(
      day: "2026-03-01", from: account("customer"), to: account("platform"),
      money: Money(amountMinor: 100, currency: try Currency(code: "EUR")),
      kind: "", entryID: "e", paymentID: "", orderIDs: order, recordID: "r", payoutID: "")
    let lines = JournalCSVWriter().entry(entry).split(separator: "\n")
    #expect(
      lines.count == 2 && lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false)[6] == written },
      "\(lines)")
  }
}
