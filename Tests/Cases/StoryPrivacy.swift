import Foundation
import Landing
import Testing

/// Nothing that a run leaves behind reports a person or the key: reports, store, log files, landing zone.
struct StoryPrivacy {
  let secrets: [String]
  let folder: String
  /// What the story itself delivers is in no need of secrecy before it is read.
  private let delivered: Set<String>

  init(story: Story, folder: String) {
    self.folder = folder
    secrets = Self.secrets + story.secrets
    delivered = Set(story.nights.flatMap { $0.files.map(\.path) })
  }

  /// What StoryObjects puts into every charge, and the key that opens the endpoint.
  static let secrets = [
    "Jenny Rosen", "jenny.rosen@example.com", "\"4242\"", ",4242,", "Xt5EWLLDS7FJjR1c", StoryRunner.key,
  ]
  /// Ours to name: the configuration carries the key, and compressed lines are read through the landing zone.
  private static let readOtherwise = ["crossfoot.yml", ".zst"]

  func check() throws {
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? FileManager.DirectoryEnumerator() {
      let file = "\(folder)/\(path)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      guard !delivered.contains(path), !Self.readOtherwise.contains(where: path.hasSuffix) else { continue }
      look(in: FileManager.default.contents(atPath: file) ?? Data(), path)
    }
    let landing = Landing(directory: "\(folder)/landing")
    for manifest in try landing.manifests(asOf: nil) {
      try landing.read(manifest) { line, number in look(in: Data(line), "\(manifest.path):\(number)") }
    }
  }

  private func look(in bytes: Data, _ place: String) {
    for secret in secrets where bytes.range(of: Data(secret.utf8)) != nil { Issue.record("\(place) holds \(secret)") }
  }
}
