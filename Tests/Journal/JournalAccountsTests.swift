import Testing

@testable import Journal

@Suite("Accounts of the journal")
struct JournalAccountsTests {
  @Test(
    "An id is recognised in its component",
    arguments: [
      ("stripe", "Stripe"), ("acct_1AbC", "Acct-1AbC"), ("afterpay-us", "Afterpay--us"), ("AcmeNL", "AcmeNL"),
      ("2026", "2026"),
      ("BA-LIABLE-0000", "BA-LIABLE-0000"), ("adyen_nl", "Adyen-nl"),
    ])
  func readable(id: String, component: String) {
    #expect(JournalAccounts.component(id) == component)
  }

  @Test(
    "What could be taken for another id, or is no name, ends with figures of its own",
    arguments: ["Acme", "Acme NL", "acct_1/issuing", "x", "-", "", "ünï", "a:b/c", "a_-b", "Stripe"])
  func marked(id: String) throws {
    let component = JournalAccounts.component(id)
    #expect(component.wholeMatch(of: /[A-Z0-9][A-Za-z0-9-]*-[0-9a-f]{6}/) != nil, "\(component)")
  }

  @Test("Property: no two ids share a component", arguments: 0..<50)
  func injective(seed: Int) {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("aAcX-_5f. ")
    let ids = Set(
      (0..<200).map { _ in
        String(
          (0..<Int.random(in: 0...5, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "a" })
      })
    #expect(Set(ids.map(JournalAccounts.component)).count == ids.count)
  }

  @Test("Roles, providers, accounts and currencies have accounts of their own")
  func names() {
    let accounts = JournalAccounts(["platform": "Assets:PSP"])
    #expect(
      accounts.account(party: "platform", provider: "stripe", account: "acct_1", currency: "EUR").name
        == "Assets:PSP:Stripe:Acct-1:EUR")
    #expect(
      accounts.account(party: "connected:acct_9", provider: "stripe", account: "acct_1", currency: "EUR").name
        == "Liabilities:Connected:Stripe:Acct-9:EUR")
    #expect(
      accounts.account(party: "bank", provider: "adyen", account: "", currency: "GBP").name == "Assets:Bank:Adyen:GBP")
  }

  @Test(
    "A ledger code stands for a role, for its provider, or for its currency there: the narrowest that is configured")
  func codes() {
    let accounts = JournalAccounts([
      "platform": "1200 Assets:PSP", "platform.stripe": "1210", "platform.stripe.EUR": "1211", "bank": "1000",
    ])
    func found(_ party: String, _ provider: String, _ currency: String) -> [String?] {
      let account = accounts.account(party: party, provider: provider, account: "a1", currency: currency)
      return [account.name, account.code, account.ledgerName]
    }
    #expect(found("platform", "stripe", "EUR") == ["Assets:PSP:Stripe:A1:EUR", "1211", "1211"])
    #expect(found("platform", "stripe", "USD")[1] == "1210")
    #expect(found("platform", "adyen", "EUR")[1] == "1200")
    #expect(found("bank", "adyen", "EUR")[0]?.hasPrefix("Assets:Bank:Adyen:") == true)
    let provider = found("provider", "adyen", "EUR")
    #expect(provider[1] == nil && provider[2] == provider[0])
  }

  @Test(
    "A configured name that no journal takes is refused",
    arguments: [
      ("platform", "Assets", "expected an account"), ("platform", "assets:x", "expected an account"),
      ("platform", "Assets:my bank", "each part"),
      ("platforms", "Assets:A", "unknown"), ("platform.stripe", "Assets:A", "expected a ledger code"),
      ("platform.", "1200", "unknown"),
      ("bank", "1/2 Assets:Bank", "a ledger code holds"),
    ])
  func mistakes(key: String, name: String, words: String) {
    #expect(JournalAccounts.mistake(in: name, for: key)?.contains(words) == true)
    #expect(JournalAccounts.mistake(in: "Assets:Bank-1:2X", for: "bank") == nil)
    #expect(JournalAccounts.mistake(in: "1200", for: "platform.stripe.EUR") == nil)
  }
}
