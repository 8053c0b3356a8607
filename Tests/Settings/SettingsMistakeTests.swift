import Foundation
import Testing

@testable import Settings

@Suite("A configuration with a mistake")
struct SettingsMistakeTests {
  /// The lines from the fifth on, and what is said of them.
  static let mistakes: [(further: String, complaint: String)] = [
    ("reportin: {}", "crossfoot.yml:5: reportin: unknown key; did you mean \"reporting\"?"),
    (
      "periods: [{name: P1, from: 2026-01-01, to: 2026-01-28}, {name: P2, from: 2026-01-28, to: 2026-02-24}]",
      "crossfoot.yml:5: periods[1].from: the period P1, 2026-01-01 to 2026-01-28, has days of it too"
    ),
    (
      "periods: [{name: P1, from: 2026-01-02, to: 2026-01-01}]",
      "crossfoot.yml:5: periods[0].to: 2026-01-01 lies before 2026-01-02, where the period begins"
    ),
    (
      "periods: [{name: a/b, from: 2026-01-01, to: 2026-01-02}]",
      "crossfoot.yml:5: periods[0].name: expected letters, digits, hyphens and underscores, at most 40, found \"a/b\""
    ),
    (
      "periods: [{name: P1, from: 2026-02-30, to: 2026-03-01}]",
      "crossfoot.yml:5: periods[0].from: expected a day, as in 2026-01-31, found the text \"2026-02-30\""
    ),
    (
      "landing: {directory: a, qqqqqqqq: 1}",
      "crossfoot.yml:5: landing.qqqqqqqq: unknown key; known here: directory, retention"
    ),
    (
      "    order_refernce: [a]",
      "crossfoot.yml:5: providers[0].order_refernce: unknown key; did you mean \"order_reference\"?"
    ),
    ("    retry: {attempt: 2}", "crossfoot.yml:5: providers[0].retry.attempt: unknown key; did you mean \"attempts\"?"),
    (
      "    policy: {capture_witin: 7d}",
      "crossfoot.yml:5: providers[0].policy.capture_witin: unknown key; did you mean \"capture_within\"?"
    ),
    (
      "    base_url: http://api.stripe.com",
      """
      crossfoot.yml:5: providers[0].base_url: expected an address that begins with https://, found http:// to another \
      machine (http is for loopback only)
      """
    ),
    (
      "    base_url: https://api.example.com/v1?key=x",
      """
      crossfoot.yml:5: providers[0].base_url: expected an address that paths can be put to, as in https://host, found \
      one with a query
      """
    ),
    (
      "    order_reference: metadata.order_id",
      "crossfoot.yml:5: providers[0].order_reference: expected a list, as in [one, two], found the text "
        + "\"metadata.order_id\""
    ),
    (
      "    lag: 5",
      "crossfoot.yml:5: providers[0].lag: expected a duration, as in 90s, 10m, 26h or 7d, found the number 5"
    ),
    (
      "    retry: {attempts: 0}",
      "crossfoot.yml:5: providers[0].retry.attempts: expected a whole number, 1 to 100, found the number 0"
    ),
    (
      "  - {name: stripe, kind: stripe, api_key: k}",
      "crossfoot.yml:5: providers[1].name: the name \"stripe\" is already taken in line 2; choose another"
    ),
    (
      "  - {name: ../up, kind: stripe, api_key: k}",
      "crossfoot.yml:5: providers[1].name: expected small letters, digits, \"_\" and \"-\" only (it names a folder), "
        + "as in \"stripe-eu\""
    ),
    (
      "  - {name: x, kind: strpe, api_key: k}",
      "crossfoot.yml:5: providers[1].kind: expected one of stripe, paypal, found the text \"strpe\"; did you mean "
        + "\"stripe\"?"
    ),
    (
      "  - {name: x, kind: stripe}",
      "crossfoot.yml:5: providers[1].api_key: missing; expected a text, best as ${NAME} or ${file:/path}"
    ),
    ("  - stripe", "crossfoot.yml:5: providers[1]: expected keys with values, found the text \"stripe\""),
    (
      "orders: {name: shop}",
      "crossfoot.yml:5: orders: expected a list (its entries begin with \"- \"), found keys with values"
    ),
    (
      "orders:\n  - {name: stripe, kind: csv, orders: o.csv}",
      "crossfoot.yml:6: orders[0].name: the name \"stripe\" is already taken in line 2; choose another"
    ),
    ("orders:\n  - {name: a, kind: csv}", "crossfoot.yml:6: orders[0].orders: missing; expected a path"),
    (
      "orders:\n  - {name: a, kind: xml}",
      "crossfoot.yml:6: orders[0].kind: expected one of csv, postgresql, par, found the text \"xml\""
    ),
    (
      "orders:\n  - {name: a, kind: csv, orders: o.csv, query: x}",
      "crossfoot.yml:6: orders[0].query: unknown key; known here: kind, look_back, name, orders, refunds"
    ),
    (
      "reporting: {time_zone: Europe/Amsterdm}",
      "crossfoot.yml:5: reporting.time_zone: expected an IANA time zone, as in Europe/Amsterdam, found the text "
        + "\"Europe/Amsterdm\"; did you mean \"Europe/Amsterdam\"?"
    ),
    (
      "store: {url: mysql://host/db}",
      """
      crossfoot.yml:5: store.url: expected sqlite:FILE or postgresql://user@host:5432/database, found an address that \
      begins with "mysql:"
      """
    ),
    (
      "policy: {settle_within: 5 days}",
      "crossfoot.yml:5: policy.settle_within: expected a duration, as in 90s, 10m, 26h or 7d, found the text \"5 days\""
    ),
    (
      "policy: {refund_reverses_transfer: 1}",
      "crossfoot.yml:5: policy.refund_reverses_transfer: expected true or false, found the number 1"
    ),
    (
      "tolerance: {amount: {default: 0.5}}",
      "crossfoot.yml:5: tolerance.amount.default: expected a whole number, found the number 0.5"
    ),
    (
      "tolerance: {amount: {euro: 1}}",
      "crossfoot.yml:5: tolerance.amount.euro: expected \"default\" or a currency code of three letters, as in EUR"
    ),
    (
      "rate_cards:\n  - {provider: strip, currency: USD, percent: 1}",
      "crossfoot.yml:6: rate_cards[0].provider: no provider is named \"strip\" here; did you mean \"stripe\"?"
    ),
    (
      "rate_cards:\n  - {provider: stripe, currency: USD, percent: 2,9}",
      "crossfoot.yml:6: rate_cards[0].9: unknown key; known here: currency, fixed, from, method, percent, provider"
    ),
    (
      "rate_cards:\n  - {provider: stripe, currency: USD, percent: 3%}",
      "crossfoot.yml:6: rate_cards[0].percent: expected a decimal number, as in 0.30, found the text \"3%\""
    ),
    (
      "rate_cards:\n  - {provider: stripe, currency: USD, from: 2026-02-30}",
      "crossfoot.yml:6: rate_cards[0].from: expected a day, as in 2026-01-31, found the text \"2026-02-30\""
    ),
    (
      "severity: {fx_loss: ignored}",
      "crossfoot.yml:5: severity.fx_loss: expected one of critical, high, medium, low, ignore, found the text "
        + "\"ignored\"; did you mean \"ignore\"?"
    ),
    (
      "alerts:\n  - {kind: pager}",
      "crossfoot.yml:6: alerts[0].kind: expected one of slack, webhook, email, found the text \"pager\""
    ),
    (
      "alerts:\n  - {kind: email, url: 'smtp://h', from: a@b, to: []}",
      "crossfoot.yml:6: alerts[0].to: missing; expected one address or more, as in [finance@example.com]"
    ),
    (
      "dashboards: {stripe: https://d}",
      "crossfoot.yml:5: dashboards.stripe: expected an address with {id} in it, where the record's id goes"
    ),
    (
      "dashboards: {stripe: 'http://d/{id}'}",
      "crossfoot.yml:5: dashboards.stripe: expected an address that begins with https://: "
        + "whoever opens the workbook follows it"
    ),
    (
      "dashboards: {stripe: 'javascript:x/{id}'}",
      "crossfoot.yml:5: dashboards.stripe: expected an address that begins with https://: "
        + "whoever opens the workbook follows it"
    ),
    (
      "workbook: {maximum_rows: 2000000}",
      "crossfoot.yml:5: workbook.maximum_rows: expected a whole number, 1 to 1048575, found the number 2000000"
    ),
    (
      "reporting: {output: no}",
      "crossfoot.yml:5: reporting.output: expected a text, found false (put quotes around it to mean the word)"
    ),
    (
      "reporting: {output: '${NOWHERE}/x'}",
      "crossfoot.yml:5: reporting.output: the environment variable NOWHERE is not set; export it or write the value"
    ),
    (
      "reporting: {output: '${NOWHERE'}",
      "crossfoot.yml:5: reporting.output: expected ${NAME} or ${file:/path} after \"$\" and \"{\"; name and closing "
        + "\"}\" belong to it"
    ),
    (
      "reporting: {output: '${file:none.txt}'}",
      "crossfoot.yml:5: reporting.output: cannot read none.txt: there is no such file"
    ),
    (
      "workbook: {maximum_rows: '${ROWS}'}",
      "crossfoot.yml:5: workbook.maximum_rows: expected a whole number, found text"
    ),
    ("checks: [{a: b}]", "crossfoot.yml:5: checks[0]: expected a text, found keys with values"),
    (
      "store: [",
      "crossfoot.yml:6, column 1: this is not YAML: did not find expected node content (while parsing a flow node)"
    ),
    (
      "\tstore: x",
      "crossfoot.yml:5, column 1: this is not YAML: found a tab character that violates indentation (while scanning a "
        + "plain scalar)"
    ),
    (
      "store: {}\nstore: {}",
      "crossfoot.yml:5, column 1: this is not YAML: the key \"store\" is repeated; keep one"
    ),
  ]

