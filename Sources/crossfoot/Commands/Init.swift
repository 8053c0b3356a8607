import ArgumentParser
import Foundation

/// The first step at a new place.
struct Init: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a commented crossfoot.yml, a crontab line and a systemd service and timer.",
    discussion: "Existing files are not overwritten without --force, and nothing is installed.")

  @Option(help: ArgumentHelp("Where to write.", valueName: "folder"))
  var directory = "."

  @Flag(help: "Overwrite files that exist.")
  var force = false

  func run() async throws {
    let folder = URL(fileURLWithPath: directory).standardizedFileURL.path
    let files = InitFiles(folder: folder, binary: Resources.binary, user: Self.user).all
    try refuseExisting(files.map(\.name), in: folder)
    try Self.attempt("make \(folder)") {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for file in files {
      let path = folder + "/" + file.name
      try Self.attempt("write \(path)") {
        try Data(file.content.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      }
    }
    try Terminal.print(Self.words(files, folder))
  }

  /// The current user, unless that is root: then a dedicated account.
  private static var user: String { geteuid() == 0 ? "crossfoot" : NSUserName() }

  private func refuseExisting(_ names: [String], in folder: String) throws {
    let existing = names.filter { FileManager.default.fileExists(atPath: folder + "/" + $0) }
    if !force && !existing.isEmpty {
      throw Failure(
        .inputOutput,
        "\(existing.joined(separator: ", ")) in \(folder) would be overwritten; use --force to overwrite them")
    }
  }

  private static func attempt(_ what: String, _ body: () throws -> Void) throws {
    do { try body() } catch { throw Failure(.inputOutput, "cannot \(what): \(error.localizedDescription)") }
  }

  private static func words(_ files: [InitFile], _ folder: String) -> String {
    let list = files.map { "  \($0.name.padding(toLength: 27, withPad: " ", startingAt: 0))\($0.purpose)" }
    return """
      Written to \(folder):
      \(list.joined(separator: "\n"))
      Next: put the key of your provider into the environment, edit crossfoot.yml, then `crossfoot doctor` and \
      `crossfoot run`.
      """
  }
}

/// A file that `init` writes.
struct InitFile: Sendable {
  let name: String
  let purpose: String
  let content: String
}
