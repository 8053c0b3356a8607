import Payments

/// The format of a journal.
package enum JournalFormat: String, Sendable, CaseIterable { case beancount, hledger, csv }

/// One movement of a journal: an amount from one account to another.
struct JournalEntry {
  var day: String
  var from: JournalAccount
  var to: JournalAccount
  var money: Money
  /// `capture`, `fee (processing)` …
  var kind: String
  var entryID: String
  var paymentID: String
  var orderIDs: String
  var recordID: String
  /// The payout that pays it, or the payout that it is.
  var payoutID: String
  /// The closed period that it adjusts; empty for every other entry.
  var period = ""
}

/// The description of an entry that none of the provider's rows reports; it is flagged for review.
enum Unexplained { static let words = "Stated by the provider and in none of its rows" }

/// Writes the lines of one format.
protocol JournalWriter {
  /// The beginning of the file: accounts and currencies, opened on the day before the range.
  func head(day: String, title: String, accounts: [JournalAccount], currencies: [Currency]) -> String
  /// An account's balance at the beginning of the range.
  func opening(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String
  func entry(_ entry: JournalEntry) -> String
  /// What the provider states beyond its rows, so that the account has the stated balance.
  func unexplained(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String
  /// The balance that the provider states for an account at the end of a day.
  func balance(day: String, nextDay: String, account: JournalAccount, money: Money) -> String
}

/// Plain text for beancount: `bean-check` accepts it.
struct BeancountWriter: JournalWriter {
  func head(day: String, title: String, accounts: [JournalAccount], currencies: [Currency]) -> String {
    var lines = ["option \"title\" \(quoted(title))"]
    for currency in currencies { lines.append("\(day) commodity \(currency.code)") }
    for account in accounts {
      lines.append("\(day) open \(account.name)")
      lines += account.facts.map { "  \($0.name): \(quoted($0.value))" }
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  func opening(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String {
    "\(day) * \"Opening\"\n  \(account.name)  \(money)\n  \(against.name)  \(money.negated)\n\n"
  }

  func entry(_ entry: JournalEntry) -> String {
    var text = "\(entry.day) * \(quoted(entry.kind))"
    if !entry.paymentID.isEmpty { text += " ^\(link(entry.paymentID))" }
    for order in entry.orderIDs.split(separator: " ") { text += " ^\(link(String(order)))" }
    if !entry.payoutID.isEmpty { text += " ^\(link(entry.payoutID))" }
    if !entry.period.isEmpty { text += " #\(link(entry.period))" }
    text += "\n"
    let facts = [
      ("entry", entry.entryID), ("payment", entry.paymentID), ("order", entry.orderIDs), ("record", entry.recordID),
      ("payout", entry.payoutID), ("period", entry.period),
    ]
    for (name, value) in facts where !value.isEmpty {
      text += "  \(name): \(quoted(value))\n"
    }
    return text + "  \(entry.to.name)  \(entry.money)\n  \(entry.from.name)  \(entry.money.negated)\n\n"
  }

  func unexplained(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String {
    "\(day) ! \"\(Unexplained.words)\"\n  \(account.name)  \(money)\n  \(against.name)  \(money.negated)\n\n"
  }

  /// An assertion applies at the beginning of its day, so it is dated the next day; without `~ 0` beancount would
  /// tolerate a cent.
  func balance(day: String, nextDay: String, account: JournalAccount, money: Money) -> String {
    "\(nextDay) balance \(account.name)  \(money.decimalText) ~ 0 \(money.currency.code)\n"
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ") + "\""
  }

  /// Links may contain letters, digits, `-`, `_`, `/` and `.`.
  private func link(_ id: String) -> String {
    String(
      id.unicodeScalars.map { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(Character(scalar))
            || "-_/.".unicodeScalars.contains(scalar))
          ? Character(scalar) : "-"
      })
  }
}

/// Plain text for hledger: `hledger check --strict` accepts it.
struct HledgerWriter: JournalWriter {
  func head(day: String, title: String, accounts: [JournalAccount], currencies: [Currency]) -> String {
    var lines = ["; \(title)"]
    for currency in currencies {
      lines.append("commodity 1000.\(String(repeating: "0", count: currency.digits)) \(currency.code)")
    }
    for account in accounts {
      let tags = account.facts.map { "\($0.name):\(plain($0.value))" }.joined(separator: ", ")
      lines.append("account \(account.name)" + (tags.isEmpty ? "" : "  ; \(tags)"))
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  func opening(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String {
    "\(day) * Opening\n    \(account.name)  \(money)\n    \(against.name)  \(money.negated)\n\n"
  }

  func entry(_ entry: JournalEntry) -> String {
    var tags = entry.period.isEmpty ? "entry:\(plain(entry.entryID))" : "period:\(plain(entry.period))"
    if !entry.paymentID.isEmpty { tags += ", payment:\(plain(entry.paymentID))" }
    if !entry.orderIDs.isEmpty { tags += ", order:\(plain(entry.orderIDs))" }
    tags += ", record:\(plain(entry.recordID))"
    if !entry.payoutID.isEmpty { tags += ", payout:\(plain(entry.payoutID))" }
    return
      "\(entry.day) * \(plain(entry.kind))  ; \(tags)\n    \(entry.to.name)  \(entry.money)\n    \(entry.from.name)  "
      + "\(entry.money.negated)\n\n"
  }

  func unexplained(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String {
    "\(day) ! \(Unexplained.words)\n    \(account.name)  \(money)\n    \(against.name)  \(money.negated)\n\n"
  }

  func balance(day: String, nextDay: String, account: JournalAccount, money: Money) -> String {
    let zero = Money(amountMinor: 0, currency: money.currency)
    return "\(day) * Stated by the provider\n    \(account.name)  \(zero) = \(money)\n\n"
  }

  /// Characters that a tag's value cannot contain become spaces.
  private func plain(_ text: String) -> String { String(text.map { ",;\n\r".contains($0) ? " " : $0 }) }
}

/// The lines that accounting packages import: `account` is the ledger code where one is configured, else the name.
struct JournalCSVWriter: JournalWriter {
  func head(day: String, title: String, accounts: [JournalAccount], currencies: [Currency]) -> String {
    "date,account,debit,credit,currency,reference,memo,account_name,period\n"
  }

  func opening(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String {
    pair(day, account, against, money, "Opening")
  }

  func unexplained(day: String, account: JournalAccount, against: JournalAccount, money: Money) -> String {
    pair(day, account, against, money, Unexplained.words)
  }

  private func pair(
    _ day: String, _ account: JournalAccount, _ against: JournalAccount, _ money: Money, _ memo: String
  ) -> String {
    let isDebit = money.amountMinor >= 0
    let size = isDebit ? money : money.negated
    return line(day, account, size, isDebit: isDebit, "", memo) + line(day, against, size, isDebit: !isDebit, "", memo)
  }

  func entry(_ entry: JournalEntry) -> String {
    let memo = [entry.kind, entry.paymentID, entry.orderIDs].filter { !$0.isEmpty }.joined(separator: " ")
    let reference = entry.entryID.isEmpty ? entry.recordID : entry.entryID
    return line(entry.day, entry.to, entry.money, isDebit: true, reference, memo, entry.period)
      + line(entry.day, entry.from, entry.money, isDebit: false, reference, memo, entry.period)
  }

  func balance(day: String, nextDay: String, account: JournalAccount, money: Money) -> String { "" }

  private func line(
    _ day: String, _ account: JournalAccount, _ money: Money, isDebit: Bool, _ reference: String, _ memo: String,
    _ period: String = ""
  ) -> String {
    let amount = money.decimalText
    let cells = [
      day, account.ledgerName, isDebit ? amount : "", isDebit ? "" : amount, money.currency.code, cell(reference),
      cell(memo),
      account.name, cell(period),
    ]
    return cells.joined(separator: ",") + "\n"
  }

  /// The signs that make a formula, in any width.
  private static let signs = Set(
    "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{FE66}\u{FE62}\u{FE63}\u{FE6B}\u{2212}".unicodeScalars)

  /// Whether a spreadsheet would run it: its first visible character is one of the signs.
  private static func isRun(_ text: String) -> Bool {
    let seen = text.unicodeScalars.first { scalar in
      let properties = scalar.properties
      let isUnseen = properties.isWhitespace || properties.isDefaultIgnorableCodePoint
      return !isUnseen && ![.control, .format].contains(properties.generalCategory)
    }
    return seen.map(signs.contains) ?? false
  }

  /// Quoted where it has to be; what a spreadsheet would run is neutralised.
  private func cell(_ text: String) -> String {
    var text = String(text.unicodeScalars.map { $0.value < 32 ? " " : Character($0) })
    if Self.isRun(text) { text = "'" + text }
    return text.contains(where: { ",\"".contains($0) }) ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}

extension Money {
  /// The amount with the opposite sign; an amount of an entry is never the least Int64.
  fileprivate var negated: Money { Money(amountMinor: 0 &- amountMinor, currency: currency) }
}
