import Foundation
import Settings
import TestSupport
import Testing

@testable import Alerts

@Suite("Heartbeat")
struct HeartbeatTests {
  @Test("The textfile: whole, escaped, and the last success outlives a run that published nothing")
  func textfile() async throws {
    let scene = try Scene()
    let path = scene.folder + "/metrics/crossfoot.prom"
    let heartbeat = Heartbeat(textfile: path, pingURL: nil, connecting: Scene.connecting())
    let samples = [
      Heartbeat.Sample("amount", [("provider", "a\"b\\"), ("currency", "EUR"), ("figure", "captured")], "12.50"),
      Heartbeat.Sample("discrepancies", [("severity", "high"), ("state", "new")], "3"),
    ]
    #expect(await heartbeat.beat(now: 1_000, status: 1, verdict: "discrepancies", samples: samples) == [])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in [
      "# TYPE crossfoot_amount gauge",
      "crossfoot_amount{provider=\"a\\\"b\\\\\",currency=\"EUR\",figure=\"captured\"} 12.50",
      "crossfoot_discrepancies{severity=\"high\",state=\"new\"} 3", "crossfoot_last_success_timestamp_seconds 1000",
      "crossfoot_verdict{verdict=\"discrepancies\"} 1", "crossfoot_verdict{verdict=\"clean\"} 0",
      "crossfoot_last_run_exit_status 1",
    ] { #expect(text.split(separator: "\n").map(String.init).contains(line), "\(line)") }
    #expect(await heartbeat.beat(now: 2_000, status: 77, verdict: nil, samples: []) == [])
    let after = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      after.contains("crossfoot_last_success_timestamp_seconds 1000\n")
        && after.contains("crossfoot_last_run_timestamp_seconds 2000\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder + "/metrics") == ["crossfoot.prom"])
  }

  @Test(
    "The address is asked for after a run that published, and only then; its failure is a warning without the address")
  func ping() async throws {
    let replies = Replies([.json("{}"), .json("no", status: 404)])
    let server = try await LoopbackServer { _ in replies.next() }
    let heartbeat = Heartbeat(
      textfile: nil, pingURL: Secret("\(server.baseURL)/ping/secretsecret"), connecting: Scene.connecting())
    #expect(await heartbeat.beat(now: 1, status: 0, verdict: "clean", samples: []) == [])
    #expect(await heartbeat.beat(now: 1, status: 69, verdict: nil, samples: []) == [])
    #expect(
      await heartbeat.beat(now: 1, status: 0, verdict: "clean", samples: []) == ["heartbeat.ping_url: status 404"])
    let closed = try ClosedPort()
    let lonely = Heartbeat(
      textfile: nil, pingURL: Secret("\(closed.baseURL)/ping/secretsecret"), connecting: Scene.connecting())
    let warnings = await lonely.beat(now: 1, status: 0, verdict: "clean", samples: [])
    #expect(warnings.count == 1 && !warnings[0].contains("secretsecret"))
    #expect(server.asked.map(\.path) == ["/ping/secretsecret", "/ping/secretsecret"])
  }

  @Test("The start is reported at an address of its own, and nothing where there is none")
  func start() async throws {
    let server = try await LoopbackServer { _ in .json("OK") }
    let heartbeat = Heartbeat(
      textfile: nil, pingURL: Secret("\(server.baseURL)/1"), startPingURL: Secret("\(server.baseURL)/1/start"),
      connecting: Scene.connecting())
    #expect(await heartbeat.begin() == [])
    #expect(await heartbeat.beat(now: 1, status: 0, verdict: "clean", samples: []) == [])
    #expect(server.asked.map(\.path) == ["/1/start", "/1"])
    #expect(
      await Heartbeat(textfile: nil, pingURL: Secret("\(server.baseURL)/1"), connecting: Scene.connecting()).begin()
        == [])
    #expect(server.asked.count == 2)
  }
}
