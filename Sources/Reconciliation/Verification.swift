import Decisions
import Files
import Foundation
import Landing
import Payments
import Storage

/// The result of examining the whole landing zone: every manifest against the chain, every landed file against its
/// manifest, every line of the logs against the checksum noted when it was written.
package struct Verification: Sendable, Encodable {
  /// Something that is not as it was written.
  package struct Fault: Sendable, Encodable {
    /// Configured name of the source; empty if it is unknown.
    package var source: String
    package var stream: String
    /// The file concerned, with the line for a log.
    package var file: String
    /// What was found, what was expected, and what to do.
    package var sentence: String
  }
  package var landedFiles = 0
  package var bytes: Int64 = 0
  package var faults: [Fault] = []
  /// How many landed files were given up before.
  package var givenUp = 0
  /// How many landed files were removed because of `landing.retention`.
  package var letGo = 0
  /// For a bundle: what was erased after the seal, and the files concerned; nil: nothing was erased.
  package var erasures: [Erasure]?
  package var erasedLines: [ErasedCount]?

  /// A landed file or log from which a text was erased after it was sealed.
  package struct Erasure: Sendable, Encodable {
    package var file: String
    /// RFC 3339.
    package var at: String
    package var who: String
    package var note: String?
    package var sentence: String
  }

  /// A derived file, and how many of its lines differ from the sealed ones because of an erasure.
  package struct ErasedCount: Sendable, Encodable {
    package var file: String
    package var lines: Int
    package var sentence: String
  }

  package var isWhole: Bool { faults.isEmpty }

  /// One line for each fault, and one for the total.
  package var lines: [String] {
    let files =
      "\(landedFiles) landed files, \(bytes) bytes" + (letGo == 0 ? "" : ", \(letGo) pruned")
      + (givenUp == 0 ? "" : ", \(givenUp) given up")
    guard !isWhole else { return ["whole: \(files)"] }
    return faults.map { ($0.source.isEmpty ? "" : "\($0.source)/\($0.stream): ") + $0.sentence } + [
      "\(faults.count) \(faults.count == 1 ? "fault" : "faults") in \(files): restore the files from a backup, then "
        + "verify again; for what no backup has, run `crossfoot verify --give-up`: it records the loss, and the next "
        + "run pulls what it can again"
    ]
  }
}

extension ReconciliationRun {
  /// Examines the whole landing zone and its logs.
  ///
  /// - Parameter givesUp: who gives up the faulty landed files as lost; nil: nobody.
  /// - Throws: `RunError.locked`, and the errors of landing and the logs.
  package func verify(givesUp: String? = nil) throws -> Verification {
    let directory = settings.landing.directory
    guard let lock = try RunLock.take(path: directory + "/.lock") else {
      throw RunError.locked("the landing zone \(directory)")
    }
    defer { withExtendedLifetime(lock) {} }
    let landing = Landing(directory: directory)
    try landing.settleAmendments()
    return try examine(landing, givesUp: givesUp)
  }

  private func examine(_ landing: Landing, givesUp: String?) throws -> Verification {
    let survey = try landing.survey(remembered: try remembered(landing))
    let lost = LostFiles(landing: landing.directory)
    let places = try lost.places()
    var faults = survey.faults
    let named = Set(faults.map(\.place))
    for manifest in survey.manifests where !named.contains(manifest.path) {
      if let fault = landing.fault(in: manifest) { faults.append(fault) }
    }
    faults.removeAll { places.contains($0.place) }
    if let who = givesUp {
      try lost.giveUp(faults, who: who, at: now)
      for log in logs { try log.accept() }
      return try examine(landing, givesUp: nil)
    }
    var found = Verification(
      landedFiles: survey.manifests.count, bytes: survey.manifests.reduce(0) { $0 + $1.bytes }, givenUp: places.count,
      letGo: survey.manifests.count(where: \.isLetGo))
    found.faults = faults.map {
      Verification.Fault(
        source: $0.source ?? "", stream: $0.stream ?? "", file: $0.error.file ?? $0.place, sentence: "\($0.error)")
    }
    found.faults += try sealFaults()
    for log in logs {
      found.faults += try log.faults().map {
        Verification.Fault(source: "", stream: "", file: $0.place, sentence: $0.sentence)
      }
    }
    return found
  }

  /// Faults of the log of periods, and of every sealed folder that it names.
  private func sealFaults() throws -> [Verification.Fault] {
    func fault(_ file: String, _ sentence: String) -> Verification.Fault {
      Verification.Fault(source: "", stream: "", file: file, sentence: sentence)
    }
    let log = PeriodLog(landing: settings.landing.directory)
    var faults = try log.chainFaults().map { fault("\(PeriodLog.fileName):\($0.line)", $0.sentence) }
    for line in (try? log.read().closings) ?? [] {
      do {
        let seal = try Seal.read(line.seal, in: closedFolder)
        faults += try shortened(seal).map { fault($0.file, $0.sentence) }
        faults += seal.faults(in: "\(closedFolder)/\(line.seal.folder)").map { fault($0.file, $0.sentence) }
      } catch {
        faults.append(fault("\(closedFolder)/\(line.seal.folder)/\(Seal.fileName)", "\(error)"))
      }
    }
    return faults
  }

  /// The logs that have fewer lines than a seal rests on.
  private func shortened(_ seal: Seal) throws -> [(file: String, sentence: String)] {
    try seal.logs.compactMap { log in
      let lines = try LogFile(path: "\(settings.landing.directory)/\(log.file)").lines().lines.count
      guard lines < log.lines else { return nil }
      return (
        log.file,
        "\(log.file): found \(lines) lines, expected at least the \(log.lines) that the seal of \(seal.period) rests "
          + "on; restore the log and its sums from a backup"
      )
    }
  }

  /// The logs beside the landed records. If a report rests on a log, a fault in it makes the night incomplete.
  private var logs: [LogFile] { reportedLogs + logs(named: [RunHistory.fileName, "alerts.jsonl"]) }
  private var reportedLogs: [LogFile] {
    logs(named: [
      DecisionLog.fileName, PublicationLog.fileName, LostFiles.fileName, PeriodLog.fileName, AdjustmentLog.fileName,
    ])
  }

  private func logs(named names: [String]) -> [LogFile] {
    names.map { LogFile(path: "\(settings.landing.directory)/\($0)") }
  }

  /// Truncates a line that a crash left incomplete in one of the logs, and logs that.
  func mendLogs() throws {
    for log in logs { if let warning = try log.mend() { logger.warning("\(warning)") } }
  }

  /// What is wrong with the logs that a report rests on, one sentence each.
  func logGaps() throws -> [String] {
    try reportedLogs.flatMap { try $0.faults().map(\.sentence) } + (examinesSeals ? closedGaps() : [])
  }

  /// The links of the chain that the store and the log of publications noted; none from a store that cannot be read.
  private func remembered(_ landing: Landing) throws -> [ChainLink] {
    let url = settings.store.url.revealed
    let isThere =
      if case .sqlite(let path) = try StoreURL(url) { FileManager.default.fileExists(atPath: path) } else { true }
    let database = isThere ? try? StoreURL(url).open() : nil
    let stored = database.flatMap {
      try? LandingFaults(database: $0, landing: landing, isOurs: { _ in true }).remembered()
    }
    return try (stored ?? []) + [history(asOf: nil).landed].compactMap { $0 }
  }
}
