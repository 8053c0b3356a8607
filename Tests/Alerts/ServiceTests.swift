import Foundation
import Settings
import TestSupport
import Testing

@testable import Alerts

@Suite("Alerts to services with a message format of their own")
struct ServiceTests {
  @Test("PagerDuty: an incident is triggered, and resolved once nothing is open; each message once")
  func pagerDuty() async throws {
    let scene = try Scene()
    // Answers as the Events API v2 documents them.
    let server = try await LoopbackServer { asked in
      guard asked.body.contains("\"routing_key\":\"R0UT1NG\"") else {
        return .json(
          #"""
          {"status":"invalid event","message":"Event object is invalid","errors":["'routing_key' is missing or blank"]}
          """#,
          status: 400)
      }
      return .json(#"{"status":"success","message":"Event processed","dedup_key":"crossfoot"}"#, status: 202)
    }
    let entries = try scene.entries(
      "  - {kind: webhook, url: '\(server.baseURL)/v2/enqueue', template: pagerduty, secret: R0UT1NG}")
    for _ in 1...2 { #expect(await scene.dispatcher(entries).send(.linked()) == []) }
    let resolved = RunOutcome.linked([.duplicate.with(state: "resolved"), .late.with(state: "resolved")], day: 2)
    #expect(await scene.dispatcher(entries).send(resolved) == [])
    let sent = try server.asked.map { try Self.json($0.body) }
    #expect(sent.count == 2 && sent.map { $0["event_action"] as? String } == ["trigger", "resolve"])
    #expect(sent[0]["dedup_key"] as? String == sent[1]["dedup_key"] as? String && sent[1]["payload"] == nil)
    let payload = try #require(sent[0]["payload"] as? [String: Any])
    #expect(payload["severity"] as? String == "critical" && payload["source"] as? String == "crossfoot")
    #expect((payload["summary"] as? String)?.hasPrefix("Crossfoot 2026-03-01: discrepancies; 2 new") == true)
    let links = try #require(sent[0]["links"] as? [[String: String]])
    #expect(links == [["href": "https://reports.example.com/2026-03-01", "text": "Report"]])
    #expect(!scene.log.contains("R0UT1NG"))
  }

  @Test(
    "PagerDuty: a wrong key is reported without repeating it, and without an address for the report there is no link")
  func refused() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { asked in
      .json("{\"status\":\"invalid event\",\"errors\":[\"no R0UT1NG\"]}", status: 400)
    }
    let entries = try scene.entries(
      "  - {kind: webhook, url: '\(server.baseURL)/v2/enqueue', template: pagerduty, secret: R0UT1NG}")
    let warnings = await scene.dispatcher(entries).send(.night())
    #expect(
      warnings.count == 1 && warnings[0].contains("status 400") && !warnings[0].contains("R0UT1NG"), "\(warnings)")
    #expect(try Self.json(server.asked[0].body)["links"] == nil)
  }

  @Test("Opsgenie: an alert with its alias and priority, closed by that alias, the key in the header alone")
  func opsgenie() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { asked in
      guard asked.headers["authorization"] == "GenieKey 0p5" else {
        return .json(#"{"message":"Could not authenticate"}"#, status: 401)
      }
      return .json(#"{"result":"Request will be processed","took":0.302,"requestId":"43a29c5c"}"#, status: 202)
    }
    let entries = try scene.entries(
      "  - {kind: webhook, url: '\(server.baseURL)/v2/alerts', template: opsgenie, secret: 0p5}")
    #expect(await scene.dispatcher(entries).send(.linked()) == [])
    #expect(
      await scene.dispatcher(entries).send(
        .linked([.duplicate.with(state: "resolved"), .late.with(state: "resolved")], day: 2)) == [])
    let opened = try Self.json(server.asked[0].body)
    let alias = try #require(opened["alias"] as? String)
    #expect(
      server.asked[0].path == "/v2/alerts" && opened["priority"] as? String == "P1"
        && (opened["message"] as? String ?? "").count <= 130)
    #expect((opened["details"] as? [String: String])?["report"] == "https://reports.example.com/2026-03-01")
    #expect(server.asked[1].path == "/v2/alerts/\(alias)/close" && server.asked[1]["identifierType"] == "alias")
    #expect(!server.asked.contains { $0.body.contains("0p5") })
  }

  @Test("Teams: an adaptive card, a block for each line, and no text of a record is markup")
  func teams() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { _ in .whole(202, headers: [:], body: "") }
    let entries = try scene.entries("  - {kind: webhook, url: '\(server.baseURL)/workflows/1', template: teams}")
    #expect(await scene.dispatcher(entries).send(.linked()) == [])
    let message = try Self.json(server.asked[0].body)
    let attachment = try #require((message["attachments"] as? [[String: Any]])?.first)
    #expect(
      message["type"] as? String == "message"
        && attachment["contentType"] as? String == "application/vnd.microsoft.card.adaptive")
    let card = try #require(attachment["content"] as? [String: Any])
    let blocks = try #require(card["body"] as? [[String: Any]])
    #expect(blocks.count > 4 && blocks.allSatisfy { $0["type"] as? String == "RichTextBlock" && $0["repeat"] == nil })
    let runs = blocks.compactMap { ($0["inlines"] as? [[String: Any]])?.first?["text"] as? String }
    #expect(runs.contains { $0.contains("order o-1 <b>&") } && Set(runs).count > 4)
    #expect((card["actions"] as? [[String: String]])?.first?["url"] == "https://reports.example.com/2026-03-01")
    #expect(await scene.dispatcher(entries).send(.night(day: 2, reasons: ["x"])) == [])
  }

  @Test("A template of the team's own fills in its names as values, never as JSON")
  func own() async throws {
    let scene = try Scene()
    try Data(
      #"""
      {"headers": {"X-Key": "{secret}"}, "open": {"body": {"t": "{headline|20}", "s": "{severity|critical=page|\#
      high=mail}", "n": 3, "u": "{url}"}}}
      """#
      .utf8
    ).write(to: URL(fileURLWithPath: scene.folder + "/ours.json"))
    let server = try await LoopbackServer { _ in .json("{}") }
    let entries = try scene.entries("  - {kind: webhook, url: '\(server.baseURL)/x', template: ours.json, secret: k}")
    #expect(await scene.dispatcher(entries).send(.night()) == [])
    #expect(server.asked.first?.headers["x-key"] == "k")
    #expect(server.asked.first?.body == #"{"n":3,"s":"page","t":"Crossfoot 2026-03-0…"}"#)
  }

  @Test("A template that cannot be used is refused with what is wrong", arguments: mistakes)
  func mistake(text: String?, words: String) throws {
    let scene = try Scene()
    if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: scene.folder + "/ours.json")) }
    let error = #expect(throws: SettingsError.self) {
      try scene.entries("  - {kind: webhook, url: 'https://example.com/x', template: ours.json}")
    }
    #expect(error?.description.contains("alerts[0].template: \(words)") == true, "\(error?.description ?? "")")
  }

  static let mistakes: [(String?, String)] = [
    (nil, "expected one of opsgenie, pagerduty, teams, or a file with JSON"), ("{", "the file is not JSON"),
    (#"{"body": {}}"#, "the file is not JSON with the message's body under open.body"),
    (#"{"open": {"body": {"text": "{headlin}"}}}"#, "nothing is called {headlin}"),
  ]

  private static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}

extension RunOutcome {
  /// The night of `night`, with an address at which people open the report.
  fileprivate static func linked(_ discrepancies: [Discrepancy] = [.duplicate, .late], day: Int = 1) -> RunOutcome {
    let isOpen = discrepancies.contains { $0.state == "new" }
    var run = RunOutcome.night(discrepancies, outcome: isOpen ? .discrepancies : .clean, day: day)
    run.reports = "https://reports.example.com/2026-03-0\(day)"
    return run
  }
}
