import Foundation

/// The settlement files of a client, wherever they are delivered, and whether each batch has all of its files.
struct CashAppFileSource: FileSource {
  let clientID: String
  let source: any FileSource

  /// - Parameter known: the files of earlier pulls: one that was taken away since is not missing.
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
  /// The earliest day in a name: files made again carry a later one.
  private(set) var day: Int64?

  /// The batches that names report, by their ids. What is no money (disputes, the activity summary) makes none: it may
  /// have a token of its own.
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

  /// The files that are missing before others that are there.
  private var missing: [Int64] { (0..<(chunks.max() ?? 0)).filter { !chunks.contains($0) } }

  /// Whether all files are there that can be determined to belong to it.
  var isWhole: Bool { hasBalance && !chunks.isEmpty && missing.isEmpty }

  /// What is missing, in a sentence for people; nil where nothing is.
  var gap: String? {
    guard !missing.isEmpty else { return nil }
    let names = missing.prefix(10).map { String($0) }.joined(separator: ", ")
    return "batch \(batchID): chunk \(names) is missing before one that is there; ask Cash App to deliver it again"
  }
}
