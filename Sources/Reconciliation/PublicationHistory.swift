import Landing
import Payments
import Reports

/// What was published so far, in the order of publication.
package struct PublicationHistory: Sendable {
  /// One publication of a range, without the details of its discrepancies.
  package struct Publication: Sendable {
    /// When its run began, Unix seconds.
    package let at: Int64
    package let firstDay: BusinessDay
    package let lastDay: BusinessDay
    /// Unix seconds; the end is exclusive.
    package let startsAt: Int64
    package let endsAt: Int64
    package let verdict: String
    package let exitStatus: Int32?
    /// Ids of the listed discrepancies by state.
    package let states: [String: [String]]
    /// The line of the log, from 0.
    fileprivate let line: Int
  }
  package private(set) var publications: [Publication] = []
  /// The published rows of each discrepancy, by its id, in the order of the log.
  private var rows: [String: [(line: Int, row: ListedDiscrepancy)]] = [:]
  /// The end of the landing chain at the newest publication.
  private(set) var landed: ChainLink?

  init(_ lines: [PublicationLine] = [], asOf: Int64? = nil) {
    for (number, line) in lines.enumerated() {
      if let link = line.landed, link.sequence >= landed?.sequence ?? 0 { landed = link }
      for row in line.rows { rows[row.id, default: []].append((number, row)) }
      guard let at = try? Instant.parse(line.at), let range = PublishedRange(name: line.range), at <= asOf ?? .max
      else { continue }
      publications.append(
        Publication(
          at: at, firstDay: range.firstDay, lastDay: range.lastDay, startsAt: line.startsAt, endsAt: line.endsAt,
          verdict: line.verdict,
          exitStatus: line.exitStatus,
          states: line.states, line: number))
    }
  }

  /// The history without ranges that begin after a day: a clock that was ahead published them.
  func without(after today: BusinessDay) -> PublicationHistory {
    var history = self
    history.publications.removeAll { $0.firstDay > today }
    return history
  }

  /// The newest published row of a discrepancy.
  func newestRow(_ id: String) -> ListedDiscrepancy? { rows[id]?.last?.row }

  /// The discrepancy as a report last listed it, if the newest report does not list it as open.
  func closedRow(_ id: String) -> ListedDiscrepancy? {
    newest.map { open(in: $0)[id] == nil } ?? false ? newestRow(id) : nil
  }

  /// What the newest report of a range that ends at an instant lists as open, by id; nil where none was published.
  func listedAsOpen(endingAt instant: Int64) -> [String: ListedDiscrepancy]? {
    publications.last { $0.endsAt == instant }.map(open)
  }

  /// The same for the report that ends last of those that end by an instant.
  func listedAsOpen(endingBy instant: Int64) -> [String: ListedDiscrepancy]? {
    publications.filter { $0.endsAt <= instant }.max { ($0.endsAt, $0.line) < ($1.endsAt, $1.line) }.map(open)
  }

  /// The same for the newest report of one range.
  func listedAsOpen(from start: Int64, to end: Int64) -> [String: ListedDiscrepancy]? {
    publications.last { $0.startsAt == start && $0.endsAt == end }.map(open)
  }

  /// What reports within a range list as open, by id, each as in the report of the last day; the report of the range
  /// itself does not count.
  func listedAsOpen(within start: Int64, to end: Int64) -> [String: (row: ListedDiscrepancy, lastDay: BusinessDay)] {
    let inside = publications.filter {
      $0.startsAt >= start && $0.endsAt <= end && ($0.startsAt, $0.endsAt) != (start, end)
    }
    var listed: [String: (row: ListedDiscrepancy, lastDay: BusinessDay)] = [:]
    for publication in inside.sorted(by: { ($0.lastDay, $0.line) < ($1.lastDay, $1.line) }) {
      for (id, row) in open(in: publication) { listed[id] = (row, publication.lastDay) }
    }
    return listed
  }

  /// The discrepancies that a publication lists as open, whatever was decided about them, by id.
  func open(in publication: Publication) -> [String: ListedDiscrepancy] {
    var open: [String: ListedDiscrepancy] = [:]
    for (state, ids) in publication.states where state != "resolved" {
      for id in ids { open[id] = rows[id]?.last { $0.line <= publication.line }?.row }
    }
    return open
  }

  /// The newest publication of the range that ends last.
  package var newest: Publication? {
    publications.max { ($0.lastDay, $0.line) < ($1.lastDay, $1.line) }
  }

  /// Whether a report of any range covers a day.
  func covers(_ day: BusinessDay) -> Bool { publications.contains { $0.firstDay <= day && day <= $0.lastDay } }
}
