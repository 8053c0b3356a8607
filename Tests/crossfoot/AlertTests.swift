import Foundation
import TestSupport
import Testing

@Suite("Alerts of a night")
struct AlertTests {
  @Test("Three runs and a kill while the second channel answers: each message arrives once, and no secret stands anywhere")
  func once() async throws {
    try await NightSite.serve(faults: 6) { site in
      let gate = Gate()
      let receiver = try await LoopbackServer { asked in await gate.answer(asked) }
      try site.configure(further: Self.alerts(receiver.baseURL))
      let killed = try await site.run { gate.victim = $0 }
      #expect(killed.status == 9)
      for _ in 1...2 {
        let ended = try await site.run()
        #expect(ended.status == 1 && !ended.errors.contains("alert"), "\(ended.errors)")
      }
      let keys = receiver.asked.map { "\($0.path) \($0.headers["idempotency-key"] ?? "")" }
      #expect(keys.count == 3 && keys[1] == keys[2], "\(keys)")
      #expect(receiver.asked[1].body == receiver.asked[2].body)
      let metrics = try site.folder.read("crossfoot.prom")
      #expect(metrics.contains("crossfoot_verdict{verdict=\"discrepancies\"} 1") && metrics.contains("crossfoot_amount{provider=\"stripe\""))
    }
  }

  @Test("Dry runs and --no-alerts print what would go; report tells nobody; refused credentials are told")
  func quiet() async throws {
    try await NightSite.serve(faults: 6) { site in
      let receiver = try await LoopbackServer { _ in .json("{}") }
      try site.configure(further: Self.alerts(receiver.baseURL))
      let shown = try await site.run("run", ["--no-alerts"])
      #expect(shown.status == 1 && shown.output.contains("would be sent to webhook-") && shown.output.contains("What to do:"))
      _ = try await site.run("run", ["--dry-run"])
      _ = try await site.run("report")
      #expect(receiver.asked.isEmpty)
      let refused = try await site.run(key: "rk_live_0000000000000000000000000000")
      #expect(refused.status == 77)
      #expect(receiver.asked.count == 2 && receiver.asked.allSatisfy { $0.body.contains("nothing published (exit status 77)") })
      let closed = try ClosedPort()
      try site.configure(further: Self.alerts(closed.baseURL))
      let down = try await site.run()
      #expect(down.status == 1 && down.errors.contains("warning: alert not sent"))
    }
  }

  private static func alerts(_ baseURL: String) -> String {
    """

    alerts:
      - {kind: webhook, url: "\(baseURL)/one", minimum_severity: low, retry: {attempts: 1}}
      - {kind: webhook, url: "\(baseURL)/two", minimum_severity: low, retry: {attempts: 1}}
    heartbeat: {textfile: crossfoot.prom}

    """
  }
}

/// Kills the binary while it waits for the second channel's answer, once.
private final class Gate: @unchecked Sendable {
  var victim: Int32 = 0

  func answer(_ asked: LoopbackServer.Asked) async -> LoopbackServer.Reply {
    guard asked.path == "/two", victim > 0 else { return .json("{}") }
    kill(victim, SIGKILL)
    victim = 0
    return .json("{}")
  }
}
