import Synchronization

/// Something that is on or off, turned by the test and read by the server.
final class Switch: Sendable {
  private let state = Mutex(false)
  var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
