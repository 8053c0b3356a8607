import Payments

/// Finds the rows of a payment's split that report what its settlement row reports: the shares of a capture match the
/// capture, those of a refund the refund, its cost the fee.
///
/// Rows are matched event by event, never for a payment as a whole: if the settlement has only the capture, the refund
/// is known from its shares alone. A cost does not count where the row of its event has a fee.
struct SplitPairing {
  /// A row of a payment, a refund or a dispute.
  struct Candidate {
    var row: Int
    var kind: RecordKind
    var recordID: Text?
    var category: Text
    var currency: Text
    var amountMinor: Int64
    var feeMinor: Int64 = 0
    /// Whether it is a share of a split, which counts only if the settlement has no row of its event.
    var isShare: Bool
  }

  /// The rules, surest first.
  enum Rule: CaseIterable {
    case sameReference, sameAmount

    var reason: String {
      switch self {
      case .sameReference:
        "one record, one direction, and in a dispute under one reference the same place among its categories"
      case .sameAmount: "the two sides use different references: what the shares add up to is what the row moved"
      }
    }
  }

  /// The rows whose amounts add up to the amount of one event on one side.
  private struct Cell: Hashable {
    var kind: RecordKind
    var recordID: Text?
    var category: Text
    var currency: Text
    var isShare: Bool
  }

  /// What both sides share under the first rule.
  private struct Reference: Hashable {
    var kind: RecordKind
    var recordID: Text?
    var isOutgoing: Bool
    var place = 0
  }

  /// What both sides share under the second rule.
  private struct Amount: Hashable {
    var kind: RecordKind
    var isOutgoing: Bool
    var currency: Text
    var wholeMinor: Int64
    var place = 0
  }

  /// What the settlement reports for an event, and whether a split reports it too.
  private struct Coverage {
    var hasAmount = false
    var hasFee = false
    var hasShare = false

    mutating func count(_ row: Candidate) {
      if row.isShare { hasShare = true }
      if !row.isShare && row.amountMinor != 0 { hasAmount = true }
      if !row.isShare && row.feeMinor != 0 { hasFee = true }
    }

    /// Whether the share does not count beside the settlement row.
    func covers(_ share: Candidate) -> Bool { share.amountMinor == 0 ? hasFee : hasAmount }
  }

  /// The shares of one payment that do not count, by their places among the provider's rows, in the order given.
  ///
  /// - Throws: `MoneyError.overflow`.
  static func coveredShares(_ rows: [Candidate]) throws(MoneyError) -> [Int] {
    let wholes = try wholes(of: rows)
    let references = references(of: rows, wholes)
    let byReference = coverage(rows, references)
    let unmatched = rows.indices.filter { index in
      guard let found = byReference[references[index]] else { return true }
      return rows[index].isShare ? !found.hasAmount : !found.hasShare
    }
    let amounts = amounts(of: unmatched.map { rows[$0] }, wholes, unmatched.map { references[$0] })
    let byAmount = coverage(unmatched.map { rows[$0] }, amounts)
    let amountOf = Dictionary(uniqueKeysWithValues: zip(unmatched, amounts))
    return rows.indices.filter { index in
      guard rows[index].isShare else { return false }
      return byReference[references[index]]?.covers(rows[index]) == true
        || amountOf[index].flatMap { byAmount[$0] }?.covers(rows[index]) == true
    }.map { rows[$0].row }
  }

  private static func cell(of row: Candidate) -> Cell {
    Cell(
      kind: row.kind, recordID: row.recordID, category: row.category.lowercased, currency: row.currency,
      isShare: row.isShare)
  }

  private static func wholes(of rows: [Candidate]) throws(MoneyError) -> [Cell: Int64] {
    var sums: [Cell: CheckedSum] = [:]
    for row in rows { try sums[cell(of: row), default: CheckedSum()].add(row.amountMinor) }
    return sums.mapValues(\.minor)
  }

  private static func coverage<Key: Hashable>(_ rows: [Candidate], _ keys: [Key]) -> [Key: Coverage] {
    var found: [Key: Coverage] = [:]
    for (row, key) in zip(rows, keys) { found[key, default: Coverage()].count(row) }
    return found
  }

  private static func references(of rows: [Candidate], _ wholes: [Cell: Int64]) -> [Reference] {
    let keys = rows.map { row in
      Reference(kind: row.kind, recordID: row.recordID, isOutgoing: isOutgoing(row, wholes[cell(of: row)] ?? 0))
    }
    let places = DenseRank.places(
      rows.indices.map { SidedKey(key: keys[$0], isShare: rows[$0].isShare) }, by: rows.map(\.category.lowercased))
    return zip(keys, places).map { key, place in
      var key = key
      key.place = place
      return key
    }
  }

  private static func isOutgoing(_ row: Candidate, _ wholeMinor: Int64) -> Bool {
    wholeMinor < 0 || wholeMinor == 0 && row.kind != .payment
  }

  private static func amounts(of rows: [Candidate], _ wholes: [Cell: Int64], _ references: [Reference]) -> [Amount] {
    let keys = zip(rows, references).map { row, reference in
      Amount(
        kind: row.kind, isOutgoing: reference.isOutgoing, currency: row.currency, wholeMinor: wholes[cell(of: row)] ?? 0
      )
    }
    let order = references.map { Place(recordID: $0.recordID ?? "", place: $0.place) }
    let places = DenseRank.places(rows.indices.map { SidedKey(key: keys[$0], isShare: rows[$0].isShare) }, by: order)
    return zip(keys, places).map { key, place in
      var key = key
      key.place = place
      return key
    }
  }

  private struct SidedKey<Key: Hashable>: Hashable {
    var key: Key
    var isShare: Bool
  }

  private struct Place: Hashable, Comparable {
    var recordID: Text
    var place: Int
    static func < (one: Place, other: Place) -> Bool { (one.recordID, one.place) < (other.recordID, other.place) }
  }
}

/// The rank of each value among the distinct values of its key, from 1: `dense_rank` in SQL.
enum DenseRank {
  static func places<Key: Hashable, Value: Hashable & Comparable>(_ keys: [Key], by values: [Value]) -> [Int] {
    var different: [Key: Set<Value>] = [:]
    for (key, value) in zip(keys, values) { different[key, default: []].insert(value) }
    let places = different.mapValues { values in
      Dictionary(uniqueKeysWithValues: values.sorted().enumerated().map { ($1, $0 + 1) })
    }
    return zip(keys, values).map { places[$0]?[$1] ?? 0 }
  }
}
