import TestSupport
import Testing

@testable import crossfoot

/// What people see in the terminal; ids come from providers and shops.
@Suite("The terminal", .onItsOwnThread) struct TerminalTests {
  @Test(arguments: [
    ("order 1001\n", "order 1001\n"), ("Zürich \u{1F600}", "Zürich \u{1F600}"), ("a\tb", "a\tb"),
    ("\u{202E}1001", "\u{FFFD}1001"), ("\u{1B}[2Jgone", "\u{FFFD}[2Jgone"), ("a\rb\u{7}", "a\u{FFFD}b\u{FFFD}"),
  ]) func `characters that move the cursor or turn the writing are replaced`(text: String, shown: String) {
    #expect(Terminal.harmless(text) == shown)
  }
}
