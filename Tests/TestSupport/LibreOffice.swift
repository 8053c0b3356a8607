import Foundation

/// LibreOffice without a window: a spreadsheet program that none of us wrote, to open what we write and to save what
/// people would fill in.
package enum LibreOffice {
  /// What it writes.
  package enum Format: String, Sendable { case xlsx, ods, pdf }

  package static let program = "/usr/bin/soffice"
  package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
  /// For a suite that cannot do without.
  package static let missing: String = "LibreOffice, openpyxl and xmllint are not all installed: scripts/setup test"

  /// Opens a file and saves it in another format, under its name with the format's extension.
  ///
  /// The profile is its own and gone afterwards: whatever the user of the machine set, a recalculating one computes
  /// every formula anew, another one shows the saved values.
  ///
  /// - Parameter folder: where the new file goes; a different one than the file's, if the format is the same.
  /// - Returns: the path of the new file.
  /// - Throws: `Refusal` when the file was not opened, or only under protest.
  @discardableResult
  package static func convert(_ file: String, to format: Format, recalculating: Bool, into folder: String) async throws
    -> String
  {
    let files = FileManager.default
    let profile = try profile(recalculating: recalculating)
    defer { try? files.removeItem(atPath: profile) }
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = ((file as NSString).lastPathComponent as NSString).deletingPathExtension
    let output = "\(folder)/\(name).\(format.rawValue)"
    try? files.removeItem(atPath: output)
    let ended = try await run(profile, ["--convert-to", format.rawValue, "--outdir", folder, file])
    let protests = ended.said.split(separator: "\n").filter {
      $0.hasPrefix("Error") || $0.localizedCaseInsensitiveContains("repair")
    }
    guard ended.status == 0, protests.isEmpty, files.fileExists(atPath: output) else {
      throw Refusal(file: file, said: ended.said)
    }
    return output
  }

  /// Opens a workbook, does to it what a person would do, and saves it as .xlsx under another name.
  ///
  /// - Parameters:
  ///   - steps: statements of LibreOffice's Basic on the document `book`.
  ///   - password: what the new file is locked with.
  /// - Throws: `Refusal` when nothing was saved.
  package static func edit(_ file: String, into output: String, password: String? = nil, _ steps: [String]) async throws
  {
    let profile = try profile(recalculating: false)
    defer { try? FileManager.default.removeItem(atPath: profile) }
    let library = "\(profile)/user/basic"
    try FileManager.default.createDirectory(atPath: "\(library)/Standard", withIntermediateDirectories: true)
    for (path, text) in Basic.library(steps, source: file, target: output, password: password) {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(library)/\(path)"))
    }
    let ended = try await run(profile, ["macro:///Standard.Module1.Edit"])
    guard ended.status == 0, FileManager.default.fileExists(atPath: output) else {
      throw Refusal(file: file, said: ended.said)
    }
  }

  /// A program that asks somebody a question nobody sees would wait for ever.
  private static func run(_ profile: String, _ words: [String]) async throws -> ProgramRun {
    try await ProgramRun(
      ["/usr/bin/timeout", "--kill-after=10", "300", program, "--headless", "-env:UserInstallation=file://\(profile)"]
        + words)
  }

  private static func profile(recalculating: Bool) throws -> String {
    let files = FileManager.default
    let profile = files.temporaryDirectory.appendingPathComponent("libreoffice-\(UUID().uuidString)").path
    try files.createDirectory(atPath: "\(profile)/user", withIntermediateDirectories: true)
    try Data(settings(recalculating: recalculating).utf8).write(
      to: URL(fileURLWithPath: "\(profile)/user/registrymodifications.xcu"))
    return profile
  }

  /// LibreOffice did not open or not save a file.
  package struct Refusal: Error, CustomStringConvertible {
    let file: String
    let said: String
    package var description: String { "LibreOffice refuses \(file): \(said)" }
  }

  /// 0: always compute formulas anew, 1: never. A profile that counts as set up is left as it is, macros included.
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
      <item oor:path="/org.openoffice.Setup/Office">
      <prop oor:name="ooSetupInstCompleted" oor:op="fuse"><value>true</value></prop></item>
      </oor:items>
      """
  }
}

/// A library of LibreOffice's Basic with one procedure in it, which edits a workbook.
private enum Basic {
  static func library(_ steps: [String], source: String, target: String, password: String?) -> [(
    path: String, text: String
  )] {
    let lock = password.map { password in
      [
        "Dim saved(1) As New com.sun.star.beans.PropertyValue", "Dim key(1) As New com.sun.star.beans.NamedValue",
        "key(0).Name = \"OOXPassword\"",
        "key(0).Value = \"\(password)\"", "key(1).Name = \"CryptoType\"", "key(1).Value = \"Standard\"",
        "saved(1).Name = \"EncryptionData\"",
        "saved(1).Value = key()",
      ]
    }
    let lines =
      [
        "Sub Edit", "Dim hidden(0) As New com.sun.star.beans.PropertyValue", "hidden(0).Name = \"Hidden\"",
        "hidden(0).Value = True",
        "book = StarDesktop.loadComponentFromURL(\"file://\(source)\", \"_blank\", 0, hidden())",
      ] + steps + (lock ?? ["Dim saved(0) As New com.sun.star.beans.PropertyValue"]) + [
        "saved(0).Name = \"FilterName\"", "saved(0).Value = \"Calc MS Excel 2007 XML\"",
        "book.storeToURL(\"file://\(target)\", saved())",
        "book.close(True)", "End Sub",
      ]
    let escaped = lines.map { $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;") }.joined(separator: "\n")
    return [
      ("script.xlc", list("libraries", "<library:library library:name=\"Standard\" library:link=\"false\"/>")),
      ("dialog.xlc", list("libraries", "<library:library library:name=\"Standard\" library:link=\"false\"/>")),
      ("Standard/script.xlb", list("library", "<library:element library:name=\"Module1\"/>")),
      ("Standard/dialog.xlb", list("library", "")),
      (
        "Standard/Module1.xba",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<script:module xmlns:script=\"http://openoffice.org/2000/script\" "
          + "script:name=\"Module1\" script:language=\"StarBasic\">\(escaped)</script:module>\n"
      ),
    ]
  }

  private static func list(_ element: String, _ content: String) -> String {
    let attributes =
      element == "library"
      ? " library:name=\"Standard\" library:readonly=\"false\" library:passwordprotected=\"false\"" : ""
    return
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<library:\(element) xmlns:library=\"http://openoffice.org/2000/library\"\(attributes)>"
      + "\(content)</library:\(element)>\n"
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
