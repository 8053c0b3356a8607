import Foundation
import Settings
import Testing

@Suite("Credentials of a command that connects to nobody")
struct CredentialTests {
  static let text = """
    reporting: {url: https://reports.example.com/crossfoot/}
    orders:
      - {name: shop, kind: csv, orders: orders.csv}
      - {name: warehouse, kind: postgresql, url: "${ORDERS_DATABASE_URL}", query: orders.sql}
    providers:
      - {name: stripe, kind: stripe, api_key: "${STRIPE_API_KEY}", keys: ["${ONE}", "${file:two.txt}"],
         user: "${USER_NAME}"}
    alerts:
      - {kind: slack, url: "${SLACK_WEBHOOK_URL}"}
      - {kind: email, url: "smtp://mail.example.com:587", username: "${SMTP_USER}", password: "${SMTP_PASSWORD}",
         from: a@example.com, to: [b@example.com]}
    heartbeat: {ping_url: "${PING_URL}", start_ping_url: "${START_URL}"}
    """

  @Test("They need not be there, and the configuration is the same without them")
  func unused() throws {
    let settings = try load(Self.text, connects: false)
    #expect(settings.providers.map(\.name) == ["stripe"] && settings.orders.count == 2)
    #expect(settings.reporting.url == "https://reports.example.com/crossfoot")
    let names = [
      "ORDERS_DATABASE_URL", "STRIPE_API_KEY", "ONE", "USER_NAME", "SLACK_WEBHOOK_URL", "SMTP_USER", "SMTP_PASSWORD",
      "PING_URL", "START_URL",
    ]
    let missing = #expect(throws: SettingsError.self) { try load(Self.text, connects: true) }
    #expect(
      names.allSatisfy { missing?.description.contains("the environment variable \($0) is not set") == true },
      "\(missing?.description ?? "")")
    #expect(missing?.description.contains("cannot read two.txt") == true)
  }

  @Test(
    "What a figure rests on has to be there, and other mistakes are found",
    arguments: [
      ("orders: orders.csv", "orders: \"${ORDERS}\"", "ORDERS is not set"),
      ("kind: slack", "kind: slak", "did you mean \"slack\""),
      ("user: \"${USER_NAME}\"", "account: \"${ACCOUNT}\"", "ACCOUNT is not set"),
    ])
  func needed(part: String, other: String, words: String) {
    let error = #expect(throws: SettingsError.self) {
      try load(Self.text.replacing(part, with: other), connects: false)
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  private func load(_ text: String, connects: Bool) throws -> Settings {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("credentials-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/crossfoot.yml"))
    return try Settings.load(folder + "/crossfoot.yml", environment: [:], providerKinds: ["stripe"], connects: connects)
    { entry in
      _ = entry.node.secret("api_key")
      _ = entry.node.secrets("keys")
      _ = entry.node.optionalCredential("user")
      _ = entry.node.optionalString("account")
      try entry.node.finish()
    }
  }
}
