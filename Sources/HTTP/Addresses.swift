/// Finds e-mail addresses in foreign text in one pass: a regular expression would rescan a long text from each of its
/// letters.
package enum Addresses {
  /// The text with each run of characters that has an `@` between others replaced by `<address>`.
  package static func hidden(in text: String) -> String {
    var output = String.UnicodeScalarView()
    var run = String.UnicodeScalarView()
    func end() {
      output.append(contentsOf: isAddress(run) ? "<address>".unicodeScalars : run)
      run.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      if separates(scalar) {
        end()
        output.append(scalar)
      } else {
        run.append(scalar)
      }
    }
    end()
    return String(output)
  }

  private static func isAddress(_ run: String.UnicodeScalarView) -> Bool {
    run.count > 2 && run.dropFirst().dropLast().contains("@")
  }

  private static func separates(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "'", "<", ">", "(", ")", ",", ":", ";", "=": true
    default: scalar.properties.isWhitespace
    }
  }
}
