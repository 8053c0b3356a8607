import Foundation
import Settings
import TestSupport
import Testing

@testable import Alerts

@Suite("Receivers before the night")
struct ExaminationTests {
  private func examine(_ entries: [AlertEntry]) async throws -> Examination {
    await Scene.connecting(timeout: .seconds(20)).examine(try #require(entries.first))
  }

  @Test("A web receiver is connected to, certificate included, and asked nothing")
  func web() async throws {
    let scene = try Scene()
    let server = try WebServer(scene, "tls")
    for kind in ["slack", "webhook"] {
      let good = try await examine(try server.entry(scene, kind: kind))
      #expect(
        good
          == Examination(
            isGood: true, sentence: "\(kind): https://127.0.0.1:\(server.port) accepts a connection; nothing was sent"))
    }
    #expect(server.connections == 2 && server.read("body-1.txt") == nil)
    let bad = try await examine(try server.entry(scene, isTrusted: false))
    #expect(
      !bad.isGood && bad.sentence.contains("is not trusted") && bad.sentence.contains("check url and ca_file"), "\(bad)"
    )
    let refusing = try await examine(try WebServer(scene, "refusing").entry(scene))
    #expect(
      !refusing.isGood && refusing.sentence.contains("could not be reached")
        && !refusing.sentence.contains("verysecret"), "\(refusing)")
  }

  @Test("Loopback is asked nothing either; what is down is reported with what to check, and never with its address")
  func plain() async throws {
    let scene = try Scene()
    let server = try await LoopbackServer { _ in .json("{}") }
    #expect(try await examine(scene.entries("  - {kind: webhook, url: '\(server.baseURL)/hook'}")).isGood)
    #expect(await Scene.connecting().examine(pingURL: Secret(server.baseURL + "/ping")).isGood)
    #expect(server.asked.isEmpty)
    let closed = try ClosedPort()
    let down = try await examine(
      scene.entries("  - {kind: slack, url: '\(closed.baseURL)/services/T1/B1/verysecretpart'}"))
    #expect(
      !down.isGood && down.sentence.contains("check the network and url") && !down.sentence.contains("verysecret"),
      "\(down)")
    let unknown = try await examine(
      scene.entries("  - {kind: slack, url: 'https://hooks.crossfoot.invalid/services/T1/verysecretpart'}"))
    #expect(
      !unknown.isGood && unknown.sentence.contains("hooks.crossfoot.invalid")
        && !unknown.sentence.contains("verysecret"), "\(unknown)")
  }

  @Test("A mail server is greeted over TLS, takes the password, and no mail begins", arguments: ["tls", "smtps"])
  func mail(mode: String) async throws {
    let scene = try Scene()
    let server = try MailServer(scene, mode)
    let found = try await examine(try server.entry(scene, further: server.trusted))
    #expect(
      found.isGood
        && found.sentence.hasSuffix(":\(server.port) uses TLS and takes username and password; nothing was sent"),
      "\(found)")
    #expect(server.commands.contains("tls AUTH") && server.commands.contains("tls QUIT"), "\(server.commands)")
    #expect(
      !server.commands.contains("clear AUTH") && !server.commands.contains("MAIL") && !server.commands.contains("RCPT"))
    let untrusted = try await examine(try server.entry(scene))
    #expect(!untrusted.isGood && untrusted.sentence.contains("is not trusted"), "\(untrusted)")
  }

  /// What is wrong with a mail server, and what is said of it.
  static let troubles = [
    "plain": "it offers no STARTTLS, and nothing is sent in the clear; switch TLS on there, or use smtps://",
    "unwilling": "nothing is sent in the clear", "denying": "it refused username or password; check both",
  ]

  @Test("Each trouble of a mail server has its sentence", arguments: troubles.keys.sorted())
  func troubledMail(mode: String) async throws {
    let scene = try Scene()
    let server = try MailServer(scene, mode)
    let found = try await examine(try server.entry(scene, further: server.trusted))
    let words = try #require(Self.troubles[mode])
    #expect(!found.isGood && found.sentence.contains(words) && !found.sentence.contains("mail-password"), "\(found)")
    #expect(!server.commands.contains("MAIL"))
    #expect(mode == "denying" || !server.commands.contains("AUTH"))
  }

  @Test("An address that no mail can have is reported before anybody is asked")
  func addresses() async throws {
    let scene = try Scene()
    let found = try await examine(
      scene.entries("  - {kind: email, url: 'smtp://127.0.0.1:1', from: 'Jenny <a@example.com>', to: [b@example.com]}"))
    #expect(
      found
        == Examination(isGood: false, sentence: "email: from and to must be bare addresses, as in finance@example.com"))
  }
}
