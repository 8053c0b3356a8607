import Cryptography
import Foundation
import Payments

/// `seal.json`: the inputs of a closed period, and its files.
struct Seal: Codable, Sendable, Equatable {
  static let fileName = "seal.json"

  struct File: Codable, Sendable, Equatable {
    /// The path, relative to the sealed folder.
    var file: String
    var bytes: Int64
    var sha256: String
  }
  /// A manifest of the landing zone.
  struct Landed: Codable, Sendable, Equatable {
    var sequence: Int64
    var manifest: String
    var sha256: String
  }
  /// A log beside the landed records at the time of the seal.
  struct Log: Codable, Sendable, Equatable {
    var file: String
    var lines: Int
    var sha256: String
  }
  /// The sum of an account's movements: `figures.json`, a separate file since every run reads it.
  struct Figure: Codable, Sendable, Equatable {
    var provider, account, connectedAccount, currency, figure: String
    /// Minor units.
    var amountMinor: Int64

    static let fileName = "figures.json"

    var key: SealedMovements.Key {
      SealedMovements.Key(
        provider: provider, account: account, connectedAccount: connectedAccount, currency: currency, figure: figure,
        rowID: "")
    }

    private enum CodingKeys: String, CodingKey {
      case provider, account, currency, figure
      case connectedAccount = "connected_account"
      case amountMinor = "amount_minor"
    }
  }

  /// The version of the layout; this code reads version 1.
  var layout = 1
  var period: String
  /// The number of the close, from 1; its statements have the same number.
  var number: Int
  var from, to, timeZone: String
  /// Unix seconds.
  var coversFrom, startsAt, endsAt: Int64
  /// RFC 3339.
  var sealedAt: String
  var preparedBy: String
  var reviewedBy: String?
  var note: String?
  /// Obstacles to closing that were overridden, one sentence each.
  var overridden: [String]
  var verdict: String
  var version: String
  /// Hashes of the configuration as in run.json, of the part that figures depend on, and of the version's statements.
  var configurationHash, rules, statements: String
  /// The number of lines of `adjustments.jsonl` at the time.
  var adjustments: Int
  /// The end of the landing chain.
  var sequence: Int64
  var files: [File]
  var manifests: [Landed]
  var logs: [Log]
  /// SHA-256 of the previous seal; empty on the first.
  var previous: String

  /// The sums of a sealed folder.
  static func figures(_ folder: String) throws(SealError) -> [Figure] {
    let path = "\(folder)/\(Figure.fileName)"
    guard let bytes = FileManager.default.contents(atPath: path),
      let figures = try? JSONDecoder().decode([Figure].self, from: bytes)
    else { throw .unreadable(path) }
    return figures
  }

  private enum CodingKeys: String, CodingKey {
    case layout, period, number, from, to, note, overridden, verdict, version, rules, statements, adjustments, sequence,
      files, manifests, logs, previous
    case timeZone = "time_zone"
    case coversFrom = "covers_from"
    case startsAt = "starts_at"
    case endsAt = "ends_at"
    case sealedAt = "sealed_at"
    case preparedBy = "prepared_by"
    case reviewedBy = "reviewed_by"
    case configurationHash = "configuration_hash"
  }

  func encode() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// The line of the log for this seal.
  func line(sha256: String, folder: String) -> PeriodLine {
    PeriodLine(
      action: .close, period: period, at: sealedAt, who: preparedBy, reviewedBy: reviewedBy, note: note,
      seal: PeriodLine.Seal(
        sha256: sha256, number: number, folder: folder, coversFrom: coversFrom, startsAt: startsAt, endsAt: endsAt,
        sequence: sequence, adjustments: adjustments, rules: rules, statements: statements))
  }

  /// Reads the seal that a line names.
  ///
  /// - Throws: `SealError` where it is not as it was sealed.
  static func read(_ line: PeriodLine.Seal, in closed: String) throws(SealError) -> Seal {
    try check(line, in: closed)
    return try read("\(closed)/\(line.folder)").seal
  }

  /// Compares the bytes of seal.json with the hash in the log, and those of the files that runs compare with what is
  /// derived with the hashes in seal.json.
  static func check(_ line: PeriodLine.Seal, in closed: String) throws(SealError) {
    let folder = "\(closed)/\(line.folder)"
    guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(fileName)") else {
      throw .unreadable("\(folder)/\(fileName)")
    }
    guard SHA256.hash(bytes).hexadecimal == line.sha256 else { throw .changed("\(folder)/\(fileName)") }
    let seal = try read(folder).seal
    for name in [Figure.fileName, SealedMovements.table.name, SealedMovements.opening.name] {
      let path = "\(folder)/\(name)"
      guard let file = seal.files.first(where: { $0.file == name }) else { continue }
      guard let found = SealedFolder.measure(path) else { throw .unreadable(path) }
      guard found.sha256 == file.sha256 else { throw .changed(path) }
    }
  }

  /// Reads the seal of a folder.
  static func read(_ folder: String) throws(SealError) -> (seal: Seal, sha256: String) {
    let path = "\(folder)/\(fileName)"
    guard let bytes = FileManager.default.contents(atPath: path),
      let seal = try? JSONDecoder().decode(Seal.self, from: bytes), seal.layout == 1
    else { throw .unreadable(path) }
    return (seal, SHA256.hash(bytes).hexadecimal)
  }

  /// The files of the folder that are not as they were sealed, with one sentence each.
  func faults(in folder: String) -> [(file: String, sentence: String)] {
    var faults: [(String, String)] = []
    for file in files {
      let path = "\(folder)/\(file.file)"
      guard let found = SealedFolder.measure(path) else {
        faults.append((path, "\(path): found no file that can be read, expected \(file.bytes) bytes"))
        continue
      }
      if found.sha256 != file.sha256 {
        faults.append((path, "\(path): found other bytes than were sealed (SHA-256 \(found.sha256))"))
      }
    }
    let known = Set(files.map(\.file) + [Self.fileName])
    for name in SealedFolder.names(folder) where !known.contains(name) {
      faults.append(("\(folder)/\(name)", "\(folder)/\(name): found a file that was not sealed"))
    }
    return faults
  }
}
