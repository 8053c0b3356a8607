import Landing

/// What earlier pulls of an API landed, as far as the next window depends on it.
struct PullHistory<Stream: RawRepresentable & Hashable & Sendable>: Sendable where Stream.RawValue == String {
  /// By stream: the published pulls, in reading order.
  private var pulls: [Stream: [Manifest]] = [:]

  /// Takes the provider's manifests out of all manifests.
  init(_ manifests: [Manifest], provider: String) {
    for manifest in manifests where manifest.provider == provider {
      if let stream = Stream(rawValue: manifest.stream) { pulls[stream, default: []].append(manifest) }
    }
  }

  /// The pulls of a stream, complete or not.
  func all(_ stream: Stream) -> [Manifest] { pulls[stream] ?? [] }

  func complete(_ stream: Stream) -> [Manifest] { all(stream).filter(\.complete) }

  /// Where a pull begins that reads a stream far back, at most as far as coverage reaches; nil if a pull of the last
  /// week did so.
  ///
  /// - Parameter depth: how far back, seconds.
  func deepRead(of stream: Stream, at now: Int64, depth: Int64) -> Int64? {
    let earlier = complete(stream)
    guard let oldest = earlier.map(\.pull.coversFrom).min() else { return nil }
    let isRead = earlier.contains {
      $0.pull.windowTo > now - 7 * 86_400 && $0.pull.windowFrom <= max(oldest, $0.pull.windowTo - depth)
    }
    return isRead ? nil : max(oldest, now - depth)
  }
}
