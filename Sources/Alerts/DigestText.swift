/// A digest as plain text and as HTML: the two parts of a mail, and what `--dry-run` prints.
extension Digest {
  package var text: String {
    var lines = [headline]
    if !reasons.isEmpty { lines += [""] + reasons.map { "- \($0)" } }
    if !counts.isEmpty { lines += [""] + countLines }
    for kind in [Change.Kind.new, .worse, .resolved] {
      let some = items.filter { $0.change == kind }
      if !some.isEmpty { lines += ["", kind.rawValue.uppercased()] }
      for item in some {
        lines += [item.title, "  \(item.explanation)"]
        if !item.suggestedAction.isEmpty { lines.append("  What to do: \(item.suggestedAction)") }
        lines.append("  \(item.id)")
      }
    }
    if rest > 0 { lines += ["", "and \(rest) more in the report"] }
    if let reports { lines += ["", "Report: \(reports)"] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `New: 1 critical (120.00 EUR), 2 high`, a line for each kind of change.
  var countLines: [String] {
    [Change.Kind.new, .worse, .resolved].compactMap { kind in
      let some = counts.filter { $0.change == kind }
      guard !some.isEmpty else { return nil }
      let parts = some.map { count in
        "\(count.cases) \(count.severity)"
          + (count.amounts.isEmpty ? "" : " (\(count.amounts.joined(separator: ", ")))")
      }
      return "\(kind.rawValue.capitalized): \(parts.joined(separator: ", "))"
    }
  }

  var html: String {
    var parts = [
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>\(escaped(headline))</title></head>"
    ]
    parts.append("<body style=\"font-family:sans-serif\"><h2>\(escaped(headline))</h2>")
    parts += list(reasons) + countLines.map { "<p>\(escaped($0))</p>" }
    for kind in [Change.Kind.new, .worse, .resolved] {
      let some = items.filter { $0.change == kind }
      if !some.isEmpty { parts.append("<h3>\(kind.rawValue.capitalized)</h3>") }
      for item in some {
        let action = item.suggestedAction.isEmpty ? "" : "<br>What to do: \(escaped(item.suggestedAction))"
        parts.append(
          """
          <p><b>\(escaped(item.title))</b><br>\(escaped(item.explanation))\(action)<br><code>\(escaped(item.id))</code>\
          </p>
          """
        )
      }
    }
    if rest > 0 { parts.append("<p>and \(rest) more in the report</p>") }
    if let link {
      parts.append("<p><a href=\"\(escaped(link))\">Report</a></p>")
    } else if let reports {
      parts.append("<p>Report: <code>\(escaped(reports))</code></p>")
    }
    return (parts + ["</body></html>"]).joined(separator: "\n") + "\n"
  }

  private func list(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["<ul>"] + lines.map { "<li>\(escaped($0))</li>" } + ["</ul>"]
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
