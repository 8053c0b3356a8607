import Foundation
import Settings
import TestSupport
import Testing

@testable import Alerts

@Suite("Alerts to receivers")
struct DeliveryTests {
  @Test("Three reruns of a night: each channel is alerted once, the verdict first")
  func reruns() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { _ in .json("{}") }
    let entries = try scene.entries(
      "  - {kind: slack, url: '\(server.baseURL)/services/T1/B1/verysecretpart'}\n  - {kind: webhook, url: "
        + "'\(server.baseURL)/hook', secret: shared-secret}"
    )
    for _ in 1...3 { #expect(await scene.dispatcher(entries).send(.night()) == []) }
    #expect(server.asked.map(\.path) == ["/services/T1/B1/verysecretpart", "/hook"])
    #expect(server.asked[0].body.contains("Crossfoot 2026-03-01: discrepancies; 2 new"))
    #expect(
      !scene.log.contains("verysecretpart") && !scene.log.contains("shared-secret") && !scene.log.contains("Jenny"))
    #expect(
      await scene.dispatcher(entries).send(
        .night([.duplicate.with(state: "persisting"), .late.with(state: "resolved")], day: 2)) == [])
    #expect(server.asked.count == 4 && server.asked[3].body.contains("\"change\":\"resolved\""))
  }

  @Test("429 with Retry-After, then 500, then fine: one message, one key, and the wait that was asked for")
  func patience() async throws {
    let scene = try Scene()
    let waits = Waits()
    let replies = Replies([.whole(429, headers: ["Retry-After": "7"], body: ""), .json("no", status: 500), .json("{}")])
    let server = try await LoopbackServer { _ in replies.next() }
    let entries = try scene.entries("  - {kind: webhook, url: '\(server.baseURL)/hook'}")
    #expect(await scene.dispatcher(entries, waits: waits).send(.night()) == [])
    #expect(server.asked.count == 3 && Set(server.asked.map(\.body)).count == 1)
    #expect(Set(server.asked.map { $0.headers["idempotency-key"] }).count == 1)
    #expect(waits.all.first == .seconds(7))
  }

  @Test("A receiver that is down is reported by the next run, once, and no sentence repeats its address")
  func down() async throws {
    let scene = try Scene()
    let closed = try ClosedPort()
    let entries = try scene.entries(
      "  - {kind: slack, url: '\(closed.baseURL)/services/T1/B1/verysecretpart', retry: {attempts: 2}}")
    let warnings = await scene.dispatcher(entries).send(.night())
    #expect(
      warnings.count == 1 && warnings[0].contains("could not be reached in 2 attempts")
        && !warnings[0].contains("verysecret"))
    #expect(scene.log.contains("\"outcome\":\"failed\""))
    #expect(
      DeliveryHistory(try AlertLog(landing: scene.folder).read().lines, channel: AlertFilter(entry: entries[0]).name)
        .unanswered
        .isEmpty)
  }

  @Test(
    "Over TLS with an authority of one's own; without it nothing is sent, and the next run sends it once"
  )
  func secured() async throws {
    let scene = try Scene()
    let server = try WebServer(scene, "tls")
    let distrustful = await scene.dispatcher(try server.entry(scene, isTrusted: false)).send(.night())
    #expect(
      distrustful.count == 1 && distrustful[0].contains("is not trusted")
        && distrustful[0].contains("check url and ca_file"), "\(distrustful)")
    #expect(server.read("body-1.txt") == nil)
    for _ in 1...3 { #expect(await scene.dispatcher(try server.entry(scene)).send(.night()) == []) }
    #expect(server.read("body-1.txt")?.contains("2 new") == true && server.read("body-2.txt") == nil)

    let other = try Scene()
    let refusing = try WebServer(other, "refusing")
    let warnings = await other.dispatcher(try refusing.entry(other)).send(.night())
    #expect(
      warnings.count == 1 && warnings[0].contains("could not be reached in 2 attempts")
        && !warnings[0].contains("verysecret"), "\(warnings)")
    #expect(
      refusing.connections == 2 && refusing.read("body-1.txt") == nil && other.log.contains("\"outcome\":\"failed\""))
  }

  @Test("A refusal is reported by the next run, with whatever is new by then, in one message")
  func refused() async throws {
    let scene = try Scene()
    let replies = Replies([.json("{\"error\":\"no such /services/T1/B1/verysecretpart\"}", status: 404), .json("{}")])
    let server = try await LoopbackServer { _ in replies.next() }
    let entries = try scene.entries("  - {kind: slack, url: '\(server.baseURL)/services/T1/B1/verysecretpart'}")
    let warnings = await scene.dispatcher(entries).send(.night([.duplicate]))
    #expect(warnings.count == 1 && warnings[0].contains("status 404") && !warnings[0].contains("verysecret"))
    #expect(await scene.dispatcher(entries).send(.night()) == [])
    #expect(server.asked.count == 2 && server.asked[1].body.contains("2 new"))
  }

  @Test("A slow receiver's answer is lost: the same message goes again under the same key, and then what is new")
  func slow() async throws {
    let scene = try Scene()
    let replies = Replies([.silence, .json("{}")])
    let server = try await LoopbackServer { _ in replies.next() }
    let entries = try scene.entries("  - {kind: webhook, url: '\(server.baseURL)/hook', retry: {attempts: 1}}")
    let warnings = await scene.dispatcher(entries, timeout: .seconds(10)).send(.night([.duplicate]))
    #expect(warnings.count == 1 && warnings[0].contains("without an answer"))
    for _ in 1...2 { #expect(await scene.dispatcher(entries).send(.night()) == []) }
    #expect(server.asked.count == 3)
    #expect(
      server.asked[0].body == server.asked[1].body
        && server.asked[0].headers["idempotency-key"] == server.asked[1].headers["idempotency-key"])
    #expect(server.asked[2].body.contains("d_02") && !server.asked[2].body.contains("d_01"))
  }

  @Test("A crash between two channels: the first is not alerted again, the second is")
  func crash() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { _ in .json("{}") }
    let entries = try scene.entries(
      "  - {kind: webhook, url: '\(server.baseURL)/one'}\n  - {kind: webhook, url: '\(server.baseURL)/two'}")
    #expect(await scene.dispatcher([entries[0]]).send(.night()) == [])
    // The program ended while the second message was on its way: the log has it as leaving.
    let log = AlertLog(landing: scene.folder)
    let filter = AlertFilter(entry: entries[1])
    let changes = filter.changes(.night(), history: DeliveryHistory([], channel: filter.name))
    try log.append(
      AlertLine(
        at: "2026-03-02T00:00:00Z", channel: filter.name, key: "0123456789abcdef", outcome: .sending,
        rangeEnd: RunOutcome.night().rangeEnd,
        changes: changes, digest: Digest(.night(), changes)))
    for _ in 1...3 { #expect(await scene.dispatcher(entries).send(.night()) == []) }
    #expect(server.asked.map(\.path) == ["/one", "/two"])
    #expect(server.asked[1].headers["idempotency-key"] == "0123456789abcdef")
  }

  @Test("An incomplete run is reported although nothing else is wrong; that it is whole now, too; a quiet night is not")
  func incomplete() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { _ in .json("{}") }
    let entries = try scene.entries(
      "  - {kind: webhook, url: '\(server.baseURL)/hook', minimum_severity: critical, provider: paypal}")
    for _ in 1...2 {
      _ = await scene.dispatcher(entries).send(
        .night(
          [], outcome: .incomplete,
          reasons: [
            "stripe/refunds: status 500"
          ]))
    }
    for _ in 1...2 { _ = await scene.dispatcher(entries).send(.night([], outcome: .clean)) }
    _ = await scene.dispatcher(entries).send(.night([], outcome: .clean, day: 2))
    for _ in 1...2 {
      _ = await scene.dispatcher(entries).send(
        .night([], outcome: .nothingPublished(status: 77), day: 3, reasons: ["stripe: refused"]))
    }
    #expect(server.asked.count == 3)
    #expect(server.asked[0].body.contains("incomplete") && server.asked[0].body.contains("stripe/refunds: status 500"))
    #expect(server.asked[1].body.contains("clean, complete again"))
    #expect(server.asked[2].body.contains("nothing published (exit status 77)"))
  }

  @Test("A preview says what would go, and neither sends nor writes")
  func preview() async throws {
    let scene = try Scene()
    let entries = try scene.entries("  - {kind: slack, url: 'https://hooks.slack.com/services/T1/B1/verysecretpart'}")
    let text = scene.dispatcher(entries).preview(.night()).joined()
    #expect(text.contains("critical duplicate_payment") && !text.contains("verysecret") && scene.log.isEmpty)
  }

  @Test("A damaged line of the log is named and passed over")
  func damaged() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { _ in .json("{}") }
    let entries = try scene.entries("  - {kind: webhook, url: '\(server.baseURL)/hook'}")
    try Data("{\"at\": \"20\n{\"at".utf8).write(to: URL(fileURLWithPath: scene.folder + "/alerts.jsonl"))
    let told = await scene.dispatcher(entries).send(.night())
    #expect(
      told == [
        "alerts.jsonl:2: a crash cut this line short before it counted; it was cut off",
        "alerts.jsonl:1: it is not JSON; its alerts may be repeated",
      ])
    #expect(await scene.dispatcher(entries).send(.night()).count == 1 && server.asked.count == 1)
  }
}
