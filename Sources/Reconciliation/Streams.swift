import Payments
import Storage

/// How far each stream of a source is complete, from the landed files and the records that were refused.
struct Streams {
  let database: any Database
  /// The end of the reported range.
  let rangeEnd: Int64
  /// How far an API may lag behind its own clock, seconds; nil for a source whose watermark is what it delivered,
  /// however old.
  struct Promise {
    var lag: Int64?
    /// Whether a later pull of the same window delivers lost records again.
    var bringsAgain = false
  }

  /// A fault of the landing zone: something is not as it was landed.
  private struct Fault {
    let stream: String
    let file: File
    let reason: String
  }

  private struct File: Equatable {
    let id: Int64
    let stream: String
    let windowFrom: Int64
    let windowTo: Int64
    let coversFrom: Int64
    let watermark: Int64
    let rangeTo: Int64
    let observedAt: Int64
    let knownUntil: Int64
    let isComplete: Bool
    let reason: String?
  }

  /// The streams of a provider. A refused record counts until later complete pulls have covered its window again
  /// without refusing it.
  func extents(ofProvider source: String, promises: [String: Promise]) throws -> [String: StreamExtent] {
    try extents(of: source, promises, reach: { _ in nil }) { refused, later in
      var covered = refused.coversFrom
      for file in later.sorted(by: { $0.windowFrom < $1.windowFrom }) where file.windowFrom <= covered {
        covered = max(covered, file.windowTo)
      }
      return covered >= refused.windowTo
    }
  }

  /// The streams of an order source. Each delivery is complete, so a refused row counts until the next one that does
  /// not refuse it, and days on which nothing was read are no gap where a later delivery reaches back to before them.
  func extents(ofOrders source: String) throws -> [String: StreamExtent] {
    try extents(of: source, [:], reach: { try oldest(of: source, in: $0) }) { _, later in !later.isEmpty }
  }

  /// The oldest instant that an order source reported in the run of a delivery, which asked for everything. All its
  /// streams count: a source that delivers all orders delivers all refunds.
  ///
  /// - Returns: nil where nothing was reported, or where the delivery was asked for a window only: an old order that
  ///   changed may be in it, and the orders before the window are not.
  private func oldest(of source: String, in delivery: File) throws -> Int64? {
    guard delivery.windowFrom == 0 else { return nil }
    return try database.integer(
      """
      select min(r.at)
      from (
        select o.placed_at as at, o.landed_file from customer_order o where o.source = $1
        union all
        select u.refunded_at, u.landed_file from order_refund u where u.source = $1
        union all
        select i.at, i.landed_file from payment_init_call i where i.source = $1
      ) r
      join landed_file f on f.file_id = r.landed_file
      where f.observed_at >= $2
      """, [.text(source), .integer(delivery.observedAt)])
  }

  private func extents(
    of source: String, _ promises: [String: Promise], reach: (File) throws -> Int64?, isMended: (File, [File]) -> Bool
  ) throws -> [String: StreamExtent] {
    let refused = try refusals(of: source)
    let faults = try faults(of: source)
    // Some files that landed before this were removed on purpose: that is not a gap.
    let letGoUntil = try database.integer("select max(observed_at) from landed_file where sha256 = ''") ?? .min
    var byStream = try Dictionary(grouping: files(of: source), by: \.stream)
    for fault in faults where !fault.stream.isEmpty && byStream[fault.stream] == nil { byStream[fault.stream] = [] }
    for (stream, files) in byStream { try forgetStrays(of: source, stream, before: files.map(\.id).max() ?? 0) }
    return try Dictionary(
      uniqueKeysWithValues: byStream.map { stream, files in
        let standing = files.filter { file in
          guard let ids = refused[file.id]?.ids else { return false }
          // What refuses the same record again mends nothing: only what was read after that counts.
          let last = files.last { refused[$0.id].map { !$0.ids.isDisjoint(with: ids) } ?? false }?.id ?? file.id
          return !isMended(file, files.filter { $0.id > last && $0.isComplete })
        }
        let promise = promises[stream] ?? Promise()
        let broken = faults.filter { $0.stream.isEmpty || $0.stream == stream }.filter { fault in
          !promise.bringsAgain || fault.stream.isEmpty
            || !isMended(fault.file, files.filter { $0.id >= fault.file.id && $0.isComplete && !standing.contains($0) })
        }
        let mended = files.filter { file in
          refused[file.id] != nil && !standing.contains(file) && !broken.contains { $0.file.id == file.id }
        }
        try forgetMended(mended)
        let silencing = (standing.filter { refused[$0.id]?.withholdsClaims ?? true } + broken.map(\.file)).map(\.id)
          .min()
        var extent = try extent(files, standing.map(\.id), silencing: silencing, promise, reach: reach)
        extent.coversFrom = max(extent.coversFrom, letGoUntil)
        if let fault = broken.first {
          (extent.isBroken, extent.isComplete, extent.reason, extent.isOnlyShort) = (true, false, fault.reason, false)
        }
        return (stream, extent)
      })
  }

  /// What was refused of a landed file.
  private struct Refusals {
    /// The records' ids; an empty text where a record's id could not be read.
    var ids: Set<String> = []
    var withholdsClaims = false
  }