  @Test("Each mistake is named by file, line and key path, with what to write instead", arguments: mistakes)
  func mistake(further: String, expected: String) throws {
    let told = try complaint(further, environment: ["ROWS": "5"])
    #expect(told == expected)
  }

  @Test("Several mistakes are reported together, in the order of the lines")
  func several() throws {
    let told = try complaint("    lag: 5\nlandng: {}\nstore: {url: x}\n").split(separator: "\n")
    #expect(
      told == [
        "crossfoot.yml:5: providers[0].lag: expected a duration, as in 90s, 10m, 26h or 7d, found the number 5",
        "crossfoot.yml:6: landng: unknown key; did you mean \"landing\"?",
        """
        crossfoot.yml:7: store.url: expected sqlite:FILE or postgresql://user@host:5432/database, found text without a \
        scheme
        """,
      ])
  }

  @Test("What came from a variable is never quoted")
  func nothingSecretQuoted() throws {
    let told = try complaint("reporting: {time_zone: '${SECRET}'}\n    ", environment: ["SECRET": "sk_live_xyz"])
    #expect(
      told == "crossfoot.yml:5: reporting.time_zone: expected an IANA time zone, as in Europe/Amsterdam, found text")
  }

  @Test("An empty file, an absent file and a folder say so")
  func absent() throws {
    #expect(
      try SettingsFixture("").complaint()
        == "crossfoot.yml:1: providers: missing; expected a list with one provider or more")
    #expect(
      throws: SettingsError([
        .unreadableFile(SettingsPlace(file: "/nowhere.yml", line: 0, keyPath: ""), reason: "there is no such file")
      ])
    ) {
      try Settings.load("/nowhere.yml", providerKinds: [])
    }
    #expect(
      throws: SettingsError([
        .unreadableFile(SettingsPlace(file: "/tmp", line: 0, keyPath: ""), reason: "it is a folder")
      ])
    ) {
      try Settings.load("/tmp", providerKinds: [])
    }
  }

  @Test("A severity for a type that no check has is refused at its place, with the nearest type")
  func unknownType() throws {
    let fixture = try SettingsFixture(minimal("severity:\n  amount_mismach: ignore\n  our_own: low"))
    let settings = try fixture.load()
    try settings.checkSeverity(types: ["amount_mismach", "our_own"])
    do {
      try settings.checkSeverity(types: ["amount_mismatch", "our_own"])
      Issue.record("it was taken")
    } catch {
      #expect(
        "\(error)".hasSuffix("crossfoot.yml:6: severity.amount_mismach: unknown key; did you mean \"amount_mismatch\"?")
      )
    }
  }

  @Test("A file whose aliases multiply is refused before they are followed")
  func aliases() throws {
    let letters = Array("abcdefghij")
    var text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for (one, next) in zip(letters, letters.dropFirst()) {
      text += "\(next): &\(next) [\(Array(repeating: "*\(one)", count: 10).joined(separator: ", "))]\n"
    }
    let told = try SettingsFixture(text).complaint()
    #expect(
      told
        == "crossfoot.yml:1, column 1: this is not YAML: it has more than 100,000 values once its aliases are "
        + "followed; write the values out",
      "\(told)")
  }

  @Test("A second document and a list at the top are refused")
  func shapes() throws {
    #expect(try SettingsFixture("- a\n").complaint().contains("expected keys with values, found a list"))
    #expect(try SettingsFixture(minimal("---\nstore: {}\n")).complaint().contains("crossfoot.yml:5"))
  }
}
