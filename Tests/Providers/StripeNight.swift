import Foundation
import HTTP
import JSON
import Landing
import Logging
import Settings
import Synchronization
import TestSupport

@testable import Providers

/// The key that must never be found again.
let stripeKey = "rk_test_findme_51Nx7secretsecret"
/// 2026-03-02T00:00:00Z: where the reported day ends.
let dayEnd: Int64 = 1_772_409_600
let day: Int64 = 86_400

/// A Stripe account on loopback, its landing zone in a folder of its own, and nights to pull it.
final class StripeNight: Sendable {
  let shelf: StripeShelf
  let server: LoopbackServer
  let landing: Landing
  let log = LogLines()
  let waits = LogLines()
  private let known = Mutex<Set<String>>([])
  private let configure: @Sendable (inout StripeConfiguration) -> Void

  init(
    _ configure: @escaping @Sendable (inout StripeConfiguration) -> Void = { _ in },
    interfere: @escaping @Sendable (LoopbackServer.Asked, Int) -> LoopbackServer.Reply?
  ) async throws {
    let shelf = StripeShelf(interfere: interfere)
    self.shelf = shelf
    self.configure = configure
    server = try await LoopbackServer { shelf.answer($0) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stripe-\(UUID().uuidString)")
    landing = Landing(directory: folder)
  }

  convenience init() async throws { try await self.init { _, _ in nil } }

  deinit { try? FileManager.default.removeItem(atPath: landing.directory) }

  func provider() throws -> Stripe {
    var configuration = StripeConfiguration(name: "stripe", apiKey: Secret(stripeKey), baseURL: server.baseURL)
    configuration.retry = RetryPolicy(attempts: 3, timeout: .seconds(20))
    configure(&configuration)
    let waits = waits
    let waiting = Waiting(sleep: { waits.add("\($0)") }, jitter: { 1 }, now: { dayEnd + 600 })
    let log = log
    let logger = Logger(label: "test") { _ in RecordingLog(lines: log) }
    return try Stripe(configuration, waiting: waiting, logger: logger)
  }

  /// Pulls the day that ends at `end`, ten minutes after it unless said otherwise.
  func pull(end: Int64 = dayEnd, now: Int64? = nil, open: [String: [String]] = [:]) async throws -> PullOutcome {
    let known = known.withLock { $0 }
    let order = PullOrder(
      rangeFrom: end - day, rangeTo: end, now: now ?? end + 600, open: open, isKnown: { known.contains("\($0) \($1)") })
    return try await provider().pull(order, into: landing)
  }

  /// Counts everything that has landed so far as known, as a store would.
  func learn() throws {
    var ids: Set<String> = []
    for stream in StripeStream.allCases {
      for id in try self.ids(stream) { ids.insert("\(stream.rawValue) \(id)") }
    }
    known.withLock { $0 = ids }
  }

  /// The landed lines of a stream, of all pulls, in reading order.
  func lines(_ stream: StripeStream) throws -> [String] {
    var lines: [String] = []
    for manifest in try landing.manifests() where manifest.stream == stream.rawValue {
      try landing.read(manifest) { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  /// The ids of the landed lines; of a payout's line the payout's.
  func ids(_ stream: StripeStream) throws -> [String] {
    let parser = JSONParser()
    return try lines(stream).map { line in
      try parser.parse(Array(line.utf8)) {
        ($0.member(named: "payout").flatMap { try? $0.string() }) ?? (try? $0["id"].string()) ?? ""
      }
    }
  }

  /// The newest manifest of a stream.
  func manifest(_ stream: StripeStream) throws -> Manifest? {
    try landing.manifests().last { $0.stream == stream.rawValue }
  }

  /// The paths asked so far.
  var paths: [String] { server.asked.map(\.path) }

  /// Every byte that a secret could have got into: files, log, outcome.
  func everything(_ outcome: PullOutcome) throws -> String {
    var text = log.all.joined(separator: "\n") + "\(outcome)"
    for name in FileManager.default.enumerator(atPath: landing.directory)?.compactMap({ $0 as? String }) ?? [] {
      if let bytes = FileManager.default.contents(atPath: landing.directory + "/" + name) {
        text += String(decoding: bytes, as: UTF8.self)
      }
    }
    for stream in StripeStream.allCases { text += try lines(stream).joined(separator: "\n") }
    return text
  }
}

extension PullOutcome {
  /// How a stream went.
  func of(_ stream: StripeStream) -> StreamOutcome? { streams.first { $0.stream == stream.rawValue } }

  /// The streams that are not complete.
  var incomplete: [String] { streams.filter { !$0.isComplete }.map(\.stream).sorted() }
}

/// Lines that were said.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A log that keeps what it is reported.
struct RecordingLog: LogHandler {
  let lines: LogLines
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .trace

  init(lines: LogLines) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.add("\(event.message)") }
}
