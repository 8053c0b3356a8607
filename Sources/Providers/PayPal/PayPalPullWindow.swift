import Landing

/// The window that a pull requests; Unix seconds, half-open although PayPal's own ends are inclusive.
struct PayPalWindow: Sendable, Equatable {
  var from: Int64
  var to: Int64
  /// Where the claim begins: nothing is claimed for the look-back before it.
  var coversFrom: Int64
  /// Where PayPal's own history begins, if that is within the range or after it: earlier records cannot be read.
  var historyBegins: Int64?

  /// Once a week rows are read this far back: corrections can come late.
  static let deep: Int64 = 35 * 86_400
  /// PayPal keeps rows for three years.
  static let history: Int64 = 3 * 365 * 86_400
  /// The longest span of one request (docs/providers/paypal.md section 1).
  static let longest: Int64 = 31 * 86_400

  /// The window for a reported range.
  ///
  /// Routine: from the start of the range, or from the end of what is known if that is earlier, less the look-back, to
  /// now; once a week 35 days back, as far as coverage reaches. An older range run again: that range, with the
  /// look-back before it.
  ///
  /// - Parameters:
  ///   - now: where the window ends; for a resumed pull, where it ended originally.
  ///   - clock: the time of the request, three years before which PayPal's history begins; `now` unless given.
  init(rangeFrom: Int64, rangeTo: Int64, now: Int64, clock: Int64? = nil, lookBack: Int64, history: PayPalHistory) {
    let oldest = (clock ?? now) - Self.history
    if rangeFrom < oldest { historyBegins = oldest }
    if rangeTo <= oldest {
      (coversFrom, from, to) = (rangeTo, rangeTo, rangeTo)
      return
    }
    if let known = history.knownUntil(.reporting), rangeTo < known {
      (coversFrom, from, to) = (max(rangeFrom, oldest), max(rangeFrom - lookBack, oldest), min(rangeTo, now))
      return
    }
    // Requests by id follow from the rows: a stream that fails for weeks must not make the window grow without end.
    let named = [PayPalStream.inFlight, .orders, .captures, .refunds, .authorizations].compactMap {
      history.frontier(of: $0)
    }
    let behind = named.min().map { max($0, rangeFrom - Self.deep) }
    coversFrom = max(min(rangeFrom, history.frontier(of: .reporting) ?? rangeFrom, behind ?? rangeFrom), oldest)
    from = coversFrom - lookBack
    to = now
    if let start = history.deepRead(of: .reporting, at: now, depth: Self.deep) { from = min(from, start) }
    from = max(from, oldest)
  }

  /// The window split into spans that one request may cover, first to last; from a later instant on, if an interrupted
  /// pull got that far.
  func pieces(from start: Int64? = nil) -> [PayPalPiece] {
    stride(from: max(from, start ?? from), to: to, by: Int(Self.longest)).map {
      PayPalPiece(from: $0, to: min($0 + Self.longest, to))
    }
  }
}

/// A part of a window that is requested at once.
struct PayPalPiece: Sendable, Equatable {
  var from: Int64
  var to: Int64

  /// Seconds.
  var length: Int64 { to - from }

  /// Both halves, which share the instant where they meet: PayPal's ends are inclusive, and a row of that instant is
  /// landed once. A single second with too many rows is requested on its own; nil when this is one already.
  var halves: [PayPalPiece]? {
    if length > 1 {
      return [PayPalPiece(from: from, to: from + length / 2), PayPalPiece(from: from + length / 2, to: to)]
    }
    return length == 1 ? [PayPalPiece(from: from, to: from), PayPalPiece(from: to, to: to)] : nil
  }
}

typealias PayPalHistory = PullHistory<PayPalStream>

extension PayPalHistory {
  /// The instant up to which a stream is known; nil when nothing of it is.
  func knownUntil(_ stream: PayPalStream) -> Int64? {
    all(stream).compactMap { $0.knownUntil ?? ($0.complete ? $0.pull.watermark : nil) }.max()
  }

  /// Whether a pull has requested the balance at the end of a range that ended there.
  func statesBalance(at moment: Int64) -> Bool {
    all(.balances).contains { $0.complete && $0.pull.rangeTo == moment }
  }

  /// Where the next pull must begin so that nothing is left out; nil for a stream that was never requested.
  func frontier(of stream: PayPalStream) -> Int64? {
    knownUntil(stream) ?? all(stream).map(\.pull.coversFrom).min()
  }
}
