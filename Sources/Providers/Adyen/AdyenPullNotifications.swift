import Cryptography
import Files
import Foundation
import JSON
import Landing
import Logging
import Payments

/// Brings stored notifications into the landing zone: those of the account that are signed with one of its keys.
///
/// An item without a valid signature proves nothing: it lands as a refusal, and withholds no claim.
final class AdyenNotificationPull {
  private let configuration: AdyenConfiguration
  private let folder: DeliveredFolder
  private let order: PullOrder
  private let landing: Landing
  private let logger: Logger
  private let stream = AdyenStream.notifications
  private let parser = JSONParser()
  private let trial: AdyenTrial
  /// Settlement batches that notifications of the account announce, with the report's name.
  private var batches: [Int64: String] = [:]
  private var oldest: Int64?

  init(configuration: AdyenConfiguration, folder: String, order: PullOrder, landing: Landing, logger: Logger) {
    self.configuration = configuration
    self.folder = DeliveredFolder(path: folder)
    self.order = order
    self.landing = landing
    self.logger = logger
    trial = AdyenTrial(configuration, .notifications)
  }

  /// The settlement batches that stored notifications announce, without landing anything; none where the folder cannot
  /// be read.
  static func batches(_ configuration: AdyenConfiguration, in folder: String) -> [Int64: String] {
    let order = PullOrder(rangeFrom: 0, rangeTo: 0, now: 0)
    let pull = AdyenNotificationPull(
      configuration: configuration, folder: folder, order: order, landing: Landing(directory: ""),
      logger: Logger(label: "adyen"))
    _ = try? pull.files(AdyenHistory([], provider: configuration.name, stream: .notifications))
    return pull.batches
  }

  func run() -> (outcome: StreamOutcome, batches: [Int64: String]) {
    do {
      return (try bring(), batches)
    } catch {
      let sentence = "\(configuration.name) \(stream.rawValue): \(error)"
      logger.warning("\(sentence)")
      return (StreamOutcome(stream: stream.rawValue, objects: 0, isComplete: false, reason: sentence), batches)
    }
  }

  private func bring() throws -> StreamOutcome {
    let history = AdyenHistory(try landing.listing().manifests, provider: configuration.name, stream: stream)
    var read: [AdyenStoredFile] = []
    var failure: FolderProblem?
    do { read = try files(history) } catch { failure = error }
    let coversFrom = min(order.rangeFrom, history.coversFrom ?? order.rangeFrom, oldest ?? order.rangeFrom)
    let writer = try FileWriter(
      provider: configuration.name, stream: stream.rawValue, request: "notifications in \(folder.path)",
      windowFrom: coversFrom, coversFrom: coversFrom, watermark: order.now, order, into: landing)
    for file in read {
      for line in file.lines { try writer.append(line: line.bytes, dropped: line.dropped) }
      writer.skip(otherAccounts: file.otherAccounts)
      try writer.end(ImportedFile(adyen: file.name, file.sha256, isRefused: file.isRefused))
    }
    let reason = failure.map { "\(configuration.name) \(stream.rawValue): \($0)" }
    if let reason { logger.warning("\(reason)") }
    return try writer.finish(reason: reason)
  }

  /// Every file is examined for the batches that it announces; files that landed before yield no lines.
  private func files(_ history: AdyenHistory) throws(FolderProblem) -> [AdyenStoredFile] {
    var files: [AdyenStoredFile] = []
    for name in try folder.allNames(ignoring: configuration.ignoredFiles) {
      let kind = name.lowercased()
      let isNamed = kind.hasSuffix(".json") || kind.hasSuffix(".jsonl")
      // Where reports are delivered into the same folder, their rules decide which of the other files are strays.
      if !isNamed && configuration.hasReports(in: folder.path) { continue }
      let bytes = try content(of: name)
      let sha256 = SHA256.hash(bytes).hexadecimal
      var file = AdyenStoredFile(name: name, sha256: sha256)
      if isNamed {
        read(bytes, isLines: kind.hasSuffix(".jsonl"), into: &file)
      } else if holdsNotifications(bytes) {
        read(bytes, isLines: !parses(bytes), into: &file)
      } else {
        file.refuse(.stray(name))
      }
      if !history.has(sha256) { files.append(file) }
    }
    return files
  }

