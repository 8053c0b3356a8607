import Cryptography
import Foundation
import Payments

/// `seal.json`: what a closed period rests on, and what it holds.
struct Seal: Codable, Sendable, Equatable {
  static let fileName = "seal.json"

  struct File: Codable, Sendable, Equatable {
    /// From the sealed folder.
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
  /// A log beside the landed records, as it was.
  struct Log: Codable, Sendable, Equatable {
    var file: String
    var lines: Int
    var sha256: String
  }
  /// What the movements of one account add up to: `figures.json`, a file of its own, since every run reads it.
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

  /// The layout; this code reads 1.
  var layout = 1
  var period: String
  /// From 1, a number for each close; that of its statements.
  var number: Int
  var from, to, timeZone: String
  /// Unix seconds.
  var coversFrom, startsAt, endsAt: Int64
  /// RFC 3339.
  var sealedAt: String
  var preparedBy: String
  var reviewedBy: String?
  var note: String?
  /// What would have kept it open, a sentence each, and was overridden.
  var overridden: [String]
  var verdict: String
  var version: String
  /// Of the configuration, as run.json has it; of what of it figures rest on; of the version's statements.
  var configurationHash, rules, statements: String
  /// How many lines of `adjustments.jsonl` were noted by then.
  var adjustments: Int
  /// The end of the landing chain.
  var sequence: Int64
  var files: [File]
  var manifests: [Landed]
  var logs: [Log]
  /// SHA-256 of the seal before; empty on the first.
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

  /// What the line of the log says of it.
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

  /// Compares the bytes of seal.json with what the log says of them.
  static func check(_ line: PeriodLine.Seal, in closed: String) throws(SealError) {
    let path = "\(closed)/\(line.folder)/\(fileName)"
    guard let bytes = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
    guard SHA256.hash(bytes).hexadecimal == line.sha256 else { throw .changed(path) }
  }

  /// Reads the seal of a folder.
  static func read(_ folder: String) throws(SealError) -> (seal: Seal, sha256: String) {
    let path = "\(folder)/\(fileName)"
    guard let bytes = FileManager.default.contents(atPath: path),
      let seal = try? JSONDecoder().decode(Seal.self, from: bytes), seal.layout == 1
    else { throw .unreadable(path) }
    return (seal, SHA256.hash(bytes).hexadecimal)
  }

  /// Which files of the folder are not as they were sealed, a sentence each.
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
