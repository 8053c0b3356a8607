import Foundation
import HTTP
import Landing
import Logging
import TestSupport
import Testing

@testable import Providers

/// Settlement files that lie on an SFTP server, against OpenSSH's own sshd.
@Suite(.enabled(if: LocalSFTP.isInstalled, "sshd is not installed: scripts/setup test"), .serialized)
struct SFTPFilesTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func source(_ server: LocalSFTP, key: String, knownHosts: String, path: String? = nil) throws -> SFTPFiles {
    try SFTPFiles(
      url: server.url(path), key: key, knownHosts: knownHosts, retry: RetryPolicy(attempts: 2),
      waiting: Waiting(sleep: { _ in }, jitter: { 1 }, now: { 0 }), logger: Self.logger)
  }

  @Test func `what a server has lands like what a folder has, once`() async throws {
    try await LocalSFTP.with { server in
      try await FileNight.with { night in
        try server.put("a.csv", "ID,Amount,Settled At\nr1,1,200\n")
        try server.put("b.csv.part", "ID,Amount,Settled At\nr2,1,2")
        let source = try source(server, key: server.makeKey("ed25519", named: "user"), knownHosts: server.knownHosts())
        #expect(await night.pull(source).objects == 1)
        try #expect(night.lines() == [#"{"file":"a.csv","row":2,"id":"r1","amount":"1","settled_at":"200","day":"2"}"#])
        #expect(await night.pull(source).objects == 0)
        try server.put("b.csv", "ID,Amount,Settled At\nr2,1,300\nbad,1,300\n")
        for _ in 1...2 {
          #expect(await night.pull(source).objects == 2)
          try #expect(night.refused().map(\.location) == ["b.csv:3"])
        }
        try server.put("b.csv", "ID,Amount,Settled At\nr2,1,300\n")
        #expect(await night.pull(source).objects == 1)
        #expect(await night.pull(source).isComplete)
      }
    }
  }

  @Test func `a file that may not be read, or has vanished, makes the pull incomplete, and the rest lands`()
    async throws
  {
    try await LocalSFTP.with { server in
      try await FileNight.with { night in
        for name in ["a.csv", "b.csv"] { try server.put(name, "ID,Amount,Settled At\n\(name),1,200\n") }
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: server.inbox + "/a.csv")
        try FileManager.default.createSymbolicLink(atPath: server.inbox + "/c.csv", withDestinationPath: "gone.csv")
        let source = try source(server, key: server.makeKey("ecdsa", named: "user"), knownHosts: server.knownHosts())
        let outcome = await night.pull(source)
        #expect(outcome.objects == 1 && !outcome.isComplete)
        let place = "127.0.0.1:\(server.inbox)"
        #expect(
          outcome.reason
            == "shop settlements: the file \(place)/a.csv may not be read by this user; have the server's operator "
            + "allow it; "
            + "the file \(place)/c.csv is not there; correct the path in settlement_url, or have it created")
      }
    }
  }

  @Test func `a server that is not known gets no question, and the night says why`() async throws {
    try await LocalSFTP.with { server in
      try await FileNight.with { night in
        let source = try source(
          server, key: server.makeKey("ed25519", named: "user"), knownHosts: server.knownHosts(nil))
        let outcome = await night.pull(source)
        #expect(outcome.objects == 0 && !outcome.isComplete)
        #expect(
          outcome.reason?.hasPrefix(
            "shop settlements: 127.0.0.1: its host key is not in settlement_known_hosts, so nothing was asked") == true)
        #expect(try night.newest().complete == false)
      }
    }
  }
}
