import Files
import Foundation
import Landing
import Logging
import Payments

/// Brings new settlement detail reports into the landing zone, one page per file.
///
/// Afterwards everything is known up to the last booking of the last batch before the first one that is missing or
/// could not be read in full.
struct AdyenReportPull {
  let configuration: AdyenConfiguration
  let order: PullOrder
  let landing: Landing
  let logger: Logger
  private let clock: AdyenClock
  private let stream = AdyenStream.settlement

  init(configuration: AdyenConfiguration, order: PullOrder, landing: Landing, logger: Logger) {
    self.configuration = configuration
    self.order = order
    self.landing = landing
    self.logger = logger
    clock = AdyenClock(zone: TimeZone(identifier: configuration.timeZone) ?? .gmt)
  }

  private var account: String { configuration.merchantAccount ?? "" }

  /// What a pull has brought so far.
  private struct Progress {
    /// Batches read in full by now, and the last booking of those read in this pull.
    var read: [Int64: Int64?] = [:]
    /// Batches of which something was refused.
    var refused: Set<Int64> = []
    var failure: ProviderFailure?
  }

  func run(_ source: some AdyenReportSource) async -> (outcome: StreamOutcome, refusal: PullOutcome.Refusal?) {
    do {
      return try await bring(source)
    } catch {
      let sentence = (error as? ProviderFailure)?.sentence ?? "\(configuration.name) \(stream.rawValue): \(error)"
      return (StreamOutcome(stream: stream.rawValue, objects: 0, isComplete: false, reason: sentence), nil)
    }
  }

  private func bring(_ source: some AdyenReportSource) async throws -> (
    outcome: StreamOutcome, refusal: PullOutcome.Refusal?
  ) {
    var source = source
    let history = AdyenHistory(try landing.listing().manifests, provider: configuration.name, stream: stream)
    var progress = Progress()
    for delivery in history.deliveries where delivery.rows > 0 && delivery.file.isWhole {
      if let batch = delivery.batch { progress.read[batch] = .some(nil) }
    }
    // The first report determines where coverage begins, before the stream's file is opened.
    var next: AdyenDelivery?
    do { next = try await source.next(history) } catch { progress.failure = error }
    let coversFrom = coversFrom(next, history)
    let writer = try FileWriter(
      provider: configuration.name, stream: stream.rawValue, request: source.request, windowFrom: coversFrom,
      coversFrom: coversFrom, watermark: coversFrom, order, into: landing)
    while let delivery = next {
      try land(delivery, writer, &progress)
      do { next = try await source.next(history) } catch { (next, progress.failure) = (nil, error) }
    }
    return try finish(writer, progress, history, exist: source.numbers)
  }

  /// The oldest instant that any report covers, or the start of the range where that is earlier.
  private func coversFrom(_ first: AdyenDelivery?, _ history: AdyenHistory) -> Int64 {
    var oldest = min(order.rangeFrom, history.coversFrom ?? order.rangeFrom)
    if case .report(let report) = first, let survey = try? report.survey(account: account, clock: clock),
      let reported = survey.oldest
    {
      oldest = min(oldest, reported)
    }
    return oldest
  }

  private func land(_ delivery: AdyenDelivery, _ writer: FileWriter, _ progress: inout Progress) throws {
    switch delivery {
    case .stray(let refused, let sha256):
      try writer.append(line: refused.line)
      try writer.end(ImportedFile(adyen: refused.location, sha256, isRefused: true))
    case .refused(let refused, let batch, let sha256): try refuse(refused, batch, sha256, writer, &progress)
    case .report(let report):
      do {
        try land(report, try report.survey(account: account, clock: clock), writer, &progress)
      } catch let refusal as FileRefusal {
        let refused = RefusedRecord(location: report.name, reason: refusal.description)
        try refuse(refused, report.batch, report.sha256, writer, &progress)
      }
    }
  }

  /// The whole file is refused; its batch is recorded, so that it does not also count as missing.
  private func refuse(
    _ refused: RefusedRecord, _ batch: Int64?, _ sha256: String, _ writer: FileWriter, _ progress: inout Progress
  ) throws {
    var refused = refused
    refused.recordID = batch.map { "\(account)/\($0)" } ?? ""
    try writer.append(line: refused.line)
    try writer.end(ImportedFile(adyen: refused.location, sha256, isRefused: true))
    if let batch { progress.refused.insert(batch) }
  }

