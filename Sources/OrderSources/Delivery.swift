import Files
import Landing
import Payments

/// One stream's rows on their way into the landing zone: each is checked by the rules, and landed as good or as
/// refused.
struct Delivery {
  private let source: String
  private let stream: OrderStream
  private let writer: LandingWriter
  private var seen = SeenIDs()
  private(set) var outcome = OrderPullOutcome()

  init(source: String, stream: OrderStream, writer: LandingWriter) {
    self.source = source
    self.stream = stream
    self.writer = writer
  }

  /// Lands a row, or refuses it.
  ///
  /// - Parameters:
  ///   - texts: one for each of the stream's columns; nil where the bytes are not UTF-8.
  ///   - dropped: how many delivered cells are not among them.
  ///   - statusWord: the source's own value of an order's status, where there is no rule for it.
  mutating func add(_ texts: [String?], location: String, dropped: Int, statusWord: String? = nil) throws {
    let cells = OrderCells(
      stream: stream, texts: texts.map { CellText.cleaned($0 ?? "") }, statusWord: statusWord.map(CellText.cleaned))
    if let broken = texts.firstIndex(of: nil) {
      return try refuse(cells.id, "\(stream.columns[broken]): is not UTF-8", location: location)
    }
    do {
      try check(cells)
    } catch {
      return try refuse(cells.id, error.description, location: location)
    }
    outcome.rows += 1
    try writer.append(line: LandedRow.line(cells, location: location), dropped: dropped)
  }

  /// Lands a row as refused.
  mutating func refuse(_ id: String, _ reason: String, location: String) throws {
    try refuse(QuarantinedRow(location: location, recordID: id, reason: reason))
  }

  /// Lands a row as refused.
  mutating func refuse(_ row: QuarantinedRow) throws {
    outcome.refuse(row)
    try writer.append(line: LandedRow.line(row))
  }

  private mutating func check(_ cells: OrderCells) throws(RowProblem) {
    let nowhere = Origin(file: 0, line: 0, observedAt: 0, rangeTo: 0)
    let rules = RowRules(cells: cells)
    switch stream {
    case .orders: _ = try rules.order(source: source, origin: nowhere)
    case .refunds: _ = try rules.refund(source: source, origin: nowhere)
    case .inits: _ = try rules.initCall(source: source, origin: nowhere)
    }
    // Several calls may start the same payment.
    if stream == .inits { return }
    if !seen.insert(cells.id) {
      throw RowProblem(stream.columns[0], "is repeated in one delivery; the first row counts")
    }
  }

  /// Publishes what was landed.
  mutating func finish(failure: String? = nil) throws -> OrderPullOutcome {
    if let failure { outcome.fail(failure) }
    _ = try writer.finish(complete: failure == nil, reason: failure)
    return outcome
  }
}

/// The ids of one delivery, as 128-bit hashes: a million of them take tens of megabytes, whatever their length.
struct SeenIDs {
  private struct Hash: Hashable {
    let one: Int
    let other: Int
  }
  private var hashes: Set<Hash> = []

  /// False when the id occurred before.
  mutating func insert(_ id: String) -> Bool {
    hashes.insert(Hash(one: hash(id, salt: 1), other: hash(id, salt: 2))).inserted
  }

  private func hash(_ id: String, salt: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(salt)
    for byte in id.utf8 { hasher.combine(byte) }
    return hasher.finalize()
  }
}
