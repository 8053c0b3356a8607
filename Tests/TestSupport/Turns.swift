/// Lets so many bodies run at a time; the others wait for their turn, in the order in which they came.
///
/// The library starts every case of a test at once. Hundreds of them on few cores answer none of each other's requests
/// in time.
package actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter count: at least 1.
  package init(_ count: Int) { free = max(1, count) }

  package nonisolated func take<R>(_ body: () async throws -> R) async rethrows -> R {
    await begin()
    do {
      let result = try await body()
      await end()
      return result
    } catch {
      await end()
      throw error
    }
  }

  private func begin() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func end() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
