import Synchronization

/// How many bytes of unfinished bodies are held at once, so that many endless answers together stay bounded.
final class BodyBudget: Sendable {
  /// The budget of the process, over all hosts: more than one settlement report of maximum size.
  static let shared = BodyBudget(most: 288 << 20)

  let most: Int
  private let held = Atomic<Int>(0)

  init(most: Int) { self.most = most }

  /// Whether that many more bytes may be held; if not, they are not counted.
  func take(_ count: Int) -> Bool {
    let sum = held.wrappingAdd(count, ordering: .relaxed).newValue
    if sum <= most { return true }
    give(back: count)
    return false
  }

  func give(back count: Int) { held.wrappingSubtract(count, ordering: .relaxed) }
}
