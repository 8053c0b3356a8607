import Foundation

/// Resolves `${NAME}` and `${file:/path}` inside string values, and records what it cannot resolve.
struct References {
  /// The file that contains them, for messages.
  let file: String
  /// The folder of that file, from which relative secret files are resolved.
  let folder: String
  let environment: [String: String]
  private(set) var problems: [SettingsProblem] = []

  init(file: String, folder: String, environment: [String: String]) {
    self.file = file
    self.folder = folder
    self.environment = environment
  }

  /// The text of a file with the braces of references replaced, so that YAML does not interpret them: `[${NAME}]` would
  /// otherwise not be a list. Lines and columns stay as they are.
  static func shielded(_ text: String) -> String {
    var shielded = ""
    var rest = text[...]
    while let opening = rest.range(of: "${") {
      shielded += rest[..<opening.lowerBound]
      rest = rest[opening.upperBound...]
      guard let closing = rest.firstIndex(where: { !$0.isASCIIWord && !"_:/.-".contains($0) }), rest[closing] == "}"
      else {
        shielded += "${"
        continue
      }
      shielded += "$\(shield.opening)\(rest[..<closing])\(shield.closing)"
      rest = rest[rest.index(after: closing)...]
    }
    return shielded + rest
  }

  /// A value of such a text with its original braces.
  static func unshielded(_ value: String) -> String {
    guard value.contains(shield.opening) else { return value }
    return String(value.map { $0 == shield.opening ? "{" : $0 == shield.closing ? "}" : $0 })
  }

  /// Private-use characters, which no configuration contains.
  private static let shield: (opening: Character, closing: Character) = ("\u{E000}", "\u{E001}")

  /// The text with every reference replaced, or nil when one could not be; replaced text is not resolved again.
  mutating func resolve(_ text: String, line: Int, keyPath: String) -> String? {
    let place = SettingsPlace(file: file, line: line, keyPath: keyPath)
    var resolved = ""
    var rest = text[...]
    var isWhole = true
    while let opening = rest.range(of: "${") {
      resolved += rest[..<opening.lowerBound]
      guard let closing = rest[opening.upperBound...].firstIndex(of: "}") else {
        problems.append(.malformedReference(place))
        return nil
      }
      if let value = value(of: String(rest[opening.upperBound..<closing]), at: place) {
        resolved += value
      } else {
        isWhole = false
      }
      rest = rest[rest.index(after: closing)...]
    }
    return isWhole ? resolved + rest : nil
  }

  private mutating func value(of name: String, at place: SettingsPlace) -> String? {
    if name.hasPrefix("file:") { return content(of: String(name.dropFirst("file:".count)), at: place) }
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || Character(Unicode.Scalar($0)).isASCIIWord })
    else {
      problems.append(.malformedReference(place))
      return nil
    }
    guard let value = environment[name] else {
      problems.append(.missingVariable(place, name: name))
      return nil
    }
    return value
  }

  private mutating func content(of path: String, at place: SettingsPlace) -> String? {
    let whole = Paths.absolute(path, from: folder)
    do {
      return try String(contentsOfFile: whole, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
      problems.append(.unreadableSecretFile(place, path: path, reason: Paths.reason(whole)))
      return nil
    }
  }
}

extension Character {
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}

/// Paths of the configuration: relative ones are resolved from the configuration file's folder.
enum Paths {
  /// The path itself when absolute, else below `folder`; `~` is not expanded.
  static func absolute(_ path: String, from folder: String) -> String {
    let joined = path.hasPrefix("/") ? path : folder + "/" + path
    return URL(fileURLWithPath: joined).standardizedFileURL.path
  }

  /// Why a file cannot be read, for messages.
  static func reason(_ path: String) -> String {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return "there is no such file"
    }
    if isDirectory.boolValue { return "it is a folder" }
    return FileManager.default.isReadableFile(atPath: path) ? "it is not UTF-8 text" : "permission denied"
  }
}
