import Foundation
import JSON
import Landing
import Marketplace
import Payments
import Providers
import Reconciliation
import Settings
import TestSupport
import Testing

/// A stream of the landing zone with some of its lines.
struct LandedStream {
  let provider: String
  let name: String
  let pull: StreamPull
  let observedAt: Int64
  var lines: [[UInt8]]
}

/// A market over every provider whose first night has run.
struct LandedMarket {
  let night: MarketNight
  let folder: String
  var now: Int64 { night.servers.market.plan.endsAt + 3600 }
  private var landing: Landing { Landing(directory: folder + "/landing") }

  /// Up to a hundred lines of each stream, from its newest file.
  func streams() throws -> [LandedStream] {
    var streams: [String: LandedStream] = [:]
    for manifest in try landing.manifests() where manifest.objects > 0 {
      var lines: [[UInt8]] = []
      try landing.read(manifest) { bytes, _ in if lines.count < 100 { lines.append(Array(bytes)) } }
      streams["\(manifest.provider)/\(manifest.stream)"] = LandedStream(
        provider: manifest.provider, name: manifest.stream, pull: manifest.pull, observedAt: manifest.observedAt,
        lines: lines)
    }
    return streams.sorted { $0.key < $1.key }.map(\.value)
  }

  /// A reader of each provider.
  func readers() throws -> [String: any RecordReader] {
    let settings = try Settings.load("\(folder)/crossfoot.yml", providerKinds: ProviderList.kinds)
    return Dictionary(
      uniqueKeysWithValues: try settings.providers.map(ProviderList.make).map { ($0.name, $0.makeReader()) })
  }

  /// Lands lines as a further pull of their stream.
  func land(_ lines: [[UInt8]], as stream: LandedStream) throws {
    let writer = try landing.open(stream.pull, observedAt: stream.observedAt + 1)
    for line in lines { try writer.append(line: line) }
    _ = try writer.finish(complete: true)
  }

  /// Whether a cell of amounts or moments is one that the limits allow: a thousand times the largest amount for sums.
  /// Ids may be any text.
  private static func isWithinLimits(_ column: String, _ cell: String) -> Bool {
    if column.hasSuffix("_at") { return cell.isEmpty || cell.hasPrefix("20") }
    guard amounts.contains(column) || column.hasSuffix("_net") else { return true }
    return cell.filter(\.isNumber).count <= 19 && cell.allSatisfy { $0.isNumber || "-.".contains($0) }
  }

  private static let amounts: Set<String> = [
    "amount", "gross", "refunded", "disputed", "transferred", "transfer_reversed", "application_fee",
    "application_fee_refunded",
    "provider_fee", "presentment_amount", "expected", "actual", "difference", "captured", "order_total",
    "order_refunded", "tender",
    "entries_total",
  ]

  /// Runs the night once more: it publishes, and says that something was refused; of what was refused nothing is
  /// published elsewhere.
  func expectNight(_ words: String, pulls: Bool = false, spoil: (String) throws -> Void = { _ in }) async throws {
    var night = night
    night.pulls = pulls
    let report = try await night.report(attempts: 2, spoil: spoil)
    let place = try #require(report.summary.location, "\(words)")
    for name in try FileManager.default.contentsOfDirectory(atPath: place) where name.hasSuffix(".csv") {
      for row in try CSVTable("\(place)/\(name)").rows {
        for (column, cell) in row where !Self.isWithinLimits(column, cell) {
          Issue.record("\(words): \(name) has \(column) \(cell)")
        }
      }
    }
    guard !words.hasPrefix("a thousand") else { return }
    #expect(report.verdict == .incomplete, "\(words): \(report.verdict)")
    let quarantined = try CSVTable("\(place)/quarantine.csv").rows
    #expect(quarantined.count > 10, "\(words): \(quarantined.count) in quarantine")
    // A landed refusal says itself where it was and why; changed ones may say nothing.
    let placed = quarantined.count { !($0["location"] ?? "").isEmpty && !($0["reason"] ?? "").isEmpty }
    #expect(placed * 10 >= quarantined.count * 9, "\(words): \(placed) of \(quarantined.count)")
  }
}

/// Serves a small market over every provider, runs its first night, and hands it over.
func withLandedMarket(_ engine: TestStore = .sqlite, _ body: (LandedMarket) async throws -> Void) async throws {
  let market = try Market.generate(MarketPlan(seed: 5, accounts: AccountPlan.all, orders: 80, faults: 20))
  let servers = try await MarketServers.start(market)
  defer { Task { await servers.stop() } }
  try await withStoryStore(engine) { folder, url in
    let night = MarketNight(servers: servers, night: 1, folder: folder, storeURL: url)
    _ = try await night.report()
    try await body(LandedMarket(night: night, folder: folder))
  }
}

/// Takes everything and keeps nothing.
final class SilentSink: RecordSink {
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
  func add(_ net: SettledNet) {}
  func add(_ key: Credential) {}
}
