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
  /// The adjustments of earlier closed periods, if the range begins with the first open day.
  let adjustments: [JournalAdjustment]

  package init(
    database: any Database, folder: String, calendar: BusinessCalendar, accounts: JournalAccounts, startsAt: Int64,
    endsAt: Int64, adjustments: [JournalAdjustment] = []
  ) {
    self.adjustments = adjustments
    self.database = database
    self.folder = folder
    self.calendar = calendar
    self.accounts = accounts
    self.startsAt = startsAt
    self.endsAt = endsAt
  }

  /// - Parameter write: receives each piece of text, in order.
  /// - Throws: the database's error, and the error of `write`; `MoneyError` for a currency that ISO 4217 does not list.
  package func write(_ format: JournalFormat, title: String, _ write: (String) throws -> Void) throws {
    let writer: any JournalWriter =
      switch format {
      case .beancount: BeancountWriter()
      case .hledger: HledgerWriter()
      case .csv: JournalCSVWriter()
      }
    let first = calendar.day(containing: startsAt)
    let last = calendar.day(containing: endsAt - 1)
    var holdings = try Holdings(database, startsAt: startsAt, endsAt: endsAt, text)
    try holdings.takeOut(adjustments)
    let adjusted = try adjustments.map { try $0.entry(day: first.description, accounts) }
    try write(try head(writer, title: title, day: first.description, holdings, adjusted))
    for held in holdings.openings {
      let money = try money(held)
      try write(
        writer.opening(
          day: first.description, account: name(held.place), against: accounts.opening(currency: held.place.currency),
          money: money))
    }
    for entry in adjusted { try write(writer.entry(entry)) }
    try entries { try write(writer.entry($0)) }
    for held in holdings.unexplained {
      let (money, against) = (
        try money(held),
        accounts.unexplained(provider: held.place.provider, account: held.place.account, currency: held.place.currency)
      )
      try write(writer.unexplained(day: last.description, account: name(held.place), against: against, money: money))
    }
    for held in holdings.stated {
      let money = try money(held)
      try write(
        writer.balance(
          day: last.description, nextDay: last.advanced(by: 1).description, account: name(held.place), money: money))
    }
  }

  private func head(
    _ writer: any JournalWriter, title: String, day: String, _ holdings: Holdings, _ adjusted: [JournalEntry]
  ) throws -> String {
    var names = Set((holdings.openings + holdings.stated).map { name($0.place) })
    var currencies = Set(try holdings.stated.map { try Currency(code: $0.place.currency) })
    names.formUnion(adjusted.flatMap { [$0.from, $0.to] })
    currencies.formUnion(adjusted.map(\.money.currency))
    names.formUnion(holdings.openings.map { accounts.opening(currency: $0.place.currency) })
    names.formUnion(
      holdings.unexplained.map {
        accounts.unexplained(provider: $0.place.provider, account: $0.place.account, currency: $0.place.currency)
      })
    try database.query(try text("accounts"), [.integer(endsAt)]) { row in
      let currency = try Currency(code: row.text(3) ?? "")
      currencies.insert(currency)
      names.insert(
        accounts.account(
          party: row.text(2) ?? "", provider: row.text(0) ?? "", account: row.text(1) ?? "", currency: currency.code))
    }
    return writer.head(
      day: day, title: title, accounts: names.sorted { $0.name < $1.name },
      currencies: currencies.sorted { $0.code < $1.code })
  }

  private func name(_ place: Holdings.Place) -> JournalAccount {
    accounts.account(party: place.party, provider: place.provider, account: place.account, currency: place.currency)
  }

  private func money(_ held: Holdings.Amount) throws -> Money {
    Money(amountMinor: held.minor, currency: try Currency(code: held.place.currency))
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
      func name(_ party: String?) -> JournalAccount {
        accounts.account(party: party ?? "", provider: provider, account: account, currency: currency.code)
      }
      try body(
        JournalEntry(
          day: day.description, from: name(row.text(4)), to: name(row.text(5)),
          money: Money(amountMinor: try row.integer(7) ?? 0, currency: currency),
          kind: (row.text(3) ?? "") + (feeType.isEmpty ? "" : " (\(feeType))"), entryID: row.text(0) ?? "",
          paymentID: row.text(9) ?? "",
          orderIDs: row.text(10) ?? "", recordID: row.text(11) ?? "", payoutID: row.text(13) ?? ""))
    }
  }

  private func text(_ name: String) throws -> String {
    let text = try String(contentsOfFile: "\(folder)/\(name).sql", encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
  }
}
