/// A place in the configuration: `crossfoot.yml:12: providers[0].api_key`.
package struct SettingsPlace: Sendable, Equatable, CustomStringConvertible {
  /// The file name as given by the caller.
  package var file: String
  /// The line, from 1; 0 when the file as a whole is meant.
  package var line: Int
  /// The key path, empty for the file as a whole.
  package var keyPath: String

  /// Names a place.
  package init(file: String, line: Int, keyPath: String) {
    self.file = file
    self.line = line
    self.keyPath = keyPath
  }

  package var description: String {
    (line > 0 ? "\(file):\(line)" : file) + (keyPath.isEmpty ? "" : ": \(keyPath)")
  }
}

/// One mistake in a configuration, with all that is needed to correct it.
package enum SettingsProblem: Sendable, Equatable {
  /// The file could not be opened or is not UTF-8.
  case unreadableFile(SettingsPlace, reason: String)
  /// The file is not YAML.
  case malformedYAML(SettingsPlace, column: Int, reason: String)
  /// An unknown key; `known` are the valid ones.
  case unknownKey(SettingsPlace, nearest: String?, known: [String])
  /// A required key is absent or empty.
  case missingKey(SettingsPlace, expected: String)
  /// A value of another type than the key takes.
  case wrongType(SettingsPlace, expected: String, found: String)
  /// A value of the right type that is not allowed.
  case badValue(SettingsPlace, expected: String, found: String)
  /// `${NAME}` names an environment variable that is not set.
  case missingVariable(SettingsPlace, name: String)
  /// `${file:/path}` names a file that cannot be read.
  case unreadableSecretFile(SettingsPlace, path: String, reason: String)
  /// `${` without `}`, or with nothing usable in between.
  case malformedReference(SettingsPlace)
  /// Two entries share a name.
  case duplicateName(SettingsPlace, name: String, firstLine: Int)
  /// A mistake that only the reader of the key can detect; `sentence` contains what was found, what was expected and
  /// what to do.
  case objection(SettingsPlace, sentence: String)

  /// The place of the mistake.
  package var place: SettingsPlace {
    switch self {
    case .unreadableFile(let place, _), .malformedYAML(let place, _, _), .unknownKey(let place, _, _),
      .missingKey(let place, _),
      .wrongType(let place, _, _), .badValue(let place, _, _), .missingVariable(let place, _),
      .unreadableSecretFile(let place, _, _),
      .malformedReference(let place), .duplicateName(let place, _, _), .objection(let place, _):
      return place
    }
  }
}

extension SettingsProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadableFile(let place, let reason): "\(place): cannot be read: \(reason)"
    case .malformedYAML(let place, let column, let reason): "\(place), column \(column): this is not YAML: \(reason)"
    case .unknownKey(let place, let nearest?, _): "\(place): unknown key; did you mean \"\(nearest)\"?"
    case .unknownKey(let place, nil, let known): "\(place): unknown key; \(Self.list(of: known))"
    case .missingKey(let place, let expected): "\(place): missing; expected \(expected)"
    case .wrongType(let place, let expected, let found): "\(place): expected \(expected), found \(found)"
    case .badValue(let place, let expected, let found): "\(place): expected \(expected), found \(found)"
    case .missingVariable(let place, let name):
      "\(place): the environment variable \(name) is not set; export it or write the value"
    case .unreadableSecretFile(let place, let path, let reason): "\(place): cannot read \(path): \(reason)"
    case .malformedReference(let place):
      "\(place): expected ${NAME} or ${file:/path} after \"$\" and \"{\"; name and closing \"}\" belong to it"
    case .duplicateName(let place, let name, let line):
      "\(place): the name \"\(name)\" is already taken in line \(line); choose another"
    case .objection(let place, let sentence): "\(place): \(sentence)"
    }
  }

  private static func list(of known: [String]) -> String {
    known.isEmpty ? "nothing belongs here" : "known here: " + known.sorted().joined(separator: ", ")
  }
}

/// All mistakes in a configuration, in the order of its lines: the command prints it and exits with 78.
package struct SettingsError: Error, Equatable, CustomStringConvertible {
  /// At least one.
  package let problems: [SettingsProblem]

  /// Sorts the problems by line and leaves out repetitions.
  package init(_ problems: [SettingsProblem]) {
    var seen: Set<String> = []
    let unique = problems.filter { seen.insert($0.description).inserted }
    self.problems = unique.enumerated().sorted {
      ($0.element.place.line, $0.offset) < ($1.element.place.line, $1.offset)
    }.map(
      \.element)
  }

  /// One line a problem.
  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
