import Foundation

/// The configuration file, parsed, with its variables resolved.
struct Document {
  /// The absolute path.
  let file: String
  let value: SettingsValue
  let root: SettingsNode
  /// Variables that could not be resolved.
  let problems: [SettingsProblem]

  /// Reads the file, which messages refer to as `path`.
  ///
  /// - Throws: `SettingsError` when it cannot be read or is not YAML.
  init(_ path: String, environment: [String: String]) throws {
    file = Paths.absolute(path, from: FileManager.default.currentDirectoryPath)
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let place = SettingsPlace(file: path, line: 0, keyPath: "")
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw SettingsError([.unreadableFile(place, reason: Paths.reason(file))])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsError([.unreadableFile(place, reason: "it is not UTF-8 text")])
    }
    var references = References(file: path, folder: folder, environment: environment)
    value = try SettingsValue.document(text, file: path, references: &references)
    problems = references.problems
    root = SettingsNode(value, place: SettingsPlace(file: path, line: 1, keyPath: ""), folder: folder)
  }
}