  /// The refused records of a source, by landed file.
  private func refusals(of source: String) throws -> [Int64: Refusals] {
    var refused: [Int64: Refusals] = [:]
    try database.query(
      """
      select landed_file, record_id, silences from quarantine
      where source = $1 and landed_file is not null and silences >= 0
      """, [.text(source)]
    ) { row in
      let file = try row.integer(0) ?? 0
      refused[file, default: Refusals()].ids.insert(row.text(1) ?? "")
      if try row.integer(2) ?? 0 > 0 { refused[file]?.withholdsClaims = true }
    }
    return refused
  }

  /// Removes the stray files that earlier pulls listed: each pull lists all files that are not the provider's.
  private func forgetStrays(of source: String, _ stream: String, before newest: Int64) throws {
    try database.execute(
      "delete from quarantine where source = $1 and stream = $2 and silences = -1 and landed_file < $3",
      [.text(source), .text(stream), .integer(newest)])
  }

  /// Removes from the quarantine what a later pull delivered in full.
  private func forgetMended(_ files: [File]) throws {
    for file in files { try database.execute("delete from quarantine where landed_file = $1", [.integer(file.id)]) }
  }

  private func extent(
    _ files: [File], _ standing: [Int64], silencing: Int64?, _ promise: Promise, reach: (File) throws -> Int64?
  ) rethrows -> StreamExtent {
    var extent = StreamExtent()
    extent.coversFrom = try coverage(files.filter { $0.isComplete || $0.knownUntil > 0 }, reach: reach)
    extent.knownUntil =
      files.filter { file in silencing.map { file.id < $0 } ?? true }
      .map { $0.isComplete ? $0.watermark : $0.knownUntil }.max() ?? 0
    guard let newest = files.last else { return extent }
    let promised = promise.lag.map { min(rangeEnd, newest.observedAt - $0) } ?? .min
    let isReadFarEnough =
      (newest.rangeTo >= rangeEnd || extent.knownUntil >= rangeEnd)
      && (extent.knownUntil >= promised || !newest.isComplete)
    extent.isComplete = newest.isComplete && standing.isEmpty && isReadFarEnough
    if !newest.isComplete {
      extent.reason = newest.reason ?? "the last pull was not complete"
    } else if !standing.isEmpty {
      extent.reason = "some of it was refused: see quarantine.csv"
    } else if !isReadFarEnough {
      extent.isOnlyShort = true
      extent.reason =
        newest.rangeTo >= rangeEnd
        ? "the provider has served it up to \(Instant.text(extent.knownUntil)) only: run again later"
        : "read up to \(Instant.text(extent.knownUntil)) only: run without --no-pull"
    }
    return extent
  }

  /// The beginning of the unbroken coverage that reaches the range's end, or of the last one before it.
  ///
  /// - Parameter reach: the oldest instant that a delivery reports, where each delivers all that there is.
  private func coverage(_ complete: [File], reach: (File) throws -> Int64?) rethrows -> Int64 {
    var spans: [(from: Int64, to: Int64)] = []
    for file in complete.sorted(by: { ($0.coversFrom, $0.windowTo) < ($1.coversFrom, $1.windowTo) }) {
      if let last = spans.last, file.coversFrom <= last.to {
        spans[spans.count - 1].to = max(last.to, file.windowTo)
      } else {
        spans.append((file.coversFrom, file.windowTo))
      }
    }
    guard var place = spans.lastIndex(where: { $0.from < rangeEnd }) else { return .max }
    if place > 0, let newest = complete.max(by: { $0.id < $1.id }), let oldest = try reach(newest) {
      while place > 0, oldest <= spans[place - 1].to { place -= 1 }
    }
    return spans[place].from
  }

  /// The faults that withhold claims of the source, each with the pull that it concerns.
  private func faults(of source: String) throws -> [Fault] {
    var faults: [Fault] = []
    try database.query(
      """
      select stream, from_file, covers_from, window_to, observed_at, source, reason from landing_fault
      where source = $1 or source = '' order by place
      """, [.text(source)]
    ) { row in
      let window = (from: try row.integer(2) ?? 0, to: try row.integer(3) ?? .max)
      let file = File(
        id: try row.integer(1) ?? 0, stream: row.text(0) ?? "", windowFrom: window.from, windowTo: window.to,
        coversFrom: window.from,
        watermark: 0, rangeTo: 0, observedAt: try row.integer(4) ?? 0, knownUntil: 0, isComplete: false,
        reason: row.text(6))
      faults.append(Fault(stream: row.text(5) == source ? file.stream : "", file: file, reason: row.text(6) ?? ""))
    }
    return faults
  }

  private func files(of source: String) throws -> [File] {
    var files: [File] = []
    try database.query(
      """
      select file_id, stream, window_from, window_to, covers_from, watermark, range_to, complete, reason,
        observed_at, known_until, is_in_doubt
      from landed_file
      where source = $1 order by file_id
      """, [.text(source)]
    ) { row in
      let isBelieved = try row.integer(11) == 0
      files.append(
        File(
          id: try row.integer(0) ?? 0, stream: row.text(1) ?? "", windowFrom: try row.integer(2) ?? 0,
          windowTo: try row.integer(3) ?? 0,
          coversFrom: try row.integer(4) ?? 0, watermark: try row.integer(5) ?? 0, rangeTo: try row.integer(6) ?? 0,
          observedAt: try row.integer(9) ?? 0, knownUntil: isBelieved ? try row.integer(10) ?? 0 : 0,
          isComplete: try row.integer(7) == 1 && isBelieved, reason: isBelieved ? row.text(8) : RunClock.doubt))
    }
    return files
  }
}
