import Landing

/// The window a pull asks for, and what it may claim afterwards; Unix seconds, half-open.
struct StripeWindow: Sendable, Equatable {
  var from: Int64
  var to: Int64
  /// Where the claim begins: the look-back before it claims nothing.
  var coversFrom: Int64
  /// What is known completely if the pull completes.
  var watermark: Int64
  /// Whether a stream lags behind the others, so that what earlier pulls knew must be followed again.
  var isRepair = false
}

/// What earlier pulls of this provider brought, as far as the next window depends on it.
struct StripeHistory: Sendable {
  /// By stream: the published pulls, in reading order.
  private var pulls: [StripeStream: [Manifest]] = [:]

  /// The provider's manifests among all.
  init(_ manifests: [Manifest], provider: String) {
    for manifest in manifests where manifest.provider == provider {
      if let stream = StripeStream(rawValue: manifest.stream) { pulls[stream, default: []].append(manifest) }
    }
  }

  private func complete(_ stream: StripeStream) -> [Manifest] { (pulls[stream] ?? []).filter(\.complete) }

  /// Up to where a stream was pulled without a gap: its complete pulls' furthest end, else where its failed pulls
  /// should have begun.
  ///
  /// A stream without any pull, while others have some, begins where the others' last pull did: it was interrupted
  /// before it began.
  func frontier(of stream: StripeStream, among streams: [StripeStream]) -> Int64? {
    if let end = complete(stream).map(\.pull.windowTo).max() { return end }
    if let begin = pulls[stream]?.map(\.pull.coversFrom).min() { return begin }
    let last = streams.flatMap { complete($0) }.max { $0.pull.windowTo < $1.pull.windowTo }
    return last?.pull.coversFrom
  }

  /// Whether the stream's last pull did not come to its end.
  func isBehind(_ stream: StripeStream, among streams: [StripeStream]) -> Bool {
    let furthest = streams.compactMap { frontier(of: $0, among: streams) }.max()
    return frontier(of: stream, among: streams) != furthest
  }

  /// The watermark up to which all these streams are known.
  func watermark(of streams: [StripeStream]) -> Int64? {
    let each = streams.map { complete($0).map(\.pull.watermark).max() }
    return each.contains(nil) ? nil : each.compactMap { $0 }.min()
  }

  /// Where a pull begins that reads the ledger 45 days back, or as far as coverage reaches; nil where one of the last
  /// week did.
  func deepRead(at now: Int64) -> Int64? {
    let ledger = complete(.balanceTransactions)
    guard let oldest = ledger.map(\.pull.coversFrom).min() else { return nil }
    let isRead = ledger.contains { earlier in
      earlier.pull.windowTo > now - Self.week
        && earlier.pull.windowFrom <= max(oldest, earlier.pull.windowTo - Self.deep)
    }
    return isRead ? nil : max(oldest, now - Self.deep)
  }

  static let week: Int64 = 7 * 86_400
  static let deep: Int64 = 45 * 86_400
}

extension StripeWindow {
  /// The window for a reported range (docs/providers/stripe.md section 1.2).
  ///
  /// Routine: from the range's first instant, or where the streams' last pull ended if that is earlier, less the
  /// look-back, to now; once a week 45 days back, as far as coverage reaches. An older range run again: that range,
  /// with the look-back before it.
  init(
    rangeFrom: Int64, rangeTo: Int64, now: Int64, lag: Int64, lookBack: Int64, history: StripeHistory,
    streams: [StripeStream]
  ) {
    watermark = min(rangeTo, now - lag)
    if let known = history.watermark(of: streams), rangeTo < known {
      (coversFrom, from, to) = (rangeFrom, rangeFrom - lookBack, min(rangeTo, now))
      return
    }
    let frontiers = streams.compactMap { history.frontier(of: $0, among: streams) }
    coversFrom = min(rangeFrom, frontiers.min() ?? rangeFrom)
    isRepair = frontiers.min() != frontiers.max()
    from = coversFrom - lookBack
    to = now
    if let start = history.deepRead(at: now) { from = min(from, start) }
  }
}
