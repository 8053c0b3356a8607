/// What one pull requests from one stream of a source, and what it claims once it is complete.
///
/// All instants are Unix seconds UTC, all spans half-open.
package struct StreamPull: Sendable, Hashable, Codable {
  /// The configured name of the provider or order source.
  package var provider: String
  /// The stream, as the reader knows it, e.g. `balance_transactions`.
  package var stream: String
  /// What was requested, in words or as a URL without secrets.
  package var request: String
  /// The requested window.
  package var windowFrom: Int64
  package var windowTo: Int64
  /// Where the claim to know everything begins; the part of the window before it is only a look-back.
  package var coversFrom: Int64
  /// The instant up to which everything is known if the pull completes.
  package var watermark: Int64
  /// The reported range the pull was made for.
  package var rangeFrom: Int64
  package var rangeTo: Int64

  package init(
    provider: String, stream: String, request: String, windowFrom: Int64, windowTo: Int64, coversFrom: Int64,
    watermark: Int64,
    rangeFrom: Int64, rangeTo: Int64
  ) {
    self.provider = provider
    self.stream = stream
    self.request = request
    self.windowFrom = windowFrom
    self.windowTo = windowTo
    self.coversFrom = coversFrom
    self.watermark = watermark
    self.rangeFrom = rangeFrom
    self.rangeTo = rangeTo
  }

  private enum CodingKeys: String, CodingKey {
    case provider, stream, request, watermark
    case windowFrom = "window_from"
    case windowTo = "window_to"
    case coversFrom = "covers_from"
    case rangeFrom = "range_from"
    case rangeTo = "range_to"
  }

  /// Whether a cursor of the other pull is valid here: the same request for the same window.
  func asksTheSame(as other: StreamPull) -> Bool {
    provider == other.provider && stream == other.stream && request == other.request
      && windowFrom == other.windowFrom && windowTo == other.windowTo
  }
}
