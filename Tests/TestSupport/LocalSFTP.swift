import Foundation

/// OpenSSH's own sshd on loopback, as a child of the test and never as root, with keys of its own and a folder of
/// files.
///
/// As root the child becomes `nobody`: an sshd without privileges lets in nobody but the user who runs it, which is all
/// that is needed.
package final class LocalSFTP {
  private static let program = "/usr/sbin/sshd"
  package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  package let folder: String
  /// The folder that is served.
  package var inbox: String { folder + "/inbox" }
  package let port: Int
  private let sshd: Child
  private static let isRoot = getuid() == 0

  /// Starts it with a host key of that type, and lets in the users' keys that `key` makes.
  private init(folder: String, hostKey: String) throws {
    self.folder = folder
    port = try Self.freePort()
    try FileManager.default.createDirectory(atPath: folder + "/inbox", withIntermediateDirectories: true)
    try Self.generate(hostKey, at: folder + "/host")
    // sshd, which is not root, must read its key; as the file is not its own, it does not mind that others may.
    if Self.isRoot { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/host") }
    try Data().write(to: URL(fileURLWithPath: folder + "/authorized"))
    let settings = [
      "Port \(port)", "ListenAddress 127.0.0.1", "HostKey \(folder)/host", "PidFile none", "UsePAM yes",
      "StrictModes no",
      "PasswordAuthentication no", "KbdInteractiveAuthentication no", "AuthorizedKeysFile \(folder)/authorized",
      "Subsystem sftp internal-sftp",
    ]
    try Data((settings.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/config"))
    let command = [Self.program, "-D", "-e", "-f", folder + "/config"]
    let whole =
      Self.isRoot ? ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + command : command
    sshd = try Child(whole, isHeard: true)
    guard sshd.says("Server listening") else { throw CocoaError(.executableLoad) }
  }

  package static func with<R>(hostKey: String = "ed25519", _ body: (LocalSFTP) async throws -> R) async throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sftp-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try LocalSFTP(folder: folder, hostKey: hostKey)
    defer { server.sshd.end() }
    return try await body(server)
  }

  /// The user as whom it lets in.
  package var user: String { Self.isRoot ? "nobody" : NSUserName() }

  package func url(_ path: String? = nil) -> String { "sftp://\(user)@127.0.0.1:\(port)\(path ?? inbox)" }

  /// Makes a user's key; returns its path.
  @discardableResult package func makeKey(
    _ type: String, named name: String, isLetIn: Bool = true, options: [String] = []
  ) throws -> String {
    let path = folder + "/" + name
    try Self.generate(type, at: path, options)
    guard isLetIn else { return path }
    let old = try Data(contentsOf: URL(fileURLWithPath: folder + "/authorized"))
    try (old + Data(contentsOf: URL(fileURLWithPath: path + ".pub"))).write(
      to: URL(fileURLWithPath: folder + "/authorized"))
    return path
  }

  private static func generate(_ type: String, at path: String, _ options: [String] = []) throws {
    let words =
      ["/usr/bin/ssh-keygen", "-q", "-t", type, "-f", path] + (options.contains("-N") ? options : ["-N", ""] + options)
    guard try Child(words).wait() == 0 else { throw CocoaError(.executableLoad) }
  }

  /// A known-hosts file with the key of that name as this server's; returns its path.
  package func knownHosts(_ key: String? = "host") throws -> String {
    let path = folder + "/known-" + (key ?? "none")
    let words =
      try key.map { try String(contentsOfFile: folder + "/\($0).pub", encoding: .utf8).split(separator: " ").prefix(2) }
      ?? []
    let line = words.isEmpty ? "" : "[127.0.0.1]:\(port) \(words.joined(separator: " "))\n"
    try Data(line.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The same with the server's name hashed, as OpenSSH can keep it; returns its path.
  package func hashedKnownHosts() throws -> String {
    let path = try knownHosts()
    guard try Child(["/usr/bin/ssh-keygen", "-H", "-f", path]).wait() == 0 else { throw CocoaError(.executableLoad) }
    return path
  }

  package func put(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: inbox + "/" + name))
  }

  private static func freePort() throws -> Int {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    if !isBound { throw CocoaError(.executableLoad) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
