import Foundation
import Marketplace
import Providers
import Settings
import Yams

/// The addresses that a story's texts name in braces.
struct StoryPlaces: Sendable {
  var folder: String
  var stripeKey = "rk_test_nobody_is_asked"
  var stripeURL = "http://127.0.0.1:1"
  /// By label; the plain `{base_url}` has the empty one.
  var servers: [String: String] = [:]

  func filled(_ text: String) -> String {
    var text = text.replacingOccurrences(of: "{folder}", with: folder)
    text = text.replacingOccurrences(of: "{stripe_url}", with: stripeURL).replacingOccurrences(
      of: "{stripe_key}", with: stripeKey)
    for (label, url) in servers {
      text = text.replacingOccurrences(of: label.isEmpty ? "{base_url}" : "{base_url.\(label)}", with: url)
    }
    return text
  }

  /// The labels of the servers that a text asks for.
  static func labels(in text: String) -> Set<String> {
    let pattern = /\{base_url(?:\.([a-z0-9_-]+))?\}/
    return Set(text.matches(of: pattern).map { String($0.1 ?? "") })
  }
}

/// A story's crossfoot.yml: its own configuration and settings, and beside them only where things are kept.
struct StoryConfiguration {
  let story: Story
  let storeURL: String

  func text(_ places: StoryPlaces) throws -> String {
    var root = try Self.mapping(places.filled(base))
    for part in [story.configuration ?? stripe, story.settings] {
      for (key, value) in try Self.mapping(places.filled(part)) { root[key] = Self.merged(root[key], value) }
    }
    return try Yams.serialize(node: .mapping(root))
  }

  private var base: String {
    """
    reporting: {output: output}
    store: {url: "\(storeURL)"}
    landing: {directory: landing}
    orders: [{name: shop, kind: csv, orders: orders.csv, refunds: order_refunds.csv}]
    """
  }

  private var stripe: String {
    """
    providers:
      - {name: stripe, kind: stripe, api_key: "{stripe_key}", base_url: "{stripe_url}", retry: \(story.retry)}
    """
  }

  private static func mapping(_ text: String) throws -> Node.Mapping {
    guard let node = try Yams.compose(yaml: text) else { return [:] }
    guard let mapping = node.mapping else { throw StoryError("a configuration is a mapping") }
    return mapping
  }

  private static func merged(_ above: Node?, _ own: Node) -> Node {
    guard var mapping = above?.mapping, let others = own.mapping else { return own }
    for (key, value) in others { mapping[key] = value }
    return .mapping(mapping)
  }
}
