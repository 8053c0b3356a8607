import Foundation

/// LibreOffice without a window: a spreadsheet program that none of us wrote, to open what we write and to save what people would fill in.
package enum LibreOffice {
  /// What it writes.
  package enum Format: String, Sendable { case xlsx, ods, pdf }

  package static let program = "/usr/bin/soffice"
  package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
  /// For a suite that cannot do without.
  package static let missing: String = "LibreOffice, openpyxl and xmllint are not all installed: scripts/setup test"

  /// Opens a file and saves it in another format, under its name with the format's extension.
  ///
  /// The profile is its own and gone afterwards: whatever the user of the machine set, a recalculating one computes every formula anew, another one
  /// shows the saved values.
  ///
  /// - Parameter folder: where the new file goes; a different one than the file's, if the format is the same.
  /// - Returns: the path of the new file.
  /// - Throws: `Refusal` when the file was not opened, or only under protest.
  @discardableResult
  package static func convert(_ file: String, to format: Format, recalculating: Bool, into folder: String) async throws -> String {
    let files = FileManager.default
    let profile = files.temporaryDirectory.appendingPathComponent("libreoffice-\(UUID().uuidString)").path
    defer { try? files.removeItem(atPath: profile) }
    try files.createDirectory(atPath: "\(profile)/user", withIntermediateDirectories: true)
    try Data(settings(recalculating: recalculating).utf8).write(to: URL(fileURLWithPath: "\(profile)/user/registrymodifications.xcu"))
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = ((file as NSString).lastPathComponent as NSString).deletingPathExtension
    let output = "\(folder)/\(name).\(format.rawValue)"
    try? files.removeItem(atPath: output)
    // A program that asks somebody a question nobody sees would wait for ever.
    let words = ["/usr/bin/timeout", "--kill-after=10", "300", program, "--headless", "-env:UserInstallation=file://\(profile)"]
    let ended = try await ProgramRun(words + ["--convert-to", format.rawValue, "--outdir", folder, file])
    let protests = ended.said.split(separator: "\n").filter { $0.hasPrefix("Error") || $0.localizedCaseInsensitiveContains("repair") }
    guard ended.status == 0, protests.isEmpty, files.fileExists(atPath: output) else { throw Refusal(file: file, said: ended.said) }
    return output
  }

  /// LibreOffice did not open or not save a file.
  package struct Refusal: Error, CustomStringConvertible {
    let file: String
    let said: String
    package var description: String { "LibreOffice refuses \(file): \(said)" }
  }

  /// 0: always compute formulas anew, 1: never.
  private static func settings(recalculating: Bool) -> String {
    let modes = ["OOXMLRecalcMode", "ODFRecalcMode"].map { name in
      """
      <item oor:path="/org.openoffice.Office.Calc/Formula/Load">
      <prop oor:name="\(name)" oor:op="fuse"><value>\(recalculating ? 0 : 1)</value></prop>
      </item>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
      \(modes.joined(separator: "\n"))
      </oor:items>
      """
  }
}

/// A program that ran to its end.
package struct ProgramRun: Sendable {
  package let status: Int32
  /// What it said on both outputs.
  package let said: String

  package init(_ words: [String]) async throws {
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("said-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    status = try await Child(words, output: output.path).ended()
    said = String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }
}