  private func land(
    _ report: AdyenReport, _ survey: AdyenReport.Survey, _ writer: FileWriter, _ progress: inout Progress
  ) throws {
    let trial = AdyenTrial(configuration, stream)
    var isRefused = false
    try report.lines(account: account) { line in
      switch line {
      case .success(let line):
        let refusal = try trial.refusal(of: line)
        if refusal != nil { isRefused = true }
        try writer.append(line: refusal?.line ?? line)
      case .failure(let refusal):
        isRefused = true
        try writer.append(line: refusal.line)
      }
    }
    try writer.end(ImportedFile(adyen: report.name, report.sha256, isRefused: isRefused, batch: report.batch))
    writer.skip(otherAccounts: survey.otherAccounts)
    if survey.otherAccounts > 0 {
      logger.info(
        "\(configuration.name): \(report.name): \(survey.otherAccounts) rows of other merchant accounts are not read")
    }
    if isRefused {
      progress.refused.insert(report.batch)
    } else if survey.rows > 0 {
      progress.read[report.batch] = survey.newest
    }
  }

  private func finish(
    _ writer: FileWriter, _ progress: Progress, _ history: AdyenHistory, exist: Set<Int64>
  ) throws -> (outcome: StreamOutcome, refusal: PullOutcome.Refusal?) {
    let there = Set(progress.read.keys).union(progress.refused)
    let gaps = gaps(there.union(exist), there)
    let reason = progress.failure?.sentence ?? gaps.first.map { sentence($0, gaps.count) } ?? whyNothing(there, exist)
    let knownUntil = try lastKnown(progress, before: gaps.first).flatMap { try closing(of: $0, progress, history) }
    let outcome = try writer.finish(reason: reason, knownUntil: knownUntil)
    if let reason { logger.warning("\(reason)") }
    return (outcome, progress.failure?.refusal)
  }

  /// Numbers that are missing between two existing ones.
  private func gaps(_ exist: Set<Int64>, _ there: Set<Int64>) -> [Int64] {
    guard let first = exist.min(), let last = exist.max(), last - first < 100_000 else { return [] }
    return (first...last).filter { !there.contains($0) && (exist.contains($0) ? hasLater($0, there) : true) }
  }

  /// The last report announced may not be available yet.
  private func hasLater(_ number: Int64, _ there: Set<Int64>) -> Bool { there.contains { $0 > number } }

  private func sentence(_ number: Int64, _ count: Int) -> String {
    let others = count > 1 ? " and \(count - 1) more are" : " is"
    return
      "\(configuration.name): settlement batch \(number) of \(account)\(others) missing between batches that are "
      + "there; deliver the report, or have Adyen generate it again"
  }

  /// Without a first number, no report can ever be requested.
  private func whyNothing(_ there: Set<Int64>, _ exist: Set<Int64>) -> String? {
    guard case .download = configuration.reports, there.isEmpty, exist.isEmpty, configuration.firstBatch == nil,
      configuration.webhooksDirectory == nil
    else { return nil }
    return "\(configuration.name): no settlement batch is known; set first_batch to the number of the first one to read"
  }

  /// The last batch of the gapless sequence that was read in full.
  private func lastKnown(_ progress: Progress, before gap: Int64?) -> Int64? {
    let end = min(gap ?? .max, progress.refused.min() ?? .max)
    return progress.read.keys.filter { $0 < end }.max()
  }

  /// The last booking of a batch; for one that an earlier pull landed, from the landing zone.
  private func closing(of batch: Int64, _ progress: Progress, _ history: AdyenHistory) throws -> Int64? {
    if let newest = progress.read[batch] ?? nil { return newest }
    guard let delivery = history.deliveries.last(where: { $0.batch == batch && $0.rows > 0 && $0.file.isWhole })
    else { return nil }
    let closings = AdyenClosings(clock: clock)
    try landing.read(delivery.manifest) { line, _ in closings.take(line, of: delivery.file.name) }
    return closings.newest
  }
}
