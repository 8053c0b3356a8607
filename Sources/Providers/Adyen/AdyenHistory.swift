import JSON
import Landing
import Payments

/// What earlier pulls of one stream landed, as their manifests report: which files, and from when the stream is
/// covered.
struct AdyenHistory {
  /// One delivered file in the landing zone.
  struct Delivery {
    let name: String
    let sha256: String
    /// Something of it was refused: it is read again.
    let isRefused: Bool
    let rows: Int
    /// The settlement batch that it is of, by its note or its name.
    var batch: Int64?
    let manifest: Manifest
  }
  /// The oldest first.
  private(set) var deliveries: [Delivery] = []
  /// Where the coverage of the first pull began.
  private(set) var coversFrom: Int64?
  private var isLanded: [String: Bool] = [:]

  init(_ manifests: [Manifest], provider: String, stream: AdyenStream) {
    for manifest in manifests where manifest.provider == provider && manifest.stream == stream.rawValue {
      coversFrom = min(coversFrom ?? manifest.pull.coversFrom, manifest.pull.coversFrom)
      for page in manifest.pages {
        for line in (page.requestID ?? "").split(separator: "\n") {
          guard let delivery = Self.delivery(String(line), page.objects, manifest) else { continue }
          deliveries.append(delivery)
          isLanded[delivery.sha256] = !delivery.isRefused
        }
      }
    }
  }

  /// Whether a content was landed, and nothing of it refused.
  func has(_ sha256: String) -> Bool { isLanded[sha256] ?? false }

  /// How a landed file is noted on its page; a page may hold several files.
  ///
  /// - Parameter batch: noted where the name does not say it.
  static func note(_ name: String, _ sha256: String, isRefused: Bool, batch: Int64? = nil) -> String {
    let plain = name.map { $0.isNewline ? " " : $0 }
    let noted = AdyenReportName(String(plain)) == nil ? batch.map { " batch=\($0)" } ?? "" : ""
    return "\(String(plain)) \(sha256)" + (isRefused ? " refused" : "") + noted
  }

  private static func delivery(_ note: String, _ rows: Int, _ manifest: Manifest) -> Delivery? {
    var words = note.split(separator: " ", omittingEmptySubsequences: false)
    var batch: Int64?
    if let word = words.last, word.hasPrefix("batch="), let number = Int64(word.dropFirst(6)) {
      batch = number
      words.removeLast()
    }
    let isRefused = words.last == "refused"
    if isRefused { words.removeLast() }
    guard let sha256 = words.popLast(), sha256.utf8.count == 64, !words.isEmpty else { return nil }
    let name = words.joined(separator: " ")
    return Delivery(
      name: name, sha256: String(sha256), isRefused: isRefused, rows: rows,
      batch: batch ?? AdyenReportName(name)?.batch, manifest: manifest)
  }
}

/// Tries a line on the reader that will read it, so that what it will refuse lands as a refusal and its file is read
/// again.
final class AdyenTrial {
  private let reader: AdyenReader
  private let stream: AdyenStream
  private let parser = JSONParser()
  private let sink = NoRecords()

  init(_ configuration: AdyenConfiguration, _ stream: AdyenStream) {
    reader = AdyenReader(configuration)
    self.stream = stream
  }

  /// Why the reader would refuse the line; nil when it would not.
  func refusal(of line: [UInt8]) throws -> RefusedRecord? {
    do {
      let origin = Origin(file: 0, line: 1, observedAt: 0, rangeTo: 0)
      try parser.parse(line) { try reader.read($0, stream: stream.rawValue, from: origin, into: sink) }
      return nil
    } catch let refused as RefusedRecord {
      return refused
    }
  }
}

/// Takes nouns and keeps none.
private final class NoRecords: RecordSink {
  func add(_ row: LedgerRow, _ postings: [Posting]) {}
  func add(_ payment: Payment) {}
  func add(_ intent: Intent) {}
  func add(_ reference: Reference) {}
  func add(_ refund: Refund) {}
  func add(_ transfer: Transfer) {}
  func add(_ reversal: TransferReversal) {}
  func add(_ fee: ApplicationFee) {}
  func add(_ refund: ApplicationFeeRefund) {}
  func add(_ dispute: Dispute) {}
  func add(_ payout: Payout) {}
  func add(_ line: PayoutLine) {}
  func add(_ step: PayoutStep) {}
  func add(_ balance: StatedBalance) {}
  func add(_ word: UnknownWord) {}
  func add(_ event: RecordEvent) {}
  func add(_ batch: SettlementBatch) {}
  func add(_ batch: AnnouncedBatch) {}
  func add(_ chunk: BatchChunk) {}
  func add(_ value: BatchValue) {}
  func add(_ row: BrokenRow) {}
  func add(_ key: Credential) {}
  func add(_ net: SettledNet) {}
}
