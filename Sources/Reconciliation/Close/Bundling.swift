import Files
import Foundation
import Landing
import Storage

extension ReconciliationRun {
  /// Packs a closed period: its seal with every file, and the landing zone as it was then, except for what was erased
  /// since. The part of the chain that records the erasures is included.
  ///
  /// - Returns: the folder.
  /// - Throws: `PeriodError.notClosed`, `SealError`, and the error of the file system; no bundle is left then.
  package func bundle(_ period: String, to path: String) throws -> String {
    let directory = settings.landing.directory
    guard let line = try PeriodLog(landing: directory).read().seal(of: period) else {
      throw PeriodError.notClosed(period)
    }
    let seal = try Seal.read(line.seal, in: closedFolder)
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    guard !FileManager.default.fileExists(atPath: path) else { throw BundleError.exists(path) }
    for place in [directory, closedFolder].map({ URL(fileURLWithPath: $0).standardizedFileURL.path })
    where path.hasPrefix(place + "/") {
      throw BundleError.inside(path, place)
    }
    let folder = try SealedFolder(path)
    do {
      let sealed = "\(closedFolder)/\(line.seal.folder)"
      for name in seal.files.map(\.file) + [Seal.fileName] {
        try folder.copy("\(sealed)/\(name)", as: "\(BundleLayout.closed)/\(line.seal.folder)/\(name)")
      }
      try copyLanding(seal, line, into: folder)
      try folder.show()
      return path
    } catch {
      folder.discard()
      throw error
    }
  }

  /// Copies the landed files that the seal rests on, the end of their chain, and each log as it was, with its
  /// checksums.
  private func copyLanding(_ seal: Seal, _ line: PeriodLine, into folder: SealedFolder) throws {
    let directory = settings.landing.directory
    let landing = Landing(directory: directory)
    let survey = try landing.survey()
    let sealed = Dictionary(uniqueKeysWithValues: seal.manifests.map { ($0.manifest, $0.sha256) })
    let manifests = survey.manifests.filter { sealed[$0.manifestPath] == $0.manifestSHA256 }
    if let missing = sealed.keys.sorted().first(where: { name in !manifests.contains { $0.manifestPath == name } }) {
      throw BundleError.missing(missing)
    }
    let since = SealAmendments(seal, landing, survey)
    if let file = since.unreadable.first { throw BundleError.missing(file) }
    if let removal = since.removals.first { throw BundleError.pruned(removal.file, on: removal.at) }
    let chained = survey.manifests.filter { manifest in
      manifest.sequence.map { $0 > seal.sequence && $0 <= since.end } ?? false
    }
    if chained.count != since.end - seal.sequence { throw BundleError.missing(Landing.chainFile) }
    for manifest in manifests + chained {
      // Of manifests landed since, only those that concern these files.
      let isFileCopied = manifest.isOfLandingZone || sealed[manifest.manifestPath] != nil && !manifest.isLetGo
      for name in (isFileCopied ? [manifest.path] : []) + [manifest.manifestPath] {
        try folder.copy("\(directory)/\(name)", as: "\(BundleLayout.landing)/\(name)")
      }
    }
    if let newest = (manifests + chained).compactMap(\.link).max(by: { $0.sequence < $1.sequence }) {
      try folder.add("\(BundleLayout.landing)/\(Landing.chainFile)", try Landing.chainEnd(newest))
    }
    for log in seal.logs {
      let isPeriods = log.file == PeriodLog.fileName
      let lines = try LogFile(path: "\(directory)/\(log.file)").lines().lines
      // The seal's own line was written after the seal recorded the state of the log.
      let count = isPeriods ? try PeriodLog(landing: directory).place(of: line) + 1 : log.lines
      try folder.addLog(log.file, Array(lines.prefix(count)))
    }
  }
}

/// The layout of a bundle.
enum BundleLayout {
  static let closed = "closed"
  static let landing = "landing"
}

extension SealedFolder {
  /// Adds a log of the landing zone with its checksums.
  fileprivate func addLog(_ name: String, _ lines: [Data]) throws {
    guard !lines.isEmpty else { return }
    try add("\(BundleLayout.landing)/\(name)", lines.flatMap { $0 + [UInt8(ascii: "\n")] })
    try add("\(BundleLayout.landing)/.\(name).sums", Array(LogFile.sums(of: lines)))
  }
}

/// Why a period cannot be packed.
package enum BundleError: Error, CustomStringConvertible {
  case exists(String)
  case inside(String, String)
  case missing(String)
  case pruned(String, on: String)
  case none(String)

  /// Whether the command lacked an argument that it needs.
  package var isUsage: Bool {
    switch self {
    case .missing, .pruned: false
    case .exists, .inside, .none: true
    }
  }

  package var description: String {
    switch self {
    case .exists(let path): "\(path) already exists; name a folder that does not"
    case .inside(let path, let place):
      "\(path) lies in \(place), where only Crossfoot's own files may be; name a folder outside it"
    case .missing(let name):
      "\(name): the seal rests on it, and it is not in the landing zone as it was; `crossfoot verify` says what "
        + "happened"
    case .pruned(let name, let at):
      "\(name): the seal rests on it, and it was pruned on \(at); only a bundle made before that contains it"
    case .none(let path): "\(path): is no bundle; `crossfoot bundle PERIOD DIR` makes one"
    }
  }
}
