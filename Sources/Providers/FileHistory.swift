import Landing

/// A file that was landed, or that could not be, as its page in a manifest records it: `<name> <sha256>` and further
/// fields.
package struct ImportedFile: Sendable, Hashable {
  package var name: String
  /// The SHA-256 of its content, in lowercase hexadecimal; `-` for a file whose content was never read.
  package var sha256: String
  /// Whether no part of it was refused or missing.
  package var isWhole: Bool
  /// Whether a refused part of it withholds claims.
  package var isWithholding = false
  /// The oldest and newest instant it reports; Unix seconds UTC.
  package var reportedSpan: ClosedRange<Int64>?
  /// The stamp that its source listed before it was fetched (`ListedFile.stamp`).
  package var stamp: String?
  /// Its settlement batch, where the file name does not contain it.
  package var batch: Int64?

  package init(
    name: String, sha256: String, isWhole: Bool, isWithholding: Bool = false, reportedSpan: ClosedRange<Int64>? = nil,
    stamp: String? = nil, batch: Int64? = nil
  ) {
    self.name = name
    self.sha256 = sha256
    self.isWhole = isWhole
    self.isWithholding = isWithholding
    self.reportedSpan = reportedSpan
    self.stamp = stamp
    self.batch = batch
  }

  /// The page's name in the manifest, e.g. `batch_214.csv 9f86d0… reported=1772323200..1772409600`.
  var page: String {
    var words = [name, sha256]
    if !isWhole { words.append("refused") }
    if isWithholding { words.append("silencing") }
    if let reportedSpan { words.append("told=\(reportedSpan.lowerBound)..\(reportedSpan.upperBound)") }
    if let stamp { words.append("stamp=\(stamp.filter { !$0.isWhitespace })") }
    if let batch { words.append("batch=\(batch)") }
    return words.joined(separator: " ")
  }

  /// Reads the name of a page; nil when the page is not that of a file.
  init?(page: String) {
    let words = page.split(separator: " ", omittingEmptySubsequences: false)
    guard let place = words.lastIndex(where: { $0 == "-" || ($0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit)) }),
      place > 0
    else { return nil }
    self.init(name: words[..<place].joined(separator: " "), sha256: String(words[place]), isWhole: true)
    for word in words[(place + 1)...] {
      switch word {
      case "refused": isWhole = false
      case "silencing": isWithholding = true
      case _ where word.hasPrefix("told="): reportedSpan = Self.span(word.dropFirst(5))
      case _ where word.hasPrefix("stamp="): stamp = String(word.dropFirst(6))
      case _ where word.hasPrefix("batch="): batch = Int64(word.dropFirst(6))
      default: break
      }
    }
  }

  private static func span(_ text: Substring) -> ClosedRange<Int64>? {
    let ends = text.split(separator: ".").compactMap { Int64($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
  }
}

/// What earlier pulls of a stream have landed, from their manifests alone, so that it is known even with a new store.
struct FileHistory {
  /// The files that landed in full, by content.
  private(set) var whole: [String: ImportedFile] = [:]
  /// The watermark of the newest pull after which nothing was left refused.
  private(set) var cleanUntil: Int64?
  private var stamps: Set<String> = []

  /// - Parameter edition: manifests of another edition of the rules do not count.
  init(_ manifests: [Manifest], edition: String) {
    for manifest in manifests where manifest.pull.request == edition {
      let files = manifest.pages.compactMap { $0.requestID.flatMap(ImportedFile.init(page:)) }
      for file in files where file.isWhole {
        whole[file.sha256] = file
        if let stamp = file.stamp { stamps.insert("\(file.name) \(stamp)") }
      }
      let isClean = manifest.complete && !files.contains(where: \.isWithholding)
      if isClean { cleanUntil = max(cleanUntil ?? .min, manifest.knownUntil ?? manifest.pull.watermark) }
    }
  }

  /// Whether a file was landed in full with exactly that stamp.
  func hasLanded(_ file: ListedFile) -> Bool {
    file.stamp.map { stamp in stamps.contains("\(file.name) \(stamp.filter { !$0.isWhitespace })") } ?? false
  }

  /// All files that landed in full, by name.
  var files: [ImportedFile] { whole.values.sorted { ($0.name, $0.sha256) < ($1.name, $1.sha256) } }
}
