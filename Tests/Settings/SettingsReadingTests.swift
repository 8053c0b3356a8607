import Foundation
import Testing

@testable import Settings

@Suite("A configuration that stands")
struct SettingsReadingTests {
  @Test("The smallest configuration takes every default")
  func defaults() throws {
    let fixture = try SettingsFixture(minimal())
    let settings = try fixture.load()
    #expect(settings.reporting == Settings.Reporting(timeZone: "UTC", output: fixture.folder + "/output"))
    #expect(settings.store.url.revealed == "sqlite:\(fixture.folder)/crossfoot.db")
    #expect(settings.landing.directory == fixture.folder + "/landing")
    #expect(settings.policy == Policy())
    #expect(settings.tolerance == Tolerance())
    #expect(settings.workbookMaximumRows == 1_000_000)
    let provider = try #require(settings.providers.first)
    #expect(provider.name == "stripe" && provider.kind == "stripe" && provider.lag == nil && provider.caFile == nil)
    #expect(provider.retry == Retry() && provider.retry.attempts == 8 && provider.retry.waitAtMost == 300)
    #expect(settings.orders.isEmpty && settings.rateCards.isEmpty && settings.alerts.isEmpty)
  }

  @Test("Every key of the contract is read")
  func everything() throws {
    let fixture = try SettingsFixture(
      wholeConfiguration, environment: ["STRIPE_API_KEY": "rk_live_1", "ORDERS_DATABASE_URL": "postgresql://u:p@h/db"])
    let settings = try fixture.load()
    #expect(settings.reporting.timeZone == "Europe/Amsterdam")
    #expect(settings.store.shown == "postgresql://user@host:5432/db")
    #expect(settings.orders.map(\.name) == ["shop", "warehouse", "kiosk"])
    #expect(settings.orders.map(\.lookBack) == [3_888_000, 864_000, 3_888_000])
    #expect(settings.policy.captureWithin == 691_200)
    #expect(settings.policy.duplicateRefundWithin == 90)
    #expect(settings.providers[0].policy.captureWithin == 691_200)
    #expect(!settings.providers[0].policy.refundReversesTransfer)
    #expect(settings.providers[0].lag == 300)
    #expect(settings.providers[0].retry.attempts == 3 && settings.providers[0].retry.waitAtMost == 60)
    #expect(settings.tolerance.amount(in: "EUR") == 2 && settings.tolerance.amount(in: "JPY") == 1)
    #expect(
      settings.rateCards[0].percent == "2.90" && settings.rateCards[0].fixed == "0.30"
        && settings.rateCards[0].from == "2026-01-01")
    #expect(settings.severity == ["fx_loss": .ignore, "missing_payment": .critical])
    #expect(settings.checks == [fixture.folder + "/our-checks"])
    #expect(settings.reports == ["/etc/crossfoot/reports"])
    #expect(settings.workbookMaximumRows == 5000)
    #expect(settings.dashboards == ["stripe": "https://dashboard.stripe.com/payments/{id}"])
    #expect(settings.heartbeat.textfile == fixture.folder + "/crossfoot.prom")
    #expect(settings.journal == ["platform": "Assets:Platform"])
    #expect(settings.alerts.count == 3)
  }

  @Test("Order sources know where they read from")
  func orderSources() throws {
    let fixture = try SettingsFixture(
      wholeConfiguration, environment: ["STRIPE_API_KEY": "rk_live_1", "ORDERS_DATABASE_URL": "postgresql://u:p@h/db"])
    let settings = try fixture.load()
    guard case .csv(let orders, let refunds) = settings.orders[0].kind else { return #expect(Bool(false), "not CSV") }
    #expect(orders == fixture.folder + "/orders.csv" && refunds == "/srv/order_refunds.csv")
    guard case .postgresql(let url, let query, let refundsQuery) = settings.orders[1].kind else {
      return #expect(Bool(false), "not SQL")
    }
    #expect(
      url.revealed == "postgresql://u:p@h/db" && query == fixture.folder + "/sql/orders/example.sql"
        && refundsQuery == nil)
    guard case .par(_, let currency) = settings.orders[2].kind else { return #expect(Bool(false), "not PAR") }
    #expect(currency == "USD")
  }

  @Test("A file's content replaces ${file:…}, trimmed, also inside a text")
  func fileReference() throws {
    let fixture = try SettingsFixture(
      minimal("reporting:\n  output: ${file:where}/${NAME}\n"), environment: ["NAME": "out"])
    try Data("  /srv/reports \n".utf8).write(to: URL(fileURLWithPath: fixture.folder + "/where"))
    #expect(try fixture.load().reporting.output == "/srv/reports/out")
  }

  @Test("A reference stands unquoted in a list and between braces too; a mistake behind it keeps its column")
  func unquotedReference() throws {
    let yaml =
      "providers:\n  - {name: stripe, kind: stripe, api_key: ${KEY}, order_reference: [${FIRST}, x${SECOND}y]}\n"
    let fixture = try SettingsFixture(
      yaml + "reporting: {output: \"${FIRST}\"}\n", environment: ["KEY": "k", "FIRST": "{a}", "SECOND": "b"])
    var references: [String] = []
    let settings = try Settings.load(fixture.path, environment: fixture.environment, providerKinds: ["stripe"]) {
      entry in
      #expect(entry.node.secret("api_key").revealed == "k")
      references = entry.node.strings("order_reference", default: [])
      try entry.node.finish()
    }
    #expect(references == ["{a}", "xby"] && settings.reporting.output.hasSuffix("/{a}"))
    let broken = try SettingsFixture("reporting: {output: ${FIRST}]\n").complaint()
    #expect(broken.contains("crossfoot.yml:1, column 29: this is not YAML"), "\(broken)")
    #expect(try complaint("landing: {directory: ${oops}").contains("not YAML"))
  }

  @Test("The canonical text is the same for another order of the keys, and contains no secret")
  func canonicalText() throws {
    let one = try SettingsFixture(minimal("tolerance: {proportional: 2, provider_fee: 1}\n")).load().canonicalText
    let other = try SettingsFixture("# moved\ntolerance: {provider_fee: 1, proportional: 2}\n" + minimal()).load()
      .canonicalText
    #expect(one == other)
    #expect(one.contains("providers[0].api_key=<secret>") && !one.contains("sk_live_abc"))
    #expect(one.contains("tolerance.proportional=2"))
  }

  @Test("A secret prints, interpolates and dumps as <secret>")
  func secret() {
    let secret = Secret("sk_live_abc")
    var dumped = ""
    dump([secret], to: &dumped)
    #expect("\(secret) \(String(reflecting: secret))" == "<secret> <secret>")
    #expect(!dumped.contains("sk_live_abc"))
  }
}