  /// The content of a file; of a compressed one, decompressed.
  private func content(of name: String) throws(FolderProblem) -> Data {
    let path = folder.path + "/" + name
    do {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
      guard bytes.starts(with: [0x1f, 0x8b]) else { return bytes }
      let file = try SourceFile(path: path)
      var content = Data()
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
      defer { piece.deallocate() }
      while case let count = try file.fill(piece), count > 0 { content.append(contentsOf: piece[..<count]) }
      return content
    } catch {
      throw .unreadable(name, error is FileProblem ? "\(error)" : "cannot be read")
    }
  }

  /// Whether a file with another name is a notification body, or its first line is.
  private func holdsNotifications(_ bytes: Data) -> Bool {
    let first = bytes.split(separator: UInt8(ascii: "\n")).first { line in line.contains { !" \t\r".utf8.contains($0) }
    }
    return parses(bytes) || first.map(parses) == true
  }

  private func parses(_ body: Data) -> Bool {
    guard body.first(where: { !" \t\r\n".utf8.contains($0) }).map({ "{[".utf8.contains($0) }) == true else {
      return false
    }
    return (try? body.withUnsafeBytes { try parser.parse($0) { AdyenNotification.items(of: $0) != nil } }) == true
  }

  private func read(_ bytes: Data, isLines: Bool, into file: inout AdyenStoredFile) {
    guard isLines else { return readBody(bytes, location: file.name, into: &file) }
    for (place, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
      readBody(line, location: "\(file.name):\(place + 1)", into: &file)
    }
  }

  private func readBody(_ body: Data, location: String, into file: inout AdyenStoredFile) {
    do {
      try body.withUnsafeBytes { bytes in
        try parser.parse(bytes) { root in
          guard let items = AdyenNotification.items(of: root) else {
            throw RefusedRecord(
              location: location, reason: "it is JSON, but no notification of Adyen's; see what was stored there")
          }
          for (place, item) in items.enumerated() {
            let own = items.count == 1 ? location : "\(location)[\(place)]"
            try take(AdyenNotification(item: item, location: own), into: &file)
          }
        }
      }
    } catch {
      let refused =
        error as? RefusedRecord
        ?? RefusedRecord(location: location, reason: "\(error); see that the whole body was stored")
      file.refuse(refused)
    }
  }

  private func take(_ notification: AdyenNotification, into file: inout AdyenStoredFile) throws {
    guard notification.merchantAccount == configuration.merchantAccount else {
      file.otherAccounts += 1
      return
    }
    guard notification.isBelieved(configuration.signatureKeys) else {
      return file.refuse(
        RefusedRecord(
          location: notification.location, recordID: notification.pspReference,
          reason: "no key in hmac_keys has signed it; check the keys, or ask who stored it", withholdsClaims: false))
    }
    if notification.eventCode == "REPORT_AVAILABLE" {
      if let reason = AdyenReportLink.fault(notification, configuration) {
        return file.refuse(
          RefusedRecord(location: notification.location, recordID: "", reason: reason, withholdsClaims: false))
      }
      if let report = AdyenReportName(notification.pspReference) { batches[report.batch] = notification.pspReference }
    }
    let fields = AdyenNotificationFields.kept(of: notification.eventCode, metadata: configuration.orderReference)
    let line = notification.line(keeping: fields)
    if let refused = try trial.refusal(of: line.bytes) { return file.refuse(refused) }
    if let text = try? notification.item["eventDate"].string(), let moment = try? Instant.parse(text) {
      oldest = min(oldest ?? moment, moment)
    }
    file.lines.append(line)
  }
}

/// One stored file, read: the lines to land.
struct AdyenStoredFile {
  let name: String
  let sha256: String
  var lines: [(bytes: [UInt8], dropped: Int)] = []
  var otherAccounts = 0
  var isRefused = false

  init(name: String, sha256: String) {
    self.name = name
    self.sha256 = sha256
  }

  mutating func refuse(_ refused: RefusedRecord) {
    isRefused = true
    lines.append((refused.line, 0))
  }
}
