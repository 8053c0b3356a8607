import Foundation
import Settings

/// The configuration as a seal contains it: without secrets, and with the team's own checks and reports.
struct ConfigurationCopy {
  static let file = "crossfoot.yml"
  /// The landing zone of a bundle, relative to the folder of its configuration.
  static let landing = "../../../landing"
  let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  func write(into folder: SealedFolder) throws {
    var folders: [String: [String]] = [:]
    for (key, paths) in [("checks", settings.checks), ("reports", settings.reports)] {
      for (place, path) in paths.enumerated() {
        let name = "\(key)/\(place + 1)"
        for file in SealedFolder.names(path) {
          try folder.copy("\(path)/\(file)", as: "\(SealMaker.configuration)/\(name)/\(file)")
        }
        folders[key, default: []].append(name)
      }
    }
    // The workbook names the file, so the copy has the same name.
    let rates = settings.reporting.rates.map { "rates/\(URL(fileURLWithPath: $0).lastPathComponent)" }
    if let rates, let source = settings.reporting.rates, FileManager.default.fileExists(atPath: source) {
      try folder.copy(source, as: "\(SealMaker.configuration)/\(rates)")
    }
    let text = settings.copy(landing: Self.landing, folders: folders, rates: rates ?? "")
    try folder.add("\(SealMaker.configuration)/\(Self.file)", Array(text.utf8))
  }
}
