/// Finds e-mail addresses, card numbers and IBANs in foreign text in one pass: a regular expression would rescan a long
/// text from each of its letters.
package enum Addresses {
  /// The text with each run of characters that has an `@` between others replaced by `<address>`, and each card number
  /// and IBAN, whose check digits are right, by `<number>`.
  package static func hidden(in text: String) -> String {
    withoutNumbers(withoutAddresses(text))
  }

  private static func withoutAddresses(_ text: String) -> String {
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

  private static func withoutNumbers(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var place = 0
    while place < bytes.count {
      guard isAlphanumeric(bytes[place]), place == 0 || !isAlphanumeric(bytes[place - 1]),
        let end = endOfNumber(bytes, from: place)
      else {
        output.append(bytes[place])
        place += 1
        continue
      }
      output.append(contentsOf: "<number>".utf8)
      place = end
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The end of a card number or IBAN that begins here, written in one piece or in groups.
  private static func endOfNumber(_ bytes: [UInt8], from start: Int) -> Int? {
    var characters: [UInt8] = []
    var (place, found, group) = (start, nil as Int?, 0)
    while place < bytes.count, characters.count < 34 {
      let byte = bytes[place]
      if isAlphanumeric(byte) {
        characters.append(byte)
        group += 1
        let endsHere = place + 1 == bytes.count || !isAlphanumeric(bytes[place + 1])
        if endsHere && (isCard(characters) || isIBAN(characters)) { found = place + 1 }
      } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-"), group == 4 || group == 6 {
        group = 0
      } else {
        break
      }
      place += 1
    }
    return found
  }

  /// 13 to 19 digits of a card scheme that pass Luhn's check.
  private static func isCard(_ characters: [UInt8]) -> Bool {
    guard (13...19).contains(characters.count), (50...54).contains(characters[0]), characters.allSatisfy(isDigit) else {
      return false
    }
    let sum = characters.reversed().enumerated().reduce(0) { sum, digit in
      let value = Int(digit.element - 48) * (digit.offset % 2 == 0 ? 1 : 2)
      return sum + value / 10 + value % 10
    }
    return sum % 10 == 0
  }

  /// Two letters, two check digits and 11 to 30 more characters, whose remainder by 97 is 1 (ISO 13616).
  private static func isIBAN(_ characters: [UInt8]) -> Bool {
    guard (15...34).contains(characters.count), !isDigit(characters[0]), !isDigit(characters[1]),
      isDigit(characters[2]), isDigit(characters[3])
    else { return false }
    let remainder = (characters[4...] + characters[..<4]).reduce(0) { remainder, byte in
      isDigit(byte) ? (remainder * 10 + Int(byte - 48)) % 97 : (remainder * 100 + Int(byte & 0x1F) + 9) % 97
    }
    return remainder == 1
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte)
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
