import Files
import Foundation
import Landing

/// One pull of a folder: new files are checked first, then landed.
struct FileRound {
  let stream: FileStream
  let history: FileHistory
  let scratch: ScratchFolder
  /// Files to be landed, in the order of their names.
  private var fresh: [PendingFile] = []
  /// Files that are listed but could not be fetched.
  private var lost: [ImportedFile] = []
  /// How many files belong to accounts that are not configured.
  private var otherAccounts = 0
  /// Why the pull is incomplete.
  private var faults: [String] = []

  init(stream: FileStream, history: FileHistory, scratch: ScratchFolder) {
    self.stream = stream
    self.history = history
    self.scratch = scratch
  }

  /// Checks the files that have not landed yet.
  ///
  /// - Throws: `CancellationError`; anything else becomes a fault.
  mutating func check() async throws {
    let listing: FileListing
    do {
      listing = try await stream.source.list(known: history.files)
    } catch let error where !(error is CancellationError) {
      faults.append("\(error)")
      return
    }
    for file in listing.files.sorted(by: { $0.name < $1.name }) {
      try Task.checkCancellation()
      do {
        try await check(file)
      } catch let error where !(error is CancellationError) {
        faults.append("\(error)".contains(file.name) ? "\(error)" : "\(file.name): \(error)")
        lost.append(ImportedFile(name: file.name, sha256: "-", isWhole: false, isWithholding: true))
      }
    }
    if let problem = listing.problem { faults.append(problem) }
  }

  /// By the file's name, or by its first row where the name is not enough; a file that has to be fetched first is
  /// judged by its name alone.
  private func layout(of file: ListedFile) async throws -> FileLayout {
    let name = file.name.split(separator: "/").last.map(String.init) ?? file.name
    let byName = stream.rules.layout(of: name)
    guard stream.rules.namesStrays, file.stamp == nil else { return byName }
    switch byName {
    case .foreign:
      let heading = FileHeading(path: try await stream.source.fetch(file, into: scratch.path))
      return stream.rules.layout(ofHeading: heading, name: name) ?? .foreign
    case .rows(let columns, let prelude, _) where prelude == 0 && !stream.rules.claims(name):
      let heading = FileHeading(path: try await stream.source.fetch(file, into: scratch.path))
      return heading.isThere && heading.count(columns) == 0 ? .foreign : byName
    default: return byName
    }
  }

  private mutating func check(_ file: ListedFile) async throws {
    switch try await layout(of: file) {
    case .unread: return
    case .foreign:
      if stream.rules.namesStrays { fresh.append(PendingFile(stray: file.name)) }
    case .otherAccount: otherAccounts += 1
    case .refused(let reason): fresh.append(PendingFile(name: file.name, stamp: nil, refusal: reason))
    case .rows(let columns, let prelude, let mayBeEmpty):
      if history.hasLanded(file) { return }
      let path = try await stream.source.fetch(file, into: scratch.make())
      var delivered = try DeliveredFile(name: file.name, path: path)
      delivered.sha256 = stream.rules.identity(of: delivered)
      if let twin = history.whole[delivered.sha256]
        ?? fresh.first(where: { $0.delivered?.sha256 == delivered.sha256 })?.known
      {
        // The same content counts once; where the source provides a stamp, it is recorded, so that the file is not
        // fetched again every night.
        if file.stamp != nil && twin.isWhole { fresh.append(PendingFile(repeating: twin, as: file)) }
        return
      }
      var fresh = PendingFile(delivered, stamp: file.stamp, columns: columns, prelude: prelude, mayBeEmpty: mayBeEmpty)
      try fresh.check(by: stream.rules)
      self.fresh.append(fresh)
    }
  }

  /// Lands the new files and publishes the stream.
  func land(_ order: PullOrder, into landing: Landing) throws -> StreamOutcome {
    let oldest = fresh.compactMap(\.known.reportedSpan) + history.files.compactMap(\.reportedSpan)
    var coversFrom = min(order.rangeFrom, oldest.map(\.lowerBound).min() ?? order.rangeFrom)
    var watermark = coversFrom
    // A folder in which no report has ever been says nothing of any day.
    if history.files.isEmpty, !fresh.contains(where: { $0.delivered != nil }) {
      watermark = min(watermark, history.cleanUntil ?? watermark)
      coversFrom = order.now
      if faults.isEmpty {
        stream.logger.warning(
          """
          \(stream.provider) \(stream.stream): no report has ever been delivered, so nothing is claimed that rests on \
          one; is it the right folder?
          """)
      }
    }
    let writer = try FileWriter(
      provider: stream.provider, stream: stream.stream, request: stream.rules.edition, windowFrom: 0,
      coversFrom: coversFrom, watermark: watermark, order, into: landing)
    writer.skip(otherAccounts: otherAccounts)
    var landed: [ImportedFile] = []
    for file in fresh {
      let known = try file.land(with: writer, rules: stream.rules, logger: stream.logger)
      try writer.end(known)
      landed.append(known)
    }
    let isWithheld = landed.contains(where: \.isWithholding)
    let files = (history.files + landed + lost).sorted { $0.name < $1.name }
    let knownUntil = isWithheld ? history.cleanUntil : stream.rules.knownUntil(files)
    let reason = faults.isEmpty ? nil : "\(stream.provider) \(stream.stream): \(faults.joined(separator: "; "))"
    return try writer.finish(reason: reason, knownUntil: knownUntil)
  }
}
