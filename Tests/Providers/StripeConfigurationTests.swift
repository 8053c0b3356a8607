import Foundation
import Settings
import Testing

@testable import Providers

@Suite("Stripe's entry in the configuration") struct StripeConfigurationTests {
  private func read(_ entry: String) throws -> StripeConfiguration {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("crossfoot-\(UUID().uuidString).yml")
    defer { try? FileManager.default.removeItem(at: file) }
    let order = "orders:\n  - {name: shop, kind: csv, orders: orders.csv}\n"
    try Data((order + "providers:\n  - name: stripe\n    kind: stripe\n" + entry).utf8).write(to: file)
    var found: StripeConfiguration?
    _ = try Settings.load(file.path, environment: ["KEY": stripeKey], providerKinds: ["stripe"]) {
      found = try StripeConfiguration($0)
    }
    return try #require(found)
  }

  @Test("a key is enough; everything else has its default") func defaults() throws {
    let configuration = try read("    api_key: ${KEY}\n")
    #expect(configuration.baseURL == "https://api.stripe.com" && configuration.connect && configuration.account == nil)
    #expect(configuration.orderReference == ["metadata.order_id", "payment_intent"])
    #expect(configuration.lag == 300 && configuration.lookBack == 7200 && configuration.connections == 4)
    #expect(configuration.retry.attempts == 8 && configuration.retry.waitAtMost == .seconds(300))
    #expect(configuration.retry.timeout == .seconds(80))
    #expect(!"\(configuration)".contains("findme"))
  }

  @Test("every key is read") func all() throws {
    let configuration = try read(
      """
          api_key: ${KEY}
          base_url: http://127.0.0.1:8123
          order_reference: [metadata.shop_order]
          connect: false
          account: acct_mine
          lag: 10m
          look_back: 3h
          connections: 2
          timeout: 5s
          retry: {attempts: 2, wait_at_most: 1m}

      """)
    #expect(
      configuration.baseURL == "http://127.0.0.1:8123" && !configuration.connect && configuration.account == "acct_mine"
    )
    #expect(configuration.orderReference == ["metadata.shop_order"])
    #expect(configuration.lag == 600 && configuration.lookBack == 10_800 && configuration.connections == 2)
    #expect(configuration.retry.attempts == 2 && configuration.retry.waitAtMost == .seconds(60))
    #expect(configuration.retry.timeout == .seconds(5))
  }

  @Test("a mistake is reported with its place and the nearest key, never with the API key") func mistakes() throws {
    let error = #expect(throws: SettingsError.self) {
      try read("    api_key: ${KEY}\n    conect: false\n    connections: 99\n")
    }
    let text = try #require(error).description
    #expect(text.contains("conect") && text.contains("connect") && text.contains("connections"))
    #expect(!text.contains("findme"))
  }
}
