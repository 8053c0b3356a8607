/// A key, password or other text that must never reach a log, an error, a report or the store.
///
/// Printing, interpolating and dumping it gives `<secret>`; only ``revealed`` gives the text, where it is used to
/// authenticate.
package struct Secret: Sendable, Equatable {
  /// The text itself: pass it to the connection that needs it, to nothing else.
  package let revealed: String

  /// Wraps a text that must not be displayed.
  package init(_ text: String) {
    revealed = text
  }

  /// Whether there is no text at all.
  package var isEmpty: Bool { revealed.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
