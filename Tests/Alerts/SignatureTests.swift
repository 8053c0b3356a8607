import Foundation
import Settings
import TestSupport
import Testing

@testable import Alerts

@Suite("The webhook's signature")
struct SignatureTests {
  /// The program in docs/operations.md, word for word.
  private static func program() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let document = try String(contentsOf: root.appendingPathComponent("docs/operations.md"), encoding: .utf8)
    let alerts = try #require(document.split(separator: "## Alerts").last)
    let block = try #require(alerts.split(separator: "```python\n").dropFirst().first?.split(separator: "```").first)
    return String(block)
  }

  @Test("A dozen lines of Python in docs/operations.md verify it, and refuse another body, secret or time")
  func verified() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { _ in .json("{}") }
    let entries = try scene.entries("  - {kind: webhook, url: '\(server.baseURL)/hook', secret: shared-secret}")
    #expect(await scene.dispatcher(entries).send(.night()) == [])
    let asked = try #require(server.asked.first)
    try Data(asked.body.utf8).write(to: URL(fileURLWithPath: scene.folder + "/body"))
    let headers = ["X-Crossfoot-Timestamp", "X-Crossfoot-Signature"].map { name in
      "'\(name)': '\(asked.headers[name.lowercased()] ?? "")'"
    }
    let check = """
      \(try Self.program())
      headers = {\(headers.joined(separator: ", "))}
      body = open("\(scene.folder)/body", "rb").read()
      sent = \(asked.headers["x-crossfoot-timestamp"] ?? "0")
      assert is_ours(headers, body, b"shared-secret", now=sent + 60)
      assert not is_ours(headers, body + b" ", b"shared-secret", now=sent)
      assert not is_ours(headers, body, b"other", now=sent)
      assert not is_ours(headers, body, b"shared-secret", now=sent + 3600)
      """
    #expect(try Child(["/usr/bin/env", "python3", "-c", check]).wait() == 0)
  }
}
