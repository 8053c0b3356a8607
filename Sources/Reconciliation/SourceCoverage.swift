import Landing
import OrderSources
import Payments
import Providers
import Storage

/// The coverage of each source: from when and up to when it is complete, and whether this run read it in full.
///
/// It depends on the landing zone alone: manifests, and which of their records were refused (docs/contract.md section
/// 5.2).
package struct SourceCoverage: Sendable {
  /// One row of `known`.
  package struct Extent: Sendable, Equatable {
    package var coversFrom: Int64
    package var knownUntil: Int64
    package var isComplete: Bool
    package var isAsked: Bool
    /// Whether landed records that it rests on are lost: no discrepancy is resolved on account of that.
    package var isBroken = false

    /// Limits the extent by another stream that may contain the missing record: if that was not read in full, it ends
    /// what is known; if nothing of it was read, nothing is known. Records that are merely due later in it do not
    /// matter.
    mutating func holdBack(at other: StreamExtent) {
      let isRead = other.knownUntil > other.coversFrom
      isBroken = isBroken || other.isBroken
      if !isRead || !other.isComplete { knownUntil = min(knownUntil, isRead ? other.knownUntil : 0) }
    }
  }
  /// By source name (`""` for all of them together), then by subject.
  package private(set) var extents: [String: [String: Extent]] = [:]
  /// The same from the subject's own streams alone: a check that needs the ledger names it.
  private var own: [String: [String: Extent]] = [:]
  /// What this run could not read in full, one sentence each.
  package private(set) var gaps: [String] = []
  /// Of these, those that state only how far a stream was read, with its source (`""`: the orders).
  private var short: [String: String] = [:]

  /// Sources with landed records that are lost; `""`: the orders, or an unknown source.
  private(set) var broken: Set<String> = []

  static let subjects = ["ledger", "payments", "refunds", "transfers", "fees", "disputes", "payouts", "balances"]

  /// Whether a fact of an instant may be stated: an incomplete source is known only up to its former watermark.
  func isKnown(_ subject: String, of provider: String, at since: Int64) -> Bool {
    let source = OrderStream(rawValue: subject) == nil ? provider : ""
    guard let extent = own[source]?[subject], extent.isAsked else { return true }
    return extent.isComplete || since <= extent.knownUntil
  }

  /// Adds a provider from the extents of its streams.
  mutating func add(provider: String, streams: [StreamDescription], _ landed: [String: StreamExtent]) {
    for subject in SourceCoverage.subjects {
      let mine = streams.filter { $0.subjects.contains(subject) }
      let needsLedger = !mine.contains(where: \.isIndependent)
      let ledger = streams.filter { needsLedger && $0.subjects.contains("ledger") && !$0.subjects.contains(subject) }
      own[provider, default: [:]][subject] = SourceCoverage.extent(mine.map(\.name), landed, isAsked: !mine.isEmpty)
      var extent = SourceCoverage.extent((mine + ledger).map(\.name), landed, isAsked: !mine.isEmpty)
      for stream in streams where stream.alsoReports.contains(subject) {
        extent.holdBack(at: landed[stream.name] ?? StreamExtent())
      }
      extents[provider, default: [:]][subject] = extent
    }
    for (stream, extent) in landed.sorted(by: { $0.key < $1.key }) where extent.isBroken {
      broken.insert(provider)
      let isNamed = streams.contains { $0.name == stream && !$0.subjects.isEmpty }
      if !isNamed { gaps.append("\(provider)/\(stream): \(extent.reason ?? "not read in full")") }
    }
    for stream in streams where !stream.subjects.isEmpty {
      let extent = landed[stream.name] ?? StreamExtent(reason: "nothing of it has landed")
      if !extent.isComplete { add(gap: "\(provider)/\(stream.name)", extent, of: provider) }
    }
  }

  private static func extent(_ streams: [String], _ landed: [String: StreamExtent], isAsked: Bool) -> Extent {
    let known = streams.map { landed[$0] ?? StreamExtent() }
    return Extent(
      coversFrom: known.map(\.coversFrom).max() ?? .max, knownUntil: known.map(\.knownUntil).min() ?? 0,
      isComplete: !isAsked || known.allSatisfy(\.isComplete), isAsked: isAsked,
      isBroken: known.contains(where: \.isBroken))
  }

  /// Adds the orders or their refunds: all sources together, since any of them may have the order of a payment.
  mutating func add(orders subject: String, _ sources: [String: StreamExtent]) {
    let known = sources.values
    extents["", default: [:]][subject] = Extent(
      coversFrom: known.map(\.coversFrom).max() ?? .max, knownUntil: known.map(\.knownUntil).min() ?? 0,
      isComplete: known.allSatisfy(\.isComplete), isAsked: !known.isEmpty,
      isBroken: known.contains(where: \.isBroken))
    own[""] = extents[""]
    if known.contains(where: \.isBroken) { broken.insert("") }
    for (name, extent) in sources.sorted(by: { $0.key < $1.key }) where !extent.isComplete {
      add(gap: "\(name)/\(subject)", extent, of: "")
    }
  }

  private mutating func add(gap place: String, _ extent: StreamExtent, of source: String) {
    let sentence = "\(place): \(extent.reason ?? "not read in full")"
    gaps.append(sentence)
    if extent.isOnlyShort { short[sentence] = source }
  }

  /// Whether a gap states only how far a stream of one of these sources was read.
  func isOnlyShort(_ gap: String, of sources: Set<String>) -> Bool { short[gap].map(sources.contains) ?? false }

  /// Adds a fault of no particular source, such as a manifest that no longer matches its file.
  mutating func add(gap sentence: String) { gaps.append(sentence) }

  /// Whether records that support or contradict a discrepancy of a provider may be lost: it then stays as it was.
  func isBroken(of provider: String) -> Bool {
    broken.contains(provider) || broken.contains("") || (provider.isEmpty && !broken.isEmpty)
  }

  /// Adds that records of an unknown source are lost.
  mutating func addBreak() { broken.insert("") }

  /// Adds the providers together: an order that names none may have been paid at any of them.
  mutating func addAllProviders(_ names: [String]) {
    defer { own[""] = extents[""] }
    for subject in SourceCoverage.subjects {
      let known = names.compactMap { extents[$0]?[subject] }.filter(\.isAsked)
      extents["", default: [:]][subject] = Extent(
        coversFrom: known.map(\.coversFrom).max() ?? .max, knownUntil: known.map(\.knownUntil).min() ?? 0,
        isComplete: known.allSatisfy(\.isComplete), isAsked: !known.isEmpty,
        isBroken: known.contains(where: \.isBroken))
    }
  }

  /// Fills the table `known`.
  func store(in database: any Database) throws {
    try database.empty("known")
    for (source, subjects) in extents.sorted(by: { $0.key < $1.key }) {
      for (subject, extent) in subjects.sorted(by: { $0.key < $1.key }) {
        try database.execute(
          "insert into known (source, subject, covers_from, known_until, is_complete, is_asked) values ($1, $2, $3, "
            + "$4, $5, $6)",
          [
            .text(source), .text(subject), .integer(extent.coversFrom), .integer(extent.knownUntil),
            .integer(extent.isComplete ? 1 : 0),
            .integer(extent.isAsked ? 1 : 0),
          ])
      }
    }
  }
}

/// How far one stream is complete.
package struct StreamExtent: Sendable, Equatable {
  package var coversFrom: Int64 = .max
  /// The newest watermark of a complete pull of which nothing was refused since.
  package var knownUntil: Int64 = 0
  package var isComplete = false
  package var reason: String?
  /// Whether the reason is only that it was not read far enough.
  package var isOnlyShort = false
  /// Whether landed records of the stream are lost.
  package var isBroken = false
}
