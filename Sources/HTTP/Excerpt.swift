/// The first words of a body, for an error text: without markup, control characters, e-mail addresses or secrets.
package enum Excerpt {
  /// How many bytes of a body are examined.
  private static let most = 16_384

  /// At most `length` characters of the body's text, secrets replaced by `<secret>`.
  package static func of(_ body: [UInt8], hiding secrets: [String], length: Int = 200) -> String {
    let plain = withoutMarkup(String(decoding: body.prefix(most), as: UTF8.self))
    // What the cut may have split is dropped: half an address or half a secret would not be recognised.
    let whole = body.count > most ? String(plain.dropLast(256)) : plain
    let text = Addresses.hidden(in: hide(secrets, in: whole))
    return text.count > length ? String(text.prefix(length)) + "…" : text
  }

  /// The text with each word of the secrets replaced.
  ///
  /// Secrets are split at spaces, so that the key alone of `Bearer sk_…` is found too.
  package static func hide(_ secrets: [String], in text: String) -> String {
    var result = text
    for secret in secrets {
      for word in [Substring(secret)] + secret.split(separator: " ") where word.count >= 7 && result.contains(word) {
        result = result.split(separator: word, omittingEmptySubsequences: false).joined(separator: "<secret>")
      }
    }
    return result
  }

  /// Tags become spaces, runs of spaces and control characters one space.
  private static func withoutMarkup(_ text: String) -> String {
    var words = ""
    var depth = 0
    for character in text.unicodeScalars {
      switch character {
      case "<": depth += 1
      case ">" where depth > 0:
        depth -= 1
        words.append(" ")
      default:
        if depth == 0 { words.unicodeScalars.append(character.value < 32 || character.value == 127 ? " " : character) }
      }
    }
    return words.split(separator: " ").joined(separator: " ")
  }
}
