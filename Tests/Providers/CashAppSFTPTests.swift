import Foundation
import HTTP
import Landing
import Logging
import Settings
import TestSupport
import Testing

@testable import Providers

/// Cash App's settlement files on an SFTP server, as `settlement_url` names it in the configuration.
@Suite(.enabled(if: LocalSFTP.isInstalled, "sshd is not installed: scripts/setup test"), .serialized)
struct CashAppSFTPTests {
  private static let activity = """
    settlement_batch_id,payment_id,payment_reference_id,transaction_type,transaction_time,net_amount,gross_amount,\
    fee_amount,fee_variable,fee_fixed,\
    merchant_id,merchant_reference_id,refund_id,refund_reference_id,dispute_id,currency_code,settled_at
    B1,PWC_1,O-1,CAPTURE,2026-03-02T10:00:05Z,9700,10000,300,100,200,MMI_1,shop-1,,,,USD,2026-03-02T23:00:00Z

    """
  private static let name = "20260302_settlement_report_client_CA-CI_1_batch_B1_chunk_0.csv"

  /// Reads an entry as a night does.
  private func read(_ entry: String, in folder: String) throws -> CashAppConfiguration {
    let file = folder + "/crossfoot.yml"
    let head =
      "orders:\n  - {name: shop, kind: csv, orders: orders.csv}\nproviders:\n  - {name: cashapp, kind: cash_app, "
      + "client_id: CA-CI_1, "
    try Data((head + entry + "}\n").utf8).write(to: URL(fileURLWithPath: file))
    var found: CashAppConfiguration?
    _ = try Settings.load(file, environment: [:], providerKinds: ["cash_app"]) { found = try CashAppConfiguration($0) }
    return try #require(found)
  }

  private func cashApp(_ server: LocalSFTP, knownHosts: String? = "host", isLetIn: Bool = true) throws -> CashApp {
    try server.makeKey("ed25519", named: "user-\(knownHosts ?? "none")", isLetIn: isLetIn)
    _ = try server.knownHosts(knownHosts)
    let names = "settlement_key: user-\(knownHosts ?? "none"), settlement_known_hosts: known-\(knownHosts ?? "none")"
    let configuration = try read("settlement_url: '\(server.url())', \(names)", in: server.folder)
    return try CashApp(
      configuration, waiting: Waiting(sleep: { _ in }, jitter: { 1 }, now: { 0 }),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func `the files land, and doctor has seen them`() async throws {
    try await LocalSFTP.with { server in
      try server.put(Self.name, Self.activity)
      let cashApp = try cashApp(server)
      let findings = await cashApp.examine()
      #expect(
        findings.first?.grade == .good
          && findings.first?.sentence == "cashapp: the settlement files can be listed, 1 of this client's")
      let landing = Landing(directory: server.folder + "/landing")
      let order = PullOrder(rangeFrom: 1_772_409_600, rangeTo: 1_772_496_000, now: 1_772_503_200)
      let outcome = await cashApp.pull(order, into: landing)
      #expect(
        outcome.streams.map(\.objects) == [1] && outcome.streams.allSatisfy(\.isComplete) && outcome.refusal == nil)
    }
  }

  @Test func `doctor and the night say the same of a server that is not known`() async throws {
    try await LocalSFTP.with { server in
      let cashApp = try cashApp(server, knownHosts: nil)
      let words = "127.0.0.1: its host key is not in settlement_known_hosts, so nothing was asked"
      let findings = await cashApp.examine()
      #expect(findings.first?.grade == .bad && findings.first?.sentence.hasPrefix("cashapp: \(words)") == true)
      let order = PullOrder(rangeFrom: 1_772_409_600, rangeTo: 1_772_496_000, now: 1_772_503_200)
      let outcome = await cashApp.pull(order, into: Landing(directory: server.folder + "/landing"))
      #expect(outcome.streams.first?.reason?.contains(words) == true && outcome.refusal == .unreachable)
    }
  }

  @Test func `a key that the server does not accept counts as refused credentials`() async throws {
    try await LocalSFTP.with { server in
      let order = PullOrder(rangeFrom: 1_772_409_600, rangeTo: 1_772_496_000, now: 1_772_503_200)
      let outcome = await (try cashApp(server, isLetIn: false)).pull(
        order, into: Landing(directory: server.folder + "/landing"))
      #expect(outcome.streams.first?.reason?.contains("have the public half of settlement_key installed there") == true)
      #expect(outcome.refusal == .credentials)
    }
  }

  @Test func `an entry without a key or known hosts is refused, and both are named`() async throws {
    try await LocalSFTP.with { server in
      let error = #expect(throws: SettingsError.self) { try read("settlement_url: 'sftp://u@h/in'", in: server.folder) }
      let words = error.map { "\($0)" } ?? ""
      #expect(words.contains("settlement_key") && words.contains("settlement_known_hosts"))
    }
  }
}
