import Foundation

/// The settlement files of a client, wherever they are delivered, and whether each batch is complete.
struct CashAppFileSource: FileSource {
  let clientID: String
  let source: any FileSource

  /// - Parameter known: the files of earlier pulls: one that has been removed since is not missing.
  func list(known: [ImportedFile]) async throws -> FileListing {
    var listing = try await source.list(known: known)
    let names = Set(listing.files.map(\.name) + known.map(\.name))
    let gaps = CashAppBatch.all(names, clientID: clientID).compactMap(\.gap)
    let problems = [listing.problem].compactMap { $0 } + gaps
    if !problems.isEmpty { listing.problem = problems.joined(separator: "; ") }
    return listing
  }

  func fetch(_ file: ListedFile, into folder: String) async throws -> String {
    try await source.fetch(file, into: folder)
  }
}

/// The files of one batch, by their names.
struct CashAppBatch {
  let batchID: String
  private(set) var chunks: Set<Int64> = []
  private(set) var hasBalance = false
  /// The earliest day in a name: regenerated files carry a later one.
  private(set) var day: Int64?

  /// The batches in file names, by their ids. Files without money (disputes, the activity summary) do not count as a
  /// batch: they may have a token of their own.
  static func all(_ names: some Sequence<String>, clientID: String) -> [CashAppBatch] {
    var batches: [String: CashAppBatch] = [:]
    let files = names.compactMap { CashAppFileName($0, clientID: clientID) }
    for file in files where file.clientID == clientID && (file.kind == .activity || file.kind == .balance) {
      batches[file.batchID, default: CashAppBatch(batchID: file.batchID)].add(file)
    }
    return batches.values.sorted { $0.batchID < $1.batchID }
  }

  private mutating func add(_ file: CashAppFileName) {
    switch file.kind {
    case .activity: chunks.insert(file.chunk ?? 0)
    case .balance: hasBalance = true
    case .summary, .disputes: return
    }
    if let found = file.day?.dayNumber { day = min(day ?? found, found) }
  }

  /// The numbers missing below the highest number that exists.
  private var missing: [Int64] { (0..<(chunks.max() ?? 0)).filter { !chunks.contains($0) } }

  /// Whether all files that are known to belong to it exist.
  var isWhole: Bool { hasBalance && !chunks.isEmpty && missing.isEmpty }

  /// What is missing, in a sentence for people; nil where nothing is.
  var gap: String? {
    guard !missing.isEmpty else { return nil }
    let names = missing.prefix(10).map { String($0) }.joined(separator: ", ")
    return "batch \(batchID): chunk \(names) is missing before one that is there; ask Cash App to deliver it again"
  }
}
