import Landing

/// The window that a pull requests, and what it may claim afterwards; Unix seconds, half-open.
struct StripeWindow: Sendable, Equatable {
  var from: Int64
  var to: Int64
  /// Where the claim begins: nothing is claimed for the look-back before it.
  var coversFrom: Int64
  /// The instant up to which everything is known if the pull completes.
  var watermark: Int64
  /// Whether a stream has fallen behind the others, so that references known to earlier pulls must be followed again.
  var isRepair = false
}

typealias StripeHistory = PullHistory<StripeStream>

extension StripeHistory {
  /// The instant up to which a stream was pulled without a gap: the furthest end of its complete pulls, else where its
  /// failed pulls should have begun.
  ///
  /// A stream without any pull, while others have some, begins where the others' last pull did: that pull was
  /// interrupted before the stream began.
  func frontier(of stream: StripeStream, among streams: [StripeStream]) -> Int64? {
    if let end = complete(stream).map(\.pull.windowTo).max() { return end }
    if let begin = all(stream).map(\.pull.coversFrom).min() { return begin }
    let last = streams.flatMap { complete($0) }.max { $0.pull.windowTo < $1.pull.windowTo }
    return last?.pull.coversFrom
  }

  /// Whether the stream's last pull did not complete.
  func isBehind(_ stream: StripeStream, among streams: [StripeStream]) -> Bool {
    let furthest = streams.compactMap { frontier(of: $0, among: streams) }.max()
    return frontier(of: stream, among: streams) != furthest
  }

  /// The watermark up to which all these streams are known.
  func watermark(of streams: [StripeStream]) -> Int64? {
    let each = streams.map { complete($0).map(\.pull.watermark).max() }
    return each.contains(nil) ? nil : each.compactMap { $0 }.min()
  }

  /// Once a week the ledger is read this far back, seconds: rows can become visible late.
  static var deep: Int64 { 45 * 86_400 }
}

extension StripeWindow {
  /// The window for a reported range (docs/providers/stripe.md section 1.2).
  ///
  /// Routine: from the start of the range, or from the end of the streams' last pull if that is earlier, less the
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
    if let start = history.deepRead(of: .balanceTransactions, at: now, depth: StripeHistory.deep) {
      from = min(from, start)
    }
  }
}
