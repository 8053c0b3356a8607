import Payments
import Storage

/// The balances of the accounts at the beginning and at the end of a range.
///
/// For the platform's accounts at a provider that states balances, the stated ones. Where the provider's rows do not
/// lead from one statement to the other, the difference is an entry of its own, and never hidden in an account. For all
/// others, the balances from the records.
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
  /// What the provider states at the range's end.
  private(set) var stated: [Amount] = []
  /// What it states beyond its rows; never 0.
  private(set) var unexplained: [Amount] = []

  /// - Parameter text: returns the statement of that name in sql/journal.
  init(_ database: any Database, startsAt: Int64, endsAt: Int64, _ text: (String) throws -> String) throws {
    let before = try Self.sums(database, try text("sums"), .min, startsAt)
    let during = try Self.sums(database, try text("sums"), startsAt, endsAt)
    let first = try Self.stated(database, try text("stated"), startsAt)
    let last = try Self.stated(database, try text("stated"), endsAt)
    var opened = before.filter { first[$0.key] == nil }
    for (place, statement) in first {
      let closing = last[place] ?? statement
      let (opening, end) = StatedHolding.join(statement, closing, moved: during[place] ?? 0)
      opened[place] = opening
      stated.append(Amount(place: place, minor: end))
      let rest = end - opening - (during[place] ?? 0)
      if rest != 0 { unexplained.append(Amount(place: place, minor: rest)) }
    }
    openings = opened.filter { $0.value != 0 }.map { Amount(place: $0.key, minor: $0.value) }.sorted(by: Self.isBefore)
    stated.sort(by: Self.isBefore)
    unexplained.sort(by: Self.isBefore)
  }

  /// Subtracts from the openings what the range books as adjustments: the rest is the balance with which the previous
  /// period was closed.
  mutating func takeOut(_ adjustments: [JournalAdjustment]) throws(MoneyError) {
    for adjustment in adjustments {
      let place = openings.firstIndex { held in
        held.place.provider == adjustment.provider && held.place.party == adjustment.party
          && held.place.currency == adjustment.currency
          && (adjustment.account.isEmpty || held.place.account == adjustment.account)
      }
      let held =
        place.map { openings[$0] }
        ?? Amount(
          place: Place(
            provider: adjustment.provider, account: adjustment.account, party: adjustment.party,
            currency: adjustment.currency), minor: 0)
      let minor = held.minor.subtractingReportingOverflow(adjustment.changeMinor)
      guard !minor.overflow else { throw .overflow("the opening of \(adjustment.provider)") }
      if let place { openings.remove(at: place) }
      if minor.partialValue != 0 { openings.append(Amount(place: held.place, minor: minor.partialValue)) }
    }
    openings.sort(by: Self.isBefore)
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

  private static func stated(_ database: any Database, _ text: String, _ instant: Int64) throws -> [Place:
    StatedHolding]
  {
    var stated: [Place: StatedHolding] = [:]
    try database.query(text, [.integer(instant)]) { row in
      let place = Place(
        provider: row.text(0) ?? "", account: row.text(1) ?? "", party: "platform", currency: row.text(2) ?? "")
      stated[place] = StatedHolding(
        amountMinor: try row.integer(3) ?? 0, withheldMinor: try row.integer(4) ?? 0, lateMinor: try row.integer(5) ?? 0
      )
    }
    return stated
  }
}

/// A provider's stated balance, and amounts that it may or may not include; minor units.
private struct StatedHolding {
  let amountMinor: Int64
  let withheldMinor: Int64
  let lateMinor: Int64

  /// The possible readings of the balance, the likeliest first; the proof of stated balances uses the same.
  private var readings: [Int64] {
    [amountMinor, amountMinor + withheldMinor, amountMinor + lateMinor, amountMinor + lateMinor + withheldMinor]
  }

  /// The readings of two statements that the movements between them connect; the likeliest of both where none do.
  static func join(_ first: StatedHolding, _ last: StatedHolding, moved: Int64) -> (opening: Int64, end: Int64) {
    for opening in first.readings {
      if let end = last.readings.first(where: { $0 == opening + moved }) { return (opening, end) }
    }
    return (first.amountMinor, last.amountMinor)
  }
}
