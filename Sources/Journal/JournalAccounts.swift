/// The names of an entry's parties in a journal: a base from the configuration, then provider, account and currency.
///
/// `Assets:Provider:Stripe:Acct-1AbC:EUR`. A component begins with a capital letter or a digit and contains only
/// letters, digits and hyphens, as beancount requires. The ids themselves are recorded as facts of the account, so no
/// id has to be read back from a name.
package struct JournalAccounts: Sendable {
  /// The bases by role; the keys are those of `journal:` in the configuration.
  package static let defaults = [
    "platform": "Assets:Provider", "customer": "Income:Customers", "connected": "Liabilities:Connected",
    "provider": "Expenses:Provider",
    "bank": "Assets:Bank", "other": "Equity:Other", "opening": "Equity:Opening-Balances",
    "unexplained": "Equity:Unexplained", "prior_period": "Equity:Prior-Periods",
  ]
  private let bases: [String: String]
  /// Ledger codes by role, by `role.provider` and by `role.provider.CURRENCY`.
  private let codes: [String: String]

  /// - Parameter names: by role, an account instead of the default one, a ledger code, or a code and an account;
  ///   by `role.provider` and `role.provider.CURRENCY` a ledger code.
  package init(_ names: [String: String] = [:]) {
    let parts = names.mapValues(LedgerName.init)
    bases = Self.defaults.merging(parts.compactMapValues(\.account)) { $1 }
    codes = parts.compactMapValues(\.code)
  }

  /// The mistake in a configured name; nil if it can be used in a journal.
  package static func mistake(in name: String, for key: String) -> String? {
    let role = key.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = role.first, defaults[String(first)] != nil, role.count <= 3, !role.contains("") else {
      return
        "unknown; known are \(defaults.keys.sorted().joined(separator: ", ")), also with a provider and a currency, "
        + "as in platform.stripe.EUR"
    }
    let ledger = LedgerName(name)
    if let code = ledger.code, !LedgerName.isCode(code) {
      return "a ledger code holds letters, figures, hyphens and dots, as in 1210"
    }
    guard let account = ledger.account else { return nil }
    if role.count > 1 { return "expected a ledger code, as in 1210" }
    let parts = account.split(separator: ":", omittingEmptySubsequences: false)
    let roots = ["Assets", "Liabilities", "Equity", "Income", "Expenses"]
    guard parts.count > 1, roots.contains(String(parts[0])) else {
      return "expected an account such as \(defaults[key] ?? "Assets:Provider"), or a ledger code such as 1210"
    }
    return parts.allSatisfy(isComponent)
      ? nil : "each part of an account begins with a capital letter or a figure, then letters, figures and hyphens"
  }

  /// The account of an entry's party: `platform`, `customer`, `connected:<account>`, `provider`, `bank`, `other`.
  func account(party: String, provider: String, account: String, currency: String) -> JournalAccount {
    let role = party.hasPrefix("connected:") ? "connected" : party
    let whose = role == "connected" ? String(party.dropFirst(10)) : account
    return make(defaultsHave(role) ? role : "other", provider: provider, account: whose, currency: currency)
  }

  /// The counter-account of opening balances.
  func opening(currency: String) -> JournalAccount { make("opening", provider: "", account: "", currency: currency) }

  /// The counter-account of adjustments of a closed period, which the other side clears.
  func priorPeriod(currency: String) -> JournalAccount {
    make("prior_period", provider: "", account: "", currency: currency)
  }

  /// The counter-account of amounts that the provider states beyond its rows.
  func unexplained(provider: String, account: String, currency: String) -> JournalAccount {
    make("unexplained", provider: provider, account: account, currency: currency)
  }

  private func defaultsHave(_ role: String) -> Bool { Self.defaults[role] != nil }

  private func make(_ role: String, provider: String, account: String, currency: String) -> JournalAccount {
    let base = bases[role] ?? "Equity:Other"
    let name = ([base] + [provider, account, currency].filter { !$0.isEmpty }.map(Self.component)).joined(
      separator: ":")
    let keys = ["\(role).\(provider).\(currency)", "\(role).\(provider)", role]
    return JournalAccount(
      name: name, code: keys.lazy.compactMap { codes[$0] }.first, provider: provider, account: account,
      currency: currency)
  }

  /// An id as a readable component: `stripe` is `Stripe`, `acct_1AbC` is `Acct-1AbC`, `AcmeNL` is unchanged.
  ///
  /// An id that could be confused with another one, or that contains characters that no account name can have, is
  /// followed by six hexadecimal digits of its own, as in `Acct-1-issuing-5f83c1` for `acct_1/issuing`.
  package static func component(_ id: String) -> String {
    let plain = written(id)
    guard isComponent(plain[...]), read(plain) == id else {
      let words = id.unicodeScalars.split { !isLetter($0) && !("0"..."9").contains($0) }
      let text = words.map { String($0) }.joined(separator: "-")
      return (text.isEmpty ? "Id" : text.prefix(1).uppercased() + text.dropFirst()) + "-" + mark(id)
    }
    return plain
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && scalar.properties.isAlphabetic }

  /// Ids that begin in lower case get a capital letter, a hyphen for `_` and two for `-`; others are unchanged.
  private static func written(_ id: String) -> String {
    guard let first = id.unicodeScalars.first, ("a"..."z").contains(first) else { return id }
    return id.prefix(1).uppercased() + id.dropFirst().replacing("-", with: "--").replacing("_", with: "-")
  }

  /// The id that a component would be read back as.
  private static func read(_ component: String) -> String {
    let word = component.prefix { $0 != "-" }
    let isSmall =
      word.utf8.count > 1 && word.dropFirst().utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    guard isSmall, let first = word.utf8.first, (65...90).contains(first) else { return component }
    let marked = component.dropFirst().replacing("--", with: "\u{1}").replacing("-", with: "_").replacing(
      "\u{1}", with: "-")
    return component.prefix(1).lowercased() + marked
  }

  private static func isComponent(_ part: Substring) -> Bool {
    guard let first = part.utf8.first, (65...90).contains(first) || (48...57).contains(first) else { return false }
    return part.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45
    }
  }

  /// Six hexadecimal digits for an id: FNV-1a of its bytes, 64 bits.
  private static func mark(_ id: String) -> String {
    let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    let text = String((hash ^ (hash >> 32)) & 0xFF_FFFF, radix: 16)
    return String(repeating: "0", count: 6 - text.utf8.count) + text
  }
}

/// An account of a journal, with the ids that make up its name.
struct JournalAccount: Hashable {
  var name: String
  /// Its code in the ledger that the journal is for; nil where none is configured.
  var code: String?
  /// Empty where it has none.
  var provider, account, currency: String

  /// Its name in accounting packages.
  var ledgerName: String { code ?? name }

  /// Its non-empty facts.
  var facts: [(name: String, value: String)] {
    [("code", code ?? ""), ("provider", provider), ("account", account), ("currency", currency)].filter {
      !$0.1.isEmpty
    }
  }
}

/// A configured name: `Assets:PSP`, `1210`, or `1210 Assets:PSP`.
private struct LedgerName {
  var code: String?
  var account: String?

  init(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[1].contains(":") {
      (code, account) = (parts[0], parts[1])
    } else if Self.isCode(text), text.contains(where: \.isNumber) {
      code = text
    } else {
      account = text
    }
  }

  static func isCode(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 46
      }
  }
}
