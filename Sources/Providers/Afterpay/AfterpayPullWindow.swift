import Landing

/// The window a pull asks for, Unix seconds, and what it may claim afterwards.
struct AfterpayWindow: Sendable, Equatable {
  var from: Int64
  /// Asked for inclusively.
  var to: Int64
  var coversFrom: Int64
  var watermark: Int64
}

extension Afterpay {
  /// The window: from the range, or where the last complete pull ended if that is earlier, to now; the look-back before
  /// it claims nothing.
  func window(_ order: PullOrder, _ landing: Landing) -> AfterpayWindow {
    let history = PullHistory<AfterpayStream>((try? landing.listing().manifests) ?? [], provider: name)
    let known = history.complete(.payments).map(\.pull.windowTo).max()
    let coversFrom = min(order.rangeFrom, known ?? order.rangeFrom)
    return AfterpayWindow(
      from: coversFrom - configuration.lookBack, to: order.now, coversFrom: coversFrom,
      watermark: min(order.rangeTo, order.now - configuration.lag))
  }
}
