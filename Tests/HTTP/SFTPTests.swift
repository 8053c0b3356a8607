import Foundation
import Logging
import TestSupport
import Testing

@testable import HTTP

/// SFTP against OpenSSH's own sshd on loopback.
@Suite(.enabled(if: LocalSFTP.isInstalled, "sshd is not installed: scripts/setup test"), .serialized)
struct SFTPTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private static let waiting = Waiting(sleep: { _ in }, jitter: { 1 }, now: { 0 })

  private func client(
    _ server: LocalSFTP, key: String, knownHosts: String? = nil, path: String? = nil, attempts: Int = 2
  ) throws -> SFTPClient {
    try SFTPClient(
      url: server.url(path), key: key, knownHosts: knownHosts ?? server.knownHosts(),
      retry: RetryPolicy(attempts: attempts), waiting: Self.waiting,
      logger: Self.logger)
  }

  @Test(arguments: [("ed25519", "ed25519"), ("ecdsa", "ed25519"), ("ed25519", "ecdsa"), ("ecdsa", "ecdsa")])
  func `files are listed and brought, with Ed25519 and ECDSA on either side`(userKey: String, hostKey: String)
    async throws
  {
    try await LocalSFTP.with(hostKey: hostKey) { server in
      let text = String(repeating: "row,1.00\n", count: 100_000)
      try server.put("2 b.csv", text)
      try server.put("b.csv", "")
      try FileManager.default.createDirectory(atPath: server.inbox + "/old", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: server.inbox + "/link.csv", withDestinationPath: "b.csv")
      let client = try client(server, key: server.makeKey(userKey, named: "user"))
      let files = try await client.list()
      #expect(files.map(\.name) == ["2 b.csv", "b.csv", "link.csv"])
      #expect(files.map { $0.stamp?.contains("900000 ") } == [true, false, nil])
      let path = server.folder + "/brought.csv"
      try await client.download("2 b.csv", to: path)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      try await client.download("b.csv", to: path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
      let hashed = try self.client(server, key: server.folder + "/user", knownHosts: server.hashedKnownHosts())
      #expect(try await hashed.list().map(\.name) == files.map(\.name))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func `a host key that is unknown or another is refused, and the sentence says what to do`() async throws {
    try await LocalSFTP.with { server in
      let key = try server.makeKey("ed25519", named: "user")
      let unknown = try client(server, key: key, knownHosts: server.knownHosts(nil))
      let first = await #expect(throws: SFTPError.self) { try await unknown.list() }
      #expect(first == .unknownHost(host: "127.0.0.1", port: "\(server.port)"))
      #expect("\(first.map { "\($0)" } ?? "")".contains("ssh-keyscan -p \(server.port) 127.0.0.1"))
      try server.makeKey("ed25519", named: "other", isLetIn: false)
      let changed = try client(server, key: key, knownHosts: server.knownHosts("other"))
      await #expect(throws: SFTPError.changedHost(host: "127.0.0.1")) { try await changed.list() }
      try server.makeKey("ecdsa", named: "another-kind", isLetIn: false)
      let kind = try client(server, key: key, knownHosts: server.knownHosts("another-kind"))
      await #expect(throws: SFTPError.noCommonKind(host: "127.0.0.1")) { try await kind.list() }
    }
  }

  @Test func `a key that the server does not know is denied, at once`() async throws {
    try await LocalSFTP.with { server in
      let client = try client(server, key: server.makeKey("ed25519", named: "stranger", isLetIn: false))
      await #expect(throws: SFTPError.denied(host: "127.0.0.1")) { try await client.list() }
    }
  }

  @Test func `what is missing or may not be read is named`() async throws {
    try await LocalSFTP.with { server in
      let key = try server.makeKey("ed25519", named: "user")
      let away = try client(server, key: key, path: server.folder + "/no")
      let folder = await #expect(throws: SFTPError.self) { try await away.list() }
      #expect(folder == .missing("the folder 127.0.0.1:\(server.folder)/no/"))
      try server.put("closed.csv", "secret")
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: server.inbox + "/closed.csv")
      let client = try client(server, key: key)
      let path = server.folder + "/brought.csv"
      await #expect(throws: SFTPError.forbidden("the file 127.0.0.1:\(server.inbox)/closed.csv")) {
        try await client.download("closed.csv", to: path)
      }
      await #expect(throws: SFTPError.missing("the file 127.0.0.1:\(server.inbox)/gone.csv")) {
        try await client.download("gone.csv", to: path)
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      await #expect(throws: SFTPError.disk(reason: "No such file or directory")) {
        try await client.download("closed.csv", to: server.folder + "/no/brought.csv")
      }
    }
  }

  @Test func `a file that grows is brought as long as it was when it was asked for, or longer, never torn`()
    async throws
  {
    try await LocalSFTP.with { server in
      let client = try client(server, key: server.makeKey("ed25519", named: "user"))
      try server.put("grows.csv", "")
      let path = server.inbox + "/grows.csv"
      let writer = Task.detached {
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        while !Task.isCancelled { try file.write(contentsOf: Data("0123456789\n".utf8)) }
      }
      for _ in 1...5 {
        try await client.download("grows.csv", to: server.folder + "/brought.csv")
        let text = try String(contentsOfFile: server.folder + "/brought.csv", encoding: .utf8)
        #expect(text == String(repeating: "0123456789\n", count: text.count / 11))
      }
      writer.cancel()
      _ = await writer.result
    }
  }

  @Test func `a server that is not there is asked again, then named`() async throws {
    let (url, key, known) = try await LocalSFTP.with { server in
      let kept = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString)").path
      try FileManager.default.copyItem(atPath: server.makeKey("ed25519", named: "user"), toPath: kept)
      try FileManager.default.copyItem(atPath: server.knownHosts(), toPath: kept + ".known")
      return (server.url(), kept, kept + ".known")
    }
    defer { for path in [key, known] { try? FileManager.default.removeItem(atPath: path) } }
    let client = try SFTPClient(
      url: url, key: key, knownHosts: known, retry: RetryPolicy(attempts: 3), waiting: Self.waiting, logger: Self.logger
    )
    let error = await #expect(throws: SFTPError.self) { try await client.list() }
    #expect(error?.isUnreachable == true)
    #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("127.0.0.1: no answer over SFTP in 3 attempts ("))
  }

  @Test func `an RSA key is refused before anything is asked, in each of its clothes`() async throws {
    try await LocalSFTP.with { server in
      for format in ["RFC4716", "PEM", "PKCS8"] {
        let options = format == "RFC4716" ? [] : ["-m", format]
        let key = try server.makeKey("rsa", named: "rsa-\(format)", options: options)
        let error = #expect(throws: SFTPError.self) { try client(server, key: key) }
        let words = "\(error.map { "\($0)" } ?? "")"
        #expect(
          words.hasPrefix(
            "settlement_key: the file is an RSA key, which this libssh2 cannot use with a current OpenSSH server; "
              + "make an Ed25519"
          ))
        #expect(words.contains("ssh-keygen -t ed25519") && !words.contains(server.folder))
      }
    }
  }

  @Test func `an ECDSA key in PEM works, a key with a passphrase and a file without a key do not`() async throws {
    try await LocalSFTP.with { server in
      try server.put("a.csv", "1")
      for format in ["PEM", "PKCS8"] {
        let client = try client(server, key: server.makeKey("ecdsa", named: "ec-\(format)", options: ["-m", format]))
        #expect(try await client.list().map(\.name) == ["a.csv"])
      }
      let locked = try server.makeKey("ed25519", named: "locked", options: ["-N", "secret words"])
      let plain = try server.makeKey("ed25519", named: "plain")
      for (path, words) in [
        (locked, "has a passphrase"), (plain + ".pub", "is no private key"), (plain + ".no", "cannot be read"),
      ] {
        let error = #expect(throws: SFTPError.self) { try client(server, key: path) }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("settlement_key: the file \(words)"))
      }
      #expect(throws: SFTPError.knownHosts) { try client(server, key: plain, knownHosts: server.folder + "/no") }
    }
  }
}

