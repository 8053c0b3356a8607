import Foundation

/// A Slack incoming webhook, with blocks. Slack has no idempotency keys: a message is repeated only if its answer was
/// lost.
///
/// Limits: docs.slack.dev, Block Kit (50 blocks, header 150 characters, section 3000).
struct Slack: Channel {
  let post: Post

  func deliver(_ digest: Digest, key: String) async -> Delivery {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let body = try? encoder.encode(Self.message(digest)) else {
      return .failed("slack: the message cannot be written", isForGood: true)
    }
    return await post.send(body, headers: [], label: "slack")
  }

  struct Message: Encodable {
    let text: String
    let blocks: [Block]
  }
  struct Block: Encodable {
    let type: String
    var text: Words?
    var elements: [Words]?
  }
  struct Words: Encodable {
    let type: String
    let text: String
    /// No text of a record becomes a link, a mention or a channel.
    var verbatim: Bool?
  }

  static func message(_ digest: Digest) -> Message {
    var blocks = [Block(type: "header", text: Words(type: "plain_text", text: String(digest.headline.prefix(150))))]
    let facts =
      digest.reasons.map { "• \(escaped($0, atMost: 300))" } + digest.countLines.map { escaped($0, atMost: 300) }
    if !facts.isEmpty { blocks.append(section(facts.joined(separator: "\n"))) }
    for kind in [Change.Kind.new, .worse, .resolved] {
      for item in digest.items where item.change == kind {
        var lines = [
          "*\(kind.rawValue.capitalized):* \(escaped(item.title, atMost: 500))",
          escaped(item.explanation, atMost: 1200),
        ]
        if !item.suggestedAction.isEmpty { lines.append("_What to do:_ \(escaped(item.suggestedAction, atMost: 600))") }
        blocks.append(section((lines + ["`\(escaped(item.id, atMost: 80))`"]).joined(separator: "\n")))
      }
    }
    var last = digest.rest > 0 ? ["and \(digest.rest) more in the report"] : []
    if let link = digest.link {
      last.append("Report: <\(escaped(link, atMost: 500))>")
    } else if let reports = digest.reports {
      last.append("Report: \(escaped(reports, atMost: 500))")
    }
    if !last.isEmpty {
      blocks.append(
        Block(type: "context", elements: [Words(type: "mrkdwn", text: last.joined(separator: "\n"), verbatim: true)]))
    }
    return Message(text: escaped(digest.headline, atMost: 300), blocks: blocks)
  }

  private static func section(_ text: String) -> Block {
    Block(type: "section", text: Words(type: "mrkdwn", text: text, verbatim: true))
  }

  /// Escapes the three characters that Slack reads as markup; never truncated inside an escape.
  static func escaped(_ text: String, atMost length: Int) -> String {
    var result = ""
    var count = 0
    for character in text {
      let piece =
        switch character {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: String(character)
        }
      count += piece.utf16.count
      if count >= length { return result + "…" }
      result += piece
    }
    return result
  }
}
