import Foundation
import Storage
import TestSupport
import Testing

@Suite("Alerts of a night", .onItsOwnThread)
struct AlertTests {
  @Test(
    "Three runs and a kill while the second channel answers: each message arrives once, and no secret stands anywhere")
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
      let said = receiver.asked.map { "\($0.body) \($0.headers)" }.joined()
      try Secrets(keys: [NightSite.key]).expectNone(in: site.folder.path, said: said, #_sourceLocation)
      let metrics = try site.folder.read("crossfoot.prom")
      #expect(
        metrics.contains("crossfoot_verdict{verdict=\"discrepancies\"} 1")
          && metrics.contains("crossfoot_amount{provider=\"stripe\""))
    }
  }

  @Test("Dry runs and --no-alerts print what would go; report sends nothing; refused credentials are reported")
  func quiet() async throws {
    try await NightSite.serve(faults: 6) { site in
      let receiver = try await LoopbackServer { _ in .json("{}") }
      try site.configure(further: Self.alerts(receiver.baseURL))
      let shown = try await site.run("run", ["--no-alerts"])
      #expect(
        shown.status == 1 && shown.output.contains("would be sent to webhook-") && shown.output.contains("What to do:"))
      _ = try await site.run("run", ["--dry-run"])
      _ = try await site.run("report")
      #expect(receiver.asked.isEmpty)
      let refused = try await site.run(key: "rk_live_0000000000000000000000000000")
      #expect(refused.status == 77)
      #expect(
        receiver.asked.count == 2
          && receiver.asked.allSatisfy { $0.body.contains("nothing published (exit status 77)") })
      let closed = try ClosedPort()
      try site.configure(further: Self.alerts(closed.baseURL))
      let down = try await site.run()
      #expect(down.status == 1 && down.errors.contains("warning: alert not sent"))
    }
  }

  @Test(
    "Whatever keeps a night from being published is told with its exit status; a mistake in the command line is not")
  func nothingPublished() async throws {
    try await NightSite.serve(orders: 20) { site in
      let receiver = try await LoopbackServer { _ in .json("{}") }
      let alerts = Self.alerts(receiver.baseURL)
      try site.configure(further: alerts)
      try await site.run().expect(0)
      #expect(receiver.asked.isEmpty, "a clean night is no news")
      var told = 0
      func expectTold(_ status: Int32, _ words: String, _ arguments: [String] = [], key: String? = NightSite.key)
        async throws
      {
        let ended = try await site.run("run", arguments, key: key)
        #expect(ended.status == status, "\(ended.output)\(ended.errors)")
        let news = receiver.asked.dropFirst(told)
        #expect(news.map(\.path) == ["/one", "/two"], "\(status): \(ended.errors)")
        #expect(
          news.allSatisfy { $0.body.contains("nothing published (exit status \(status))") && $0.body.contains(words) },
          "\(news.map(\.body))")
        told += news.count
      }

      let lock = open(site.folder.path + "/landing/.lock", O_RDWR | O_CLOEXEC)
      #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
      try await expectTold(75, "another run")
      flock(lock, LOCK_UN)
      close(lock)

      let orders = try site.folder.read("orders.csv")
      try site.folder.write("orders.csv", "order,sum\n")
      try await expectTold(65, "required column")
      try site.folder.write("orders.csv", orders)

      let store = try openDatabase(
        url: "sqlite:\(site.folder.path)/crossfoot.db", schemas: NightSite.checkout + "/sql/schema")
      try store.execute("alter table record_event rename to elsewhere")
      try await expectTold(70, "record_event")
      try store.execute("alter table elsewhere rename to record_event")

      try FileManager.default.moveItem(atPath: site.folder.path + "/output", toPath: site.folder.path + "/away")
      try site.folder.write("output", "in the way")
      try await expectTold(74, "output")
      try FileManager.default.removeItem(atPath: site.folder.path + "/output")
      try FileManager.default.moveItem(atPath: site.folder.path + "/away", toPath: site.folder.path + "/output")

      try await expectTold(77, "refused the credentials", key: "rk_live_0000000000000000000000000000")
      try site.configure(further: alerts) { $0.replacing("order_reference:", with: "order_refrence:") }
      try await expectTold(78, "did you mean")
      let shown = try await site.run("run", ["--no-alerts"])
      #expect(
        shown.status == 78 && shown.output.contains("nothing to send") && receiver.asked.count == told,
        "\(shown.output)")
      try site.configure(further: alerts.replacing("/two\"", with: "/two\", minimum_severty: low"))
      try await site.run(night: 2).expect(78)
      #expect(
        receiver.asked.dropFirst(told).map(\.path) == ["/one"], "a channel with a mistake of its own is not guessed at")
      told = receiver.asked.count

      try site.configure(further: alerts)
      try await site.run("run", ["--provider", "stripes"]).expect(64)
      try await site.run("run", ["--date", "2999-01-01"]).expect(64)
      #expect(receiver.asked.count == told)
      try await site.run().expect(0)
      #expect(receiver.asked.dropFirst(told).map(\.path) == ["/one", "/two"])
      #expect(receiver.asked.last?.body.contains("complete again") == true)
      told = receiver.asked.count

      await site.endpoint.stop()
      try await expectTold(69, "could be reached")
      let metrics = try site.folder.read("crossfoot.prom")
      #expect(
        metrics.contains("crossfoot_last_run_exit_status 69\n")
          && metrics.contains("crossfoot_verdict{verdict=\"nothing_published\"} 1\n"))
      #expect(metrics.contains("crossfoot_last_success_timestamp_seconds "))
    }
  }

  @Test("doctor says of each receiver whether it can be reached, sends it nothing, and ends as a run would")
  func doctor() async throws {
    try await NightSite.serve(orders: 20) { site in
      let receiver = try await LoopbackServer { _ in .json("{}") }
      let closed = try ClosedPort()
      try site.configure(
        further: Self.alerts(receiver.baseURL).replacing(
          "\(receiver.baseURL)/two", with: "\(closed.baseURL)/services/T1/B1/verysecretpart"
        )
        .replacing(
          "textfile: crossfoot.prom", with: "textfile: metrics/crossfoot.prom, ping_url: \"\(receiver.baseURL)/ping\""))
      let ended = try await CommandRun(
        ["doctor", "--resources", NightSite.checkout], in: site.folder.path,
        environment: ["STRIPE_API_KEY": NightSite.key])
      let lines = ended.output.split(separator: "\n").filter { $0.contains(" alerts ") }
      #expect(ended.status == 0 && lines.count == 4, "\(ended.output)\(ended.errors)")
      #expect(
        lines.first?.hasPrefix(
          "good     alerts         alerts[0]: webhook: \(receiver.baseURL) accepts a connection; nothing was sent")
          == true)
      #expect(
        lines.dropFirst().first?.hasPrefix("warning  alerts         alerts[1]: webhook: 127.0.0.1 could not be reached")
          == true, "\(lines)")
      #expect(!ended.output.contains("verysecretpart") && receiver.asked.isEmpty)
    }
  }

  @Test("The textfile of a night is of the form that Prometheus reads")
  func textfile() async throws {
    try await NightSite.serve(faults: 6) { site in
      try site.configure(further: "\nheartbeat: {textfile: crossfoot.prom}\n")
      try await site.run().expect(1)
      let text = try site.folder.read("crossfoot.prom")
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
      let label = #"[a-z_]+="(?:[^"\\]|\\["\\n])*""#
      let sample = try Regex<(Substring, name: Substring, labels: Substring?)>(
        #"(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?<labels>\#(label)(?:,\#(label))*)\})? -?[0-9]+(?:\.[0-9]+)?"#)
      var family = ""
      var seen: Set<String> = []
      for line in text.split(separator: "\n") {
        if let head = line.wholeMatch(of: /# HELP (\S+) .+/) {
          family = String(head.1)
          #expect(seen.insert(family).inserted, "a family stands in one piece: \(line)")
        } else if !line.hasPrefix("#") {
          let match = try #require(line.wholeMatch(of: sample), "\(line)")
          #expect(match.name == family, "\(line)")
          #expect(seen.insert("\(match.name){\(match.labels ?? "")}").inserted, "twice: \(line)")
        } else {
          #expect(line == "# TYPE \(family) gauge")
        }
      }
      for name in [
        "last_success_timestamp_seconds", "verdict", "discrepancies", "amount", "stage_seconds", "last_run_exit_status",
      ] {
        #expect(seen.contains("crossfoot_\(name)"), "\(name)")
      }
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
