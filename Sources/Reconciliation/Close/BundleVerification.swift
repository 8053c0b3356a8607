import Cryptography
import Files
import Foundation
import Landing
import Payments
import Reports
import Storage

/// Examines a bundle without the installation that made it: every hash, every chain, and the period derived again.
package struct BundleVerification {
  /// An absolute path.
  package let folder: String
  private var landing: String { "\(folder)/\(BundleLayout.landing)" }
  private var closed: String { "\(folder)/\(BundleLayout.closed)" }

  /// - Throws: `BundleError.none` where the folder is not a bundle.
  package init(_ path: String) throws(BundleError) {
    folder = URL(fileURLWithPath: path).standardizedFileURL.path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: "\(folder)/\(BundleLayout.closed)", isDirectory: &isFolder),
      isFolder.boolValue, FileManager.default.fileExists(atPath: "\(folder)/\(BundleLayout.landing)")
    else { throw .none(path) }
  }

  /// Compares all files with their records: logs with their checksums, periods with their chain, the seal with its
  /// line, files with the seal, manifests with the chain and the seal, landed files with their manifests.
  ///
  /// - Throws: the error of the file system.
  package func examine() throws -> Verification {
    var found = Verification()
    func note(_ file: String, _ sentence: String) {
      found.faults.append(Verification.Fault(source: "", stream: "", file: file, sentence: sentence))
    }
    for log in SealMaker.logs {
      for fault in try LogFile(path: "\(landing)/\(log)").faults() {
        note(fault.place, "\(fault.place): \(Self.found(fault.sentence))")
      }
    }
    for fault in try PeriodLog(landing: landing).chainFaults() {
      note("\(PeriodLog.fileName):\(fault.line)", fault.sentence)
    }
    guard let (line, seal) = try seal(note) else { return found }
    for fault in seal.faults(in: "\(closed)/\(line.seal.folder)") {
      note(short(fault.file), fault.sentence.replacing(folder + "/", with: ""))
    }
    let zone = Landing(directory: landing)
    let survey = try zone.survey()
    let since = SealAmendments(seal, zone, survey)
    try examineLogs(seal, line, since, &found)
    try examineLanding(seal, zone, survey, since, &found)
    examineNames(seal, line, survey, note)
    return found
  }

  private static func found(_ sentence: String) -> String {
    let words = sentence.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? sentence
    return words.split(separator: ";").first.map(String.init) ?? words
  }

  private func short(_ path: String) -> String { path.replacing(folder + "/", with: "") }

  /// The seal that the last line of the log of periods refers to.
  private func seal(_ note: (String, String) -> Void) throws -> (PeriodLine, Seal)? {
    guard let line = try? PeriodLog(landing: landing).read().lines.last, line.action == .close else {
      note(PeriodLog.fileName, "\(PeriodLog.fileName): found no line of the seal at its end")
      return nil
    }
    let place = "\(BundleLayout.closed)/\(line.seal.folder)/\(Seal.fileName)"
    do {
      let (seal, sha256) = try Seal.read("\(closed)/\(line.seal.folder)")
      if sha256 != line.seal.sha256 { note(place, "\(place): found another seal than \(PeriodLog.fileName) names") }
      if seal.line(sha256: line.seal.sha256, folder: line.seal.folder).seal != line.seal {
        note(place, "\(place): says something else of the period than \(PeriodLog.fileName)")
      }
      return (line, seal)
    } catch {
      note(place, "\(place): found no seal that can be read")
      return nil
    }
  }

  private func examineLogs(_ seal: Seal, _ line: PeriodLine, _ since: SealAmendments, _ found: inout Verification)
    throws
  {
    func note(_ file: String, _ sentence: String) {
      found.faults.append(Verification.Fault(source: "", stream: "", file: file, sentence: sentence))
    }
    for log in seal.logs {
      var lines = try LogFile(path: "\(landing)/\(log.file)").lines().lines
      if log.file == PeriodLog.fileName { lines = lines.dropLast() }
      if SealMaker.log(log.file, lines) != log {
        // The seal has one hash for each log, so it is unknown which of its lines an erasure changed.
        if lines.count == log.lines && since.concern(log.file) {
          found.note(erasures: since, of: log.file, isLog: true)
        } else {
          note(
            log.file, "\(log.file): found \(lines.count) lines with another SHA-256 than the seal has of \(log.lines)")
        }
      }
      let sums = "\(landing)/.\(log.file).sums"
      let all = try LogFile(path: "\(landing)/\(log.file)").lines().lines
      let bytes = FileManager.default.contents(atPath: sums) ?? Data()
      if bytes != LogFile.sums(of: all) {
        note(".\(log.file).sums", ".\(log.file).sums: found other sums than the lines have")
      }
      let whole = FileManager.default.contents(atPath: "\(landing)/\(log.file)") ?? Data()
      if !whole.isEmpty && whole.last != UInt8(ascii: "\n") {
        note(log.file, "\(log.file): found no line break at its end")
      }
    }
  }

  private func examineLanding(
    _ seal: Seal, _ zone: Landing, _ survey: LandingSurvey, _ since: SealAmendments, _ found: inout Verification
  ) throws {
    // Of files landed after the seal, the bundle contains only the manifests, up to the last erasure.
    var faults = survey.faults.filter { !$0.isOfFile || ($0.sequence ?? 0) <= seal.sequence || $0.isOfLandingZone }
    let named = Set(faults.map(\.place))
    let packed = survey.manifests.filter { ($0.sequence ?? 0) <= seal.sequence || $0.isOfLandingZone }
    for manifest in packed where !named.contains(manifest.path) {
      if let fault = zone.fault(in: manifest) { faults.append(fault) }
    }
    found.landedFiles = packed.count
    found.bytes = packed.reduce(0) { $0 + $1.bytes }
    for landed in seal.manifests { found.note(erasures: since, of: landed.file) }
    found.faults += faults.map {
      Verification.Fault(
        source: $0.source ?? "", stream: $0.stream ?? "", file: $0.error.file ?? $0.place, sentence: "\($0.error)")
    }
    let known = Dictionary(survey.manifests.map { ($0.manifestPath, $0.manifestSHA256) }) { one, _ in one }
    let reported = Set(found.faults.map(\.file))
    for landed in seal.manifests where known[landed.manifest] != landed.sha256 {
      if reported.contains(landed.manifest) { continue }
      found.faults.append(
        Verification.Fault(
          source: "", stream: "", file: landed.manifest,
          sentence: "\(landed.manifest): found another manifest than the seal rests on"))
    }
    if let newest = survey.newest,
      FileManager.default.contents(atPath: "\(landing)/\(Landing.chainFile)") != Data(try Landing.chainEnd(newest))
    {
      found.faults.append(
        Verification.Fault(
          source: "", stream: "", file: Landing.chainFile,
          sentence: "\(Landing.chainFile): found another end of the chain than its manifests have"))
    }
  }

  /// Reports files that nothing refers to.
  private func examineNames(
    _ seal: Seal, _ line: PeriodLine, _ survey: LandingSurvey, _ note: (String, String) -> Void
  ) {
    var known = Set(seal.files.map { "\(BundleLayout.closed)/\(line.seal.folder)/\($0.file)" })
    known.insert("\(BundleLayout.closed)/\(line.seal.folder)/\(Seal.fileName)")
    known.insert("\(BundleLayout.landing)/\(Landing.chainFile)")
    for log in SealMaker.logs {
      known.formUnion(["\(BundleLayout.landing)/\(log)", "\(BundleLayout.landing)/.\(log).sums"])
    }
    let pruned = Set(survey.manifests.filter(\.isLetGo).map(\.path))
    for landed in seal.manifests {
      known.insert("\(BundleLayout.landing)/\(landed.manifest)")
      if !pruned.contains(landed.file) { known.insert("\(BundleLayout.landing)/\(landed.file)") }
    }
    for manifest in survey.manifests {
      known.insert("\(BundleLayout.landing)/\(manifest.manifestPath)")
      if manifest.isOfLandingZone { known.insert("\(BundleLayout.landing)/\(manifest.path)") }
    }
    for name in SealedFolder.names(folder) where !known.contains(name) {
      note(name, "\(name): found a file that the seal does not rest on")
    }
  }

  /// The configuration that the period was derived with.
  package func configuration() throws -> String {
    guard let line = try PeriodLog(landing: landing).read().lines.last else { throw BundleError.none(folder) }
    return "\(closed)/\(line.seal.folder)/\(SealMaker.configuration)/\(ConfigurationCopy.file)"
  }

  /// Derives the period from the landed files in a temporary store, and compares every file with the sealed one.
  ///
  /// A file that contains what was erased since may differ in those lines and in the order of lines, but in nothing
  /// else.
  ///
  /// - Parameters:
  ///   - night: a run with the configuration in the bundle.
  ///   - examined: the result of `examine`.
  /// - Returns: the same result with each file that differs, and the first place where it does.
  package func derive(_ night: ReconciliationRun, after examined: Verification) throws -> Verification {
    var found = examined
    let log = try PeriodLog(landing: landing).read()
    guard let line = log.lines.last else { throw BundleError.none(folder) }
    let seal = try Seal.read(line.seal, in: closed)
    guard let first = BusinessDay(seal.from), let last = BusinessDay(seal.to) else { throw BundleError.none(folder) }
    var night = night
    night.range = ReportRange(from: first, to: last, in: night.calendar)
    (night.pulls, night.publishes, night.writesStatements, night.examinesSeals) = (false, false, true, false)
    let state = ClosedState(
      periods: ClosedPeriods(log.lines.dropLast()), adjustments: try AdjustmentLog(landing: landing).read())
    let place = NSTemporaryDirectory() + "crossfoot-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    try night.deriveSealed(state, number: seal.number, through: seal.sequence, into: place)
    let zone = Landing(directory: landing)
    let since = SealAmendments(seal, zone, try zone.survey())
    let erased = ErasedLines(since.standIns, hashes: since.hashes)
    Self.compare(
      seal.files.map(\.file), derived: place, sealed: "\(closed)/\(line.seal.folder)", erased, &found,
      words: seal.version == night.version ? "" : " (sealed by version \(seal.version), derived by \(night.version))")
    return found
  }

  private static func compare(
    _ sealed: [String], derived place: String, sealed folder: String, _ erased: ErasedLines,
    _ found: inout Verification, words: String
  ) {
    func note(_ name: String, _ sentence: String) {
      found.faults.append(
        Verification.Fault(source: "", stream: "", file: name, sentence: "\(name): \(sentence)\(words)"))
    }
    let given = Set(SealMaker.given)
    let ours = sealed.filter { !given.contains($0) && !$0.hasPrefix("\(SealMaker.configuration)/") }
    var erased = erased
    // The list of the statements has their hashes.
    for name in ours.filter({ $0 != SealMaker.statements }) + ours.filter({ $0 == SealMaker.statements }) {
      guard let one = FileManager.default.contents(atPath: "\(place)/\(name)") else {
        note(name, "is not derived from the landed files")
        continue
      }
      guard let other = FileManager.default.contents(atPath: "\(folder)/\(name)"), one != other else { continue }
      if let count = erased.count(derived: "\(place)/\(name)", sealed: "\(folder)/\(name)") {
        found.note(erasedLines: count, of: name)
        erased.add(derived: one, sealed: other)
        continue
      }
      let lines = [one, other].map { $0.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) }
      let line = zip(lines[0], lines[1]).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      let number = (line ?? min(lines[0].count, lines[1].count)) + 1
      note(
        name.hasSuffix(".csv") ? "\(name):\(number)" : name,
        "the landed files give other bytes than were sealed")
    }
    for name in SealedFolder.names(place) where !ours.contains(name) {
      note(name, "is derived from the landed files and was not sealed")
    }
  }
}

extension ReconciliationRun {
  /// Derives a sealed period from what had landed up to a position in the chain, in a temporary store.
  func deriveSealed(_ state: ClosedState, number: Int, through last: Int64, into folder: String) throws {
    let store = try Store(settings: settings, resources: resources, isReplay: true)
    defer { store.close() }
    var landing = Landing(directory: settings.landing.directory)
    landing.last = last
    try makeReader(store.database, landing).catchUp()
    var timings = Timings(logger: logger)
    let derivation = try reconcile(store.database, &timings)
    try show(store.database, state)
    _ = try writeSealed(store.database, derivation, state, number: number, into: folder)
  }
}

extension Seal.Landed {
  /// The landed file of the manifest.
  var file: String { Landing.landedFile(ofManifest: manifest) }
}
