import Testing

@testable import Journal

@Suite("Accounts of the journal")
struct JournalAccountsTests {
  @Test(
    "Any id can be read back from its component",
    arguments: [
      "acct_1AbC", "Acme NL", "DemoShopECOM", "2026", "x", "X", "X-", "-", "", "ünï", "a:b/c", "BA-LIABLE-0000", "X-5f",
    ])
  func roundTrip(id: String) throws {
    let component = JournalAccounts.component(id)
    #expect(JournalAccounts.id(component) == id, "\(component)")
    let first = try #require(component.utf8.first)
    #expect((65...90).contains(first) || (48...57).contains(first))
    #expect(component.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 })
  }

  @Test("Property: no two ids share a component", arguments: 0..<50)
  func injective(seed: Int) {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("aAX-_5f. ")
    let ids = Set((0..<200).map { _ in String((0..<Int.random(in: 0...5, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "a" }) })
    #expect(Set(ids.map(JournalAccounts.component)).count == ids.count)
  }

  @Test("Roles, providers, accounts and currencies have accounts of their own")
  func names() {
    let accounts = JournalAccounts(["platform": "Assets:PSP"])
    #expect(accounts.name(party: "platform", provider: "stripe", account: "acct_1", currency: "EUR") == "Assets:PSP:X-stripe:X-acct-5f1:EUR")
    #expect(
      accounts.name(party: "connected:acct_9", provider: "stripe", account: "acct_1", currency: "EUR")
        == "Liabilities:Connected:X-stripe:X-acct-5f9:EUR")
    #expect(accounts.name(party: "bank", provider: "Adyen", account: "", currency: "GBP") == "Assets:Bank:Adyen:GBP")
  }

  @Test(
    "A configured name that no journal takes is refused",
    arguments: [
      ("platform", "Assets", "expected an account"), ("platform", "assets:x", "expected an account"), ("platform", "Assets:my bank", "each part"),
      ("platforms", "Assets:A", "unknown"),
    ])
  func mistakes(key: String, name: String, words: String) {
    #expect(JournalAccounts.mistake(in: name, for: key)?.contains(words) == true)
    #expect(JournalAccounts.mistake(in: "Assets:Bank-1:2X", for: "bank") == nil)
  }
}
