import Landing

/// The window that a pull requests, Unix seconds, and what it may claim afterwards.
struct AfterpayWindow: Sendable, Equatable {
  var from: Int64
  /// Asked for inclusively.
  var to: Int64
  var coversFrom: Int64
  var watermark: Int64
}

extension Afterpay {
  /// The window: from the start of the range, or from the end of the last complete pull if that is earlier, to now;
  /// nothing is claimed for the look-back before it.
  func window(_ order: PullOrder, _ landing: Landing) -> AfterpayWindow {
    let history = PullHistory<AfterpayStream>((try? landing.listing().manifests) ?? [], provider: name)
    let known = history.complete(.payments).map(\.pull.windowTo).max()
    let coversFrom = min(order.rangeFrom, known ?? order.rangeFrom)
    return AfterpayWindow(
      from: coversFrom - configuration.lookBack, to: order.now, coversFrom: coversFrom,
      watermark: min(order.rangeTo, order.now - configuration.lag))
  }
}
