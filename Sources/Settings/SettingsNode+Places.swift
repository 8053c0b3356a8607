import Foundation

/// Accessors for nested nodes, paths, addresses, days and time zones.
extension SettingsNode {
  // MARK: Nodes below

  /// The node below a key; an empty one when the key is left out, so that its defaults apply. Its mistakes are thrown
  /// by this node's `finish`.
  package func node(_ key: String) -> SettingsNode {
    let nodes = below(key) {
      let value = value(key) ?? SettingsValue(content: .nothing, line: place(of: key).line)
      return [SettingsNode(value, place: place(of: key), folder: folder)]
    }
    return nodes.first ?? self
  }

  /// The nodes of a list; none when the key is left out. Their mistakes are thrown by this node's `finish`.
  package func nodes(_ key: String) -> [SettingsNode] {
    below(key) { separateNodes(key) }
  }

  /// The nodes of a list that call `finish` themselves.
  func separateNodes(_ key: String) -> [SettingsNode] {
    guard let value = value(key) else { return [] }
    guard case .list(let list) = value.content else {
      return complain(key, "a list (its entries begin with \"- \")", value, [])
    }
    return list.enumerated().map { offset, element in
      SettingsNode(element, place: place(of: key, offset, element), folder: folder)
    }
  }

  // MARK: Paths

  /// An optional path, resolved from the configuration file's folder.
  package func optionalPath(_ key: String) -> String? {
    guard let path = optionalString(key) else { return nil }
    guard !path.isEmpty else {
      note(.badValue(place(of: key), expected: "a path", found: "an empty text"))
      return nil
    }
    return Paths.absolute(path, from: folder)
  }

  /// A required path, resolved from the configuration file's folder.
  package func path(_ key: String) -> String {
    required(key, "a path", optionalPath(key))
  }

  /// A path with a default, resolved from the configuration file's folder.
  package func path(_ key: String, default standard: String) -> String {
    optionalPath(key) ?? Paths.absolute(standard, from: folder)
  }

  /// A list of paths, resolved from the configuration file's folder.
  package func paths(_ key: String) -> [String] {
    strings(key).map { Paths.absolute($0, from: folder) }
  }

  // MARK: Addresses

  /// The address of a service without a trailing `/`; `http` on loopback only, otherwise one of `schemes`.
  ///
  /// - Parameter isBase: Whether paths are appended to it, so that it must have no query, fragment or user.
  package func url(_ key: String, default standard: String? = nil, schemes: [String] = ["https"], isBase: Bool = false)
    -> String
  {
    guard let text = optionalString(key) else {
      return standard ?? required(key, "an address, as in https://host", nil)
    }
    switch Address.check(text, schemes: schemes, isBase: isBase) {
    case .success(let address): return address
    case .failure(let refusal):
      note(.badValue(place(of: key), expected: refusal.expected, found: refusal.found))
      return standard ?? ""
    }
  }

  // MARK: Time

  /// The name of an IANA time zone.
  package func timeZone(_ key: String, default standard: String) -> String {
    guard let name = optionalString(key) else { return standard }
    if TimeZone(identifier: name) != nil { return name }
    let nearest =
      NearestKey.of(name, among: TimeZone.knownTimeZoneIdentifiers).map { "; did you mean \"\($0)\"?" } ?? ""
    note(.badValue(place(of: key), expected: "an IANA time zone, as in Europe/Amsterdam", found: found(key) + nearest))
    return standard
  }

  /// A calendar day as text, `2026-01-01`; nil when left out.
  package func optionalDay(_ key: String) -> String? {
    guard let text = optionalString(key) else { return nil }
    if CalendarDay.isValid(text) { return text }
    note(.badValue(place(of: key), expected: "a day, as in 2026-01-31", found: found(key)))
    return nil
  }

  /// A currency by its three letters, upper-case.
  package func currency(_ key: String) -> String {
    let code = string(key)
    if CurrencyCode.isValid(code) || code.isEmpty { return code.uppercased() }
    note(.badValue(place(of: key), expected: "a currency code of three letters, as in EUR", found: found(key)))
    return code
  }
}

/// Calendar days without a calendar library.
enum CalendarDay {
  /// Whether the text is an existing day of the years 2000 to 9999.
  static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }) else {
      return false
    }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3, numbers[0] >= 2000, (1...12).contains(numbers[1]) else { return false }
    let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...lengths[numbers[1] - 1]).contains(numbers[2])
  }
}

/// The form of a currency code; whether it exists is checked in `Payments`.
enum CurrencyCode {
  /// Three ASCII letters.
  static func isValid(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { (65...90).contains($0 & 0xDF) }
  }
}
