import Payments
import Storage

/// The balances of the accounts at the beginning and at the end of a range.
///
/// For the platform's accounts at a provider that states balances, those of the roll-forward: the stated ones, and
/// where nothing is stated at that instant the derived ones. Where the provider's rows do not lead from one to the
/// other, the difference is an entry of its own, and never hidden in an account. For all others, the balances from the
/// records.
struct Holdings {
  /// A party's account at a provider, in one currency.
  struct Place: Hashable {
    let provider: String
    let account: String
    let party: String
    let currency: String
  }
  struct Amount {
    let place: Place
    /// Minor units of the place's currency; never 0 in a list of openings.
    let minor: Int64
  }
  private(set) var openings: [Amount] = []
  /// What the range ends with, where the provider states balances.
  private(set) var stated: [Amount] = []
  /// What it states beyond its rows; never 0.
  private(set) var unexplained: [Amount] = []
  /// The openings that follow from the records, where the provider states balances.
  private var derived: [Place: Int64] = [:]

  /// - Parameter text: returns the statement of that name in sql/journal.
  init(_ database: any Database, startsAt: Int64, endsAt: Int64, _ text: (String) throws -> String) throws {
    let before = try Self.sums(database, try text("sums"), .min, startsAt)
    let during = try Self.sums(database, try text("sums"), startsAt, endsAt)
    var opened = before
    try database.query(try text("stated")) { row in
      let place = Place(
        provider: row.text(0) ?? "", account: row.text(1) ?? "", party: "platform", currency: row.text(2) ?? "")
      let (opening, end) = (try row.integer(3) ?? 0, try row.integer(4) ?? 0)
      opened[place] = opening
      derived[place] = try row.integer(5) ?? 0
      stated.append(Amount(place: place, minor: end))
      let rest = try Self.difference(end, try Self.sum(opening, during[place] ?? 0))
      if rest != 0 { unexplained.append(Amount(place: place, minor: rest)) }
    }
    openings = opened.filter { $0.value != 0 }.map { Amount(place: $0.key, minor: $0.value) }.sorted(by: Self.isBefore)
    stated.sort(by: Self.isBefore)
    unexplained.sort(by: Self.isBefore)
  }

  /// Subtracts from the openings what the range books as adjustments: the rest is the balance with which the previous
  /// period was closed. A stated balance that does not contain them already is that balance, and does not lead to the
  /// closing any more.
  mutating func takeOut(_ adjustments: [JournalAdjustment]) throws(MoneyError) {
    var changes: [Place: Int64] = [:]
    for adjustment in adjustments {
      let place =
        openings.first { held in
          held.place.provider == adjustment.provider && held.place.party == adjustment.party
            && held.place.currency == adjustment.currency
            && (adjustment.account.isEmpty || held.place.account == adjustment.account)
        }?.place
        ?? Place(
          provider: adjustment.provider, account: adjustment.account, party: adjustment.party,
          currency: adjustment.currency)
      changes[place] = try Self.sum(changes[place] ?? 0, adjustment.changeMinor)
    }
    for (place, change) in changes {
      let opening = openings.first { $0.place == place }?.minor ?? 0
      let sealed = try Self.difference(opening, change)
      if let derived = derived[place], derived != opening, try Self.difference(derived, change) == opening {
        let rest = try Self.difference(unexplained.first { $0.place == place }?.minor ?? 0, change)
        unexplained.removeAll { $0.place == place }
        if rest != 0 { unexplained.append(Amount(place: place, minor: rest)) }
        continue
      }
      openings.removeAll { $0.place == place }
      if sealed != 0 { openings.append(Amount(place: place, minor: sealed)) }
    }
    openings.sort(by: Self.isBefore)
    unexplained.sort(by: Self.isBefore)
  }

  private static func sum(_ one: Int64, _ other: Int64) throws(MoneyError) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    guard !overflow else { throw .overflow("a balance of the journal") }
    return sum
  }

  private static func difference(_ one: Int64, _ other: Int64) throws(MoneyError) -> Int64 {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    guard !overflow else { throw .overflow("a balance of the journal") }
    return difference
  }

  private static func isBefore(_ one: Amount, _ other: Amount) -> Bool {
    let (left, right) = (one.place, other.place)
    return (left.provider, left.account, left.party, left.currency) < (
      right.provider, right.account, right.party, right.currency
    )
  }

  private static func sums(_ database: any Database, _ text: String, _ from: Int64, _ to: Int64) throws -> [Place:
    Int64]
  {
    var sums: [Place: Int64] = [:]
    try database.query(text, [.integer(from), .integer(to)]) { row in
      let place = Place(
        provider: row.text(0) ?? "", account: row.text(1) ?? "", party: row.text(2) ?? "", currency: row.text(3) ?? "")
      sums[place] = try row.integer(4) ?? 0
    }
    return sums
  }
}
