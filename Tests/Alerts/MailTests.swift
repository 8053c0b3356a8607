import Foundation
import Settings
import TestSupport
import Testing

@testable import Alerts

/// Reads a mail as Python's own library does: the headers, the types of the parts, and the first part's text.
private func parsed(_ path: String) throws -> String {
  let script = """
    import email, email.policy, sys
    mail = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
    assert not mail.defects, mail.defects
    out = [mail["Subject"], mail["Message-ID"], mail["To"]]
    out += [part.get_content_type() + " " + (part.get_filename() or "") for part in mail.walk()]
    out += [mail.get_body(("plain",)).get_content(), mail.get_body(("html",)).get_content()]
    open(sys.argv[1] + ".parsed", "w").write("\\n".join(out))
    """
  guard try Child(["/usr/bin/env", "python3", "-c", script, path]).wait() == 0 else {
    throw CocoaError(.fileReadCorruptFile)
  }
  return try String(contentsOfFile: path + ".parsed", encoding: .utf8)
}

@Suite("Alerts by mail")
struct MailTests {
  @Test("Over STARTTLS: text, HTML and the workbook, once for three reruns; the password only inside TLS")
  func secure() async throws {
    let scene = try Scene()
    let server = try MailServer(scene, "tls")
    let entries = try server.entry(scene, further: server.trusted)
    var run = RunOutcome.night()
    run.workbook = scene.folder + "/reconciliation.xlsx"
    try Data("PK workbook".utf8).write(to: URL(fileURLWithPath: scene.folder + "/reconciliation.xlsx"))
    for _ in 1...3 { #expect(await scene.dispatcher(entries).send(run) == []) }
    #expect(server.mail(2) == nil)
    let text = try parsed(server.folder + "/mail-1.txt")
    #expect(text.hasPrefix("Crossfoot 2026-03-01: discrepancies; 2 new\n<"))
    for part in [
      "multipart/mixed", "text/plain", "text/html", "spreadsheetml.sheet crossfoot-2026-03-01.xlsx",
      "<finance@example.com>, <ops@example.com>",
    ] {
      #expect(text.contains(part) || text.contains(part.replacing("<", with: "").replacing(">", with: "")), "\(part)")
    }
    #expect(text.contains("critical duplicate_payment, 120.00 EUR") && text.contains("o-1 &lt;b&gt;&amp;"))
    #expect(
      server.commands.contains("tls AUTH") && !server.commands.contains("clear AUTH")
        && !server.commands.contains("clear MAIL"))
  }

  @Test("Over smtps, TLS comes before the first word")
  func implicit() async throws {
    let scene = try Scene()
    let server = try MailServer(scene, "smtps")
    #expect(await scene.dispatcher(try server.entry(scene, further: server.trusted)).send(.night()) == [])
    #expect(try parsed(server.folder + "/mail-1.txt").hasPrefix("Crossfoot 2026-03-01: discrepancies; 2 new\n<"))
    #expect(
      server.commands.contains("tls EHLO") && server.commands.contains("tls AUTH") && !server.commands.contains("clear")
    )

    let stranger = try Scene()
    let other = try MailServer(stranger, "smtps")
    let warnings = await stranger.dispatcher(try other.entry(stranger)).send(.night())
    #expect(
      warnings.count == 1 && warnings[0].contains("is not trusted") && warnings[0].contains("ca_file"), "\(warnings)")
    #expect(other.mail(1) == nil && other.commands.isEmpty)
  }

  @Test("A server that offers TLS and then refuses it gets neither mail nor password; the next run reports it, once")
  func unwilling() async throws {
    let scene = try Scene()
    let server = try MailServer(scene, "unwilling")
    let warnings = await scene.dispatcher(try server.entry(scene, further: server.trusted)).send(.night())
    #expect(warnings.count == 1 && warnings[0].contains("nothing is sent in the clear"), "\(warnings)")
    #expect(server.mail(1) == nil && !server.commands.contains("AUTH") && !server.commands.contains("MAIL"))
    #expect(scene.log.contains("\"outcome\":\"failed\""))
  }

  @Test("A workbook above the size stays where it is; the mail goes without it")
  func large() async throws {
    let scene = try Scene()
    let server = try MailServer(scene, "tls")
    var run = RunOutcome.night()
    run.workbook = scene.folder + "/reconciliation.xlsx"
    try Data(count: MailText.attachedAtMost + 1).write(to: URL(fileURLWithPath: scene.folder + "/reconciliation.xlsx"))
    #expect(await scene.dispatcher(try server.entry(scene, further: server.trusted)).send(run) == [])
    let text = try parsed(server.folder + "/mail-1.txt")
    #expect(
      !text.contains("spreadsheetml") && text.contains("multipart/alternative")
        && text.contains("Report: /srv/crossfoot/output/2026-03-01"))
  }

  @Test("A server without STARTTLS gets neither mail nor password")
  func plain() async throws {
    let scene = try Scene()
    let server = try MailServer(scene, "plain")
    let entries = try server.entry(scene, further: server.trusted)
    let warnings = await scene.dispatcher(entries).send(.night())
    #expect(
      warnings.count == 1 && warnings[0].contains("it offers no STARTTLS, and nothing is sent in the clear"),
      "\(warnings)")
    #expect(server.mail(1) == nil && !server.commands.contains("AUTH") && !server.commands.contains("MAIL"))
  }

  @Test("A certificate that nobody vouches for: not sent, and the sentence says what to look at")
  func untrusted() async throws {
    let scene = try Scene()
    let server = try MailServer(scene, "tls")
    let warnings = await scene.dispatcher(try server.entry(scene)).send(.night())
    #expect(
      warnings.count == 1 && warnings[0].contains("is not trusted") && warnings[0].contains("ca_file"), "\(warnings)")
    #expect(server.mail(1) == nil && !warnings[0].contains("mail-password"))
  }

  @Test("A busy server is tried again; a mail whose answer was lost goes again under the same Message-ID")
  func busyAndSilent() async throws {
    let scene = try Scene()
    let busy = try MailServer(scene, "busy")
    #expect(await scene.dispatcher(try busy.entry(scene, further: busy.trusted)).send(.night()) == [])
    #expect(busy.mail(2) != nil && busy.mail(3) == nil)

    let other = try Scene()
    let silent = try MailServer(other, "silent")
    let entries = try silent.entry(other, further: silent.trusted + "\n    retry: {attempts: 1}")
    let warnings = await other.dispatcher(entries, timeout: .seconds(15)).send(.night())
    #expect(warnings.count == 1 && warnings[0].contains("without an answer"), "\(warnings)")
    #expect(await other.dispatcher(entries).send(.night()) == [])
    let ids = try [1, 2].map { try parsed(silent.folder + "/mail-\($0).txt").split(separator: "\n")[1] }
    #expect(ids[0] == ids[1] && ids[0].hasSuffix("@example.com>"))
  }
}
