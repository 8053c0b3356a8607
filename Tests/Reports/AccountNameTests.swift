import Testing

@testable import Reports

/// The names of statements' files.
@Suite struct AccountNameTests {
  static let hostile = [
    "acct_1QzWvXuTsRqPoNmL", "acct_1qzwvxutsrqponml", "BA32272223222B5CTDQPM6W2H", "ba32272223222b5ctdqpm6w2h", "..",
    ".", "../../etc/passwd", "/", "a/b",
    "a\\b", "CON", "con", "a:b*?\"<>|", "a b", " ", "-", "a-USD", "a%2f", "a~0f", "é", "e\u{301}", "\u{1F600}", "\n",
    "=1+2", "a.csv", "%", "~", "--version",
    "acct_\u{130}", "straße", "STRASSE",
  ]

  @Test func `a name contains nothing that a file system or a shell takes amiss`() {
    for id in Self.hostile + ["", String(repeating: "Ä/", count: 400)] {
      let name = AccountName.text(id)
      #expect(name.utf8.count <= AccountName.longest, "\(id)")
      #expect(name.wholeMatch(of: /[A-Za-z0-9_~%-]*/) != nil, "\(id): \(name)")
    }
  }

  @Test func `two ids never have one name, also where large and small letters are the same`() {
    let long = ["A", "a", "aa"].map { String(repeating: "x", count: 300) + $0 }
    let names = (Self.hostile + long).map { AccountName.text($0).lowercased() }
    #expect(Set(names).count == Self.hostile.count + long.count)
  }

  @Test func `a name can be read back, whatever the file system made of its case`() {
    for id in Self.hostile {
      let name = AccountName.text(id)
      for form in [name, name.lowercased(), name.uppercased()] {
        #expect(AccountName.id(form).map { Array($0.utf8) } == Array(id.utf8), "\(form)")
      }
    }
    #expect(AccountName.id(AccountName.text(String(repeating: "x", count: 300))) == nil)
    #expect(AccountName.id("a~x") == nil && AccountName.id("a%4") == nil && AccountName.id("a~1~2") == nil)
  }

  @Test func `an id of small letters is its own name`() {
    #expect(AccountName.text("acct_seller0001") == "acct_seller0001")
    #expect(AccountName.text("acct_1QzWv") == "acct_1QzWv~0a")
    #expect(AccountName.text("a/b.c") == "a%2fb%2ec")
  }
}
