import Foundation

@testable import Settings

/// A configuration in a folder of its own, read under the name `crossfoot.yml`.
struct SettingsFixture: ~Copyable {
  let folder: String
  var environment: [String: String] = [:]
  var kinds = ["stripe", "paypal"]

  init(_ yaml: String, environment: [String: String] = [:]) throws {
    folder = NSTemporaryDirectory() + "crossfoot-settings-" + UUID().uuidString
    self.environment = environment
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var path: String { folder + "/crossfoot.yml" }

  /// Reads it; a provider takes `api_key`, `base_url` and `order_reference`.
  func load() throws -> Settings {
    try Settings.load(path, environment: environment, providerKinds: kinds) { entry in
      _ = entry.node.secret("api_key")
      _ = entry.node.url("base_url", default: "https://api.example.com", isBase: true)
      _ = entry.node.strings("order_reference", default: ["metadata.order_id"])
      try entry.node.finish()
    }
  }

  /// What is wrong with it, the folder's path left out.
  func complaint() -> String {
    do {
      _ = try load()
      return "nothing"
    } catch {
      return "\(error)".replacingOccurrences(of: folder + "/", with: "")
    }
  }
}

/// The smallest configuration that stands, with further lines behind it (from line 5).
func minimal(_ further: String = "") -> String {
  """
  providers:
    - name: stripe
      kind: stripe
      api_key: sk_live_abc
  \(further)
  """
}

/// The complaint about ``minimal(_:)`` with further lines.
func complaint(_ further: String, environment: [String: String] = [:]) throws -> String {
  try SettingsFixture(minimal(further), environment: environment).complaint()
}