/// What needs no server.
@Suite struct SFTPPartsTests {
  @Test(arguments: [
    "https://user@host/path", "sftp://host/path", "sftp://user:word@host/path", "sftp://user@host/path?x=1",
    "host:/path", "",
  ])
  func `an address is sftp, with a user and without a password`(url: String) {
    let error = #expect(throws: SFTPError.self) { try SFTPAddress(url) }
    #expect(error.map { "\($0)".hasPrefix("settlement_url: it ") && !"\($0)".contains("word@") } == true)
  }

  @Test func `an address is taken apart and put together`() throws {
    let address = try SFTPAddress("sftp://reports%40shop@files.example.com:2222/out/box")
    #expect(address.user == "reports@shop" && address.host == "files.example.com" && address.port == "2222")
    #expect(address.url(of: "a b#1.csv") == "sftp://files.example.com:2222/out/box/a%20b%231.csv")
    #expect(try SFTPAddress("sftp://u@h").url() == "sftp://h:22/")
  }

  @Test func `a long list is read by the names of the plain one, whatever its form`() {
    let names = "a.csv\nb a.csv\nold\nl -> x.csv\nnew.csv\n.\n..\n"
    let long = """
      -rwxr--r--   1 - -           12 Nov 21 11:36 a.csv
      -rw-r--r--    1 shop shop 7 Nov 21  2025 b a.csv
      drwxr-xr-x    2 shop shop 4096 Nov 21 11:36 old
      lrwxrwxrwx    1 shop shop 4096 Nov 21 11:36 l -> x.csv

      """
    let files = SFTPListing(names: Array(names.utf8), long: Array(long.utf8)).files
    #expect(files.map(\.name) == ["a.csv", "b a.csv", "l -> x.csv", "new.csv"])
    #expect(
      files.map(\.stamp) == [
        "-rwxr--r--   1 - -           12 Nov 21 11:36", "-rw-r--r--    1 shop shop 7 Nov 21  2025", nil, nil,
      ])
  }
}
