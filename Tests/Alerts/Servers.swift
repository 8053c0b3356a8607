import Foundation
import Settings
import TestSupport

/// A receiver of the tests' own in Python, with a certificate that only its own authority vouches for.
class Receiver {
  let folder: String
  let port: Int
  private let child: Child

  /// - Parameter mode: one of those that the script's first lines explain.
  init(_ scene: Scene, _ script: String, _ mode: String) throws {
    folder = scene.folder + "/\(script)-\(mode)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("\(script).py").path
    child = try Child(["/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1", "python3", path, folder, mode], isHeard: true)
    guard child.says("listening") else { throw CocoaError(.executableLoad) }
    port = Int(try String(contentsOfFile: folder + "/port", encoding: .utf8)) ?? 0
  }

  deinit { child.end() }

  func read(_ name: String) -> String? { try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) }
}

/// A mail server.
final class MailServer: Receiver {
  private let scheme: String

  init(_ scene: Scene, _ mode: String) throws {
    scheme = mode == "smtps" ? "smtps" : "smtp"
    try super.init(scene, "serve-smtp", mode)
  }

  func entry(_ scene: Scene, further: String = "") throws -> [AlertEntry] {
    try scene.entries(
      """
        - kind: email
          url: \(scheme)://127.0.0.1:\(port)
          username: crossfoot
          password: mail-password-1
          from: crossfoot@example.com
          to: [finance@example.com, ops@example.com]
      \(further)
      """)
  }

  var trusted: String { "    ca_file: \(folder)/ca.pem" }
  var commands: String { read("commands.txt") ?? "" }
  func mail(_ number: Int) -> String? { read("mail-\(number).txt") }
}

/// A web receiver behind TLS.
final class WebServer: Receiver {
  init(_ scene: Scene, _ mode: String) throws { try super.init(scene, "serve-https", mode) }

  func entry(_ scene: Scene, kind: String = "webhook", isTrusted: Bool = true) throws -> [AlertEntry] {
    let trust = isTrusted ? ", ca_file: '\(folder)/ca.pem'" : ""
    return try scene.entries(
      """
        - {kind: \(kind), url: 'https://127.0.0.1:\(port)/services/T1/B1/verysecretpart', retry: {attempts: 2}\(trust)}
      """
    )
  }

  var connections: Int { read("connections.txt")?.split(separator: "\n").count ?? 0 }
}