private let wholeConfiguration = """
  reporting: {time_zone: Europe/Amsterdam, output: output}
  store: {url: "postgresql://user:geheim@host:5432/db?sslmode=require"}
  landing: {directory: landing}
  orders:
    - {name: shop, kind: csv, orders: orders.csv, refunds: /srv/order_refunds.csv}
    - {name: warehouse, kind: postgresql, url: "${ORDERS_DATABASE_URL}", query: sql/orders/example.sql,
       refunds_query: null, look_back: 10d}
    - {name: kiosk, kind: par, directory: par-exports, currency: usd}
  providers:
    - name: stripe
      kind: stripe
      api_key: ${STRIPE_API_KEY}
      base_url: https://api.stripe.com
      order_reference: [metadata.order_id, payment_intent]
      lag: 5m
      retry: {attempts: 3, wait_at_most: 1m}
      policy: {refund_reverses_transfer: no}
  policy: {capture_within: 8d, duplicate_refund_within: 90s}
  tolerance:
    amount: {default: 2, JPY: 1}
  rate_cards:
    - {provider: stripe, currency: USD, method: card, percent: 2.90, fixed: "0.30", from: 2026-01-01}
  alerts:
    - {kind: slack, url: "https://hooks.example.com/T1", minimum_severity: high, provider: stripe}
    - {kind: webhook, url: "https://example.com/hook", secret: s3, type: [missing_payment]}
    - {kind: email, url: "smtp://mail.example.com:587", username: u, password: p, from: a@example.com,
       to: [b@example.com]}
  severity: {fx_loss: ignore, missing_payment: critical}
  checks: [./our-checks]
  reports: [/etc/crossfoot/reports]
  workbook: {maximum_rows: 5000}
  dashboards: {stripe: "https://dashboard.stripe.com/payments/{id}"}
  heartbeat: {textfile: crossfoot.prom, ping_url: null}
  journal: {platform: "Assets:Platform"}
  """
