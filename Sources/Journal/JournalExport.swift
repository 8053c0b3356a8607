import Foundation
import Payments
import Storage

/// The entries of a range as a double-entry journal, written line by line: memory does not grow with the range.
package struct JournalExport {
  let database: any Database
  /// The folder of sql/journal.
  let folder: String
  let calendar: BusinessCalendar
  let accounts: JournalAccounts
  let startsAt: Int64
  let endsAt: Int64

  package init(database: any Database, folder: String, calendar: BusinessCalendar, accounts: JournalAccounts, startsAt: Int64, endsAt: Int64) {
    self.database = database
    self.folder = folder
    self.calendar = calendar
    self.accounts = accounts
    self.startsAt = startsAt
    self.endsAt = endsAt
  }

  /// - Parameter write: takes each piece of text, in order.
  /// - Throws: what the database throws, and what `write` throws; `MoneyError` for a currency that ISO 4217 does not list.
  package func write(_ format: JournalFormat, title: String, _ write: (String) throws -> Void) throws {
    let writer: any JournalWriter =
      switch format {
      case .beancount: BeancountWriter()
      case .hledger: HledgerWriter()
      case .csv: JournalCSVWriter()
      }
    let first = calendar.day(containing: startsAt)
    let last = calendar.day(containing: endsAt - 1)
    let openings = try held("openings", startsAt)
    let balances = try held("balances", endsAt)
    try write(try head(writer, title: title, day: first.description, openings + balances))
    for held in openings {
      try write(
        writer.opening(
          day: first.description, account: held.account, against: accounts.opening(currency: held.money.currency.code), money: held.money))
    }
    try entries { try write(writer.entry($0)) }
    for held in balances {
      try write(writer.balance(day: last.description, nextDay: last.advanced(by: 1).description, account: held.account, money: held.money))
    }
  }

  /// What an account holds at an instant.
  private struct Held {
    let account: String
    let money: Money
  }

  private func head(_ writer: any JournalWriter, title: String, day: String, _ held: [Held]) throws -> String {
    var names = Set(held.map(\.account))
    var currencies = Set(held.map(\.money.currency))
    names.formUnion(held.map { accounts.opening(currency: $0.money.currency.code) })
    try database.query(try text("accounts"), [.integer(endsAt)]) { row in
      let currency = try Currency(code: row.text(3) ?? "")
      currencies.insert(currency)
      names.insert(
        accounts.name(party: row.text(2) ?? "", provider: row.text(0) ?? "", account: row.text(1) ?? "", currency: currency.code))
    }
    return writer.head(day: day, title: title, accounts: names.sorted(), currencies: currencies.sorted { $0.code < $1.code })
  }

  private func held(_ statement: String, _ instant: Int64) throws -> [Held] {
    var held: [Held] = []
    try database.query(try text(statement), [.integer(instant)]) { row in
      let currency = try Currency(code: row.text(3) ?? "")
      held.append(
        Held(
          account: accounts.name(party: row.text(2) ?? "", provider: row.text(0) ?? "", account: row.text(1) ?? "", currency: currency.code),
          money: Money(amountMinor: try row.integer(4) ?? 0, currency: currency)))
    }
    return held
  }

  private func entries(_ body: (JournalEntry) throws -> Void) throws {
    var day = calendar.day(containing: startsAt)
    var bounds = calendar.bounds(of: day)
    try database.query(try text("entries"), [.integer(startsAt), .integer(endsAt)]) { row in
      let bookedAt = try row.integer(8) ?? 0
      if bookedAt < bounds.startsAt || bookedAt >= bounds.endsAt {
        day = calendar.day(containing: bookedAt)
        bounds = calendar.bounds(of: day)
      }
      let (provider, account) = (row.text(1) ?? "", row.text(2) ?? "")
      let currency = try Currency(code: row.text(6) ?? "")
      let feeType = row.text(12) ?? ""
      func name(_ party: String?) -> String {
        accounts.name(party: party ?? "", provider: provider, account: account, currency: currency.code)
      }
      try body(
        JournalEntry(
          day: day.description, from: name(row.text(4)), to: name(row.text(5)), money: Money(amountMinor: try row.integer(7) ?? 0, currency: currency),
          kind: (row.text(3) ?? "") + (feeType.isEmpty ? "" : " (\(feeType))"), entryID: row.text(0) ?? "", paymentID: row.text(9) ?? "",
          orderIDs: row.text(10) ?? "", recordID: row.text(11) ?? ""))
    }
  }

  private func text(_ name: String) throws -> String {
    let text = try String(contentsOfFile: "\(folder)/\(name).sql", encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
  }
}
