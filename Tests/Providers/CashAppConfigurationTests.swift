import Foundation
import Settings
import Testing

@testable import Providers

@Suite("Cash App's entry in the configuration") struct CashAppConfigurationTests {
  private func read(_ entry: String) throws -> CashAppConfiguration {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("crossfoot-\(UUID().uuidString).yml")
    defer { try? FileManager.default.removeItem(at: file) }
    let head =
      "orders:\n  - {name: shop, kind: csv, orders: orders.csv}\nproviders:\n  - name: cashapp\n    kind: cash_app\n"
    let lines = entry.split(separator: "\n").map { "    \($0)\n" }.joined()
    try Data((head + lines).utf8).write(to: file)
    var found: CashAppConfiguration?
    _ = try Settings.load(file.path, environment: ["SECRET": CashAppNight.secret], providerKinds: ["cash_app"]) {
      found = try CashAppConfiguration($0)
    }
    return try #require(found)
  }

  private func complaint(_ entry: String) throws -> String {
    let error = #expect(throws: SettingsError.self) { try read(entry) }
    return try #require(error).description
  }

  @Test("a folder is enough, and the API is then not asked") func folder() throws {
    let configuration = try read("client_id: CAS-CI_1\nsettlement_directory: files")
    guard case .folder(let path) = configuration.settlement else { return #expect(Bool(false)) }
    #expect(path.hasSuffix("/files") && path.hasPrefix("/") && configuration.access == nil && configuration.lag == 0)
    #expect(try CashApp(configuration).learnsCapturesFromSettlement)
  }

  @Test("a key opens the API, with its defaults") func access() throws {
    let configuration = try read("client_id: CA-CI_1\nsettlement_directory: files\nkey_id: KEY_1\nsecret: ${SECRET}")
    let access = try #require(configuration.access)
    #expect(
      access.baseURL == "https://api.cash.app" && access.region == "PDX" && access.variant == .sample && access.crawl)
    #expect(!"\(configuration)".contains("findme") && access.secret.revealed == CashAppNight.secret)
    #expect(try !CashApp(configuration).learnsCapturesFromSettlement)
  }

  @Test("every key is read") func all() throws {
    let configuration = try read(
      """
      client_id: CAS-CI_1
      settlement_url: sftp://crossfoot@files.example.com/outgoing
      settlement_key: id_ed25519
      settlement_known_hosts: known_hosts
      key_id: KEY_1
      secret: ${SECRET}
      base_url: https://sandbox.api.cash.app
      region: IAD
      signature_variant: B
      crawl: false
      lag: 10m
      timeout: 5s
      retry: {attempts: 2, wait_at_most: 1m}
      """)
    guard case .sftp(let url, let key, let knownHosts) = configuration.settlement else { return #expect(Bool(false)) }
    #expect(
      url == "sftp://crossfoot@files.example.com/outgoing" && key.hasSuffix("/id_ed25519")
        && knownHosts.hasSuffix("/known_hosts"))
    let access = try #require(configuration.access)
    #expect(access.region == "IAD" && access.variant == .prose && !access.crawl && access.retry.timeout == .seconds(5))
    #expect(configuration.lag == 600 && access.retry.attempts == 2)
  }

  @Test("a client id of the sandbox does not go to the live host, nor the other way round") func prefixes() throws {
    let key = "\nsettlement_directory: files\nkey_id: KEY_1\nsecret: ${SECRET}"
    #expect(try complaint("client_id: CAS-CI_1" + key).contains("begins with CA-CI_"))
    #expect(
      try complaint("client_id: CA-CI_1\nbase_url: https://sandbox.api.cash.app" + key).contains("begins with CAS-CI_"))
    #expect(try read("client_id: CA-CI_1\nbase_url: http://127.0.0.1:8123" + key).access != nil)
  }

  @Test("half a key, no place or two for the files, and a slip of the pen are reported") func mistakes() throws {
    #expect(try complaint("client_id: CA-CI_1\nsettlement_directory: files\nkey_id: KEY_1").contains("secret: missing"))
    #expect(
      try complaint("client_id: CA-CI_1\nsettlement_directory: files\nsecret: ${SECRET}").contains("key_id: missing"))
    #expect(try complaint("client_id: CA-CI_1").contains("settlement_directory: missing"))
    #expect(
      try complaint(
        """
        client_id: CA-CI_1
        settlement_directory: a
        settlement_url: sftp://u@h/p
        settlement_key: k
        settlement_known_hosts: h
        """
      ).contains("keep one of the two"))
    #expect(
      try complaint("client_id: CA-CI_1\nsettlement_directory: files\nsettlment_key: x").contains("settlement_key"))
    let text = try complaint(
      "client_id: CA-CI_1\nsettlement_directory: files\nkey_id: K\nsecret: ${SECRET}\nregion: paris")
    #expect(text.contains("region") && !text.contains("findme"))
  }
}
