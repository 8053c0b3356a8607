/// What the parties of an entry are called in a journal: a base from the configuration, then provider, account and currency.
///
/// `Assets:Provider:Stripe:Acct-5f1AbC:EUR`. A component begins with a capital letter or a figure and holds letters, figures and hyphens only, as
/// beancount wants it; whatever else a provider's id holds is written as its bytes, so that the id can be read back.
package struct JournalAccounts: Sendable {
  /// The bases by role; the keys are those of `journal:` in the configuration.
  package static let defaults = [
    "platform": "Assets:Provider", "customer": "Income:Customers", "connected": "Liabilities:Connected", "provider": "Expenses:Provider",
    "bank": "Assets:Bank", "other": "Equity:Other", "opening": "Equity:Opening-Balances",
    "unexplained": "Equity:Unexplained",
  ]
  private let bases: [String: String]

  /// - Parameter names: bases that stand for the default ones.
  package init(_ names: [String: String] = [:]) {
    bases = Self.defaults.merging(names) { $1 }
  }

  /// What is wrong with a configured base; nil when it can stand in a journal.
  package static func mistake(in name: String, for key: String) -> String? {
    guard defaults[key] != nil else { return "unknown; known are \(defaults.keys.sorted().joined(separator: ", "))" }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    let roots = ["Assets", "Liabilities", "Equity", "Income", "Expenses"]
    guard parts.count > 1, roots.contains(String(parts[0])) else { return "expected an account such as \(defaults[key] ?? "Assets:Provider")" }
    return parts.allSatisfy(isComponent) ? nil : "each part of an account begins with a capital letter or a figure, then letters, figures and hyphens"
  }

  /// The account of a party of an entry: `platform`, `customer`, `connected:<account>`, `provider`, `bank`, `other`.
  package func name(party: String, provider: String, account: String, currency: String) -> String {
    let role = party.hasPrefix("connected:") ? "connected" : party
    let base = bases[role] ?? bases["other"] ?? "Equity:Other"
    let whose = role == "connected" ? String(party.dropFirst(10)) : account
    return ([base] + [provider, whose, currency].filter { !$0.isEmpty }.map(Self.component)).joined(separator: ":")
  }

  /// Where what stood before comes from.
  package func opening(currency: String) -> String { "\(bases["opening"] ?? "Equity:Opening-Balances"):\(Self.component(currency))" }

  /// Where that comes from which the provider states beyond its rows.
  package func unexplained(provider: String, account: String, currency: String) -> String {
    ([bases["unexplained"] ?? "Equity:Unexplained"] + [provider, account, currency].filter { !$0.isEmpty }.map(Self.component)).joined(separator: ":")
  }

  /// An id as a component.
  ///
  /// Letters and figures stand for themselves, any other byte is `-` and two hexadecimal figures; a first small letter is written large behind `X-`.
  package static func component(_ id: String) -> String {
    var text = ""
    for byte in id.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122: text.unicodeScalars.append(UnicodeScalar(byte))
      default: text += "-" + hexadecimal(byte)
      }
    }
    guard let first = text.utf8.first else { return "X-" }
    return (48...57).contains(first) || ((65...90).contains(first) && !text.hasPrefix("X-")) ? text : "X-" + text
  }

  /// The id that a component stands for; nil when it stands for none.
  package static func id(_ component: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array((component.hasPrefix("X-") ? component.dropFirst(2) : component[...]).utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "-") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isComponent(_ part: Substring) -> Bool {
    guard let first = part.utf8.first, (65...90).contains(first) || (48...57).contains(first) else { return false }
    return part.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return byte < 16 ? "0" + text : text
  }
}
