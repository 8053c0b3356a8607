import Foundation
import HTTP
import JSON
import TestSupport
import Testing

@testable import Providers

@Suite("Downloading Adyen's reports") struct AdyenDownloadTests {
  private static func report(_ batch: Int64) -> LoopbackServer.Reply {
    .whole(200, headers: ["Content-Type": "text/csv"], body: AdyenBatch.small(batch))
  }

  @Test("number after number until one is not there, each once, with the user's name and password") func series()
    async throws
  {
    let night = try await AdyenNight(answer: { batch, _ in batch <= 3 ? Self.report(batch) : nil })
    let outcome = try await night.pull()
    #expect(outcome.streams.allSatisfy(\.isComplete) && outcome.refusal == nil)
    #expect(night.batches == [1, 2, 3, 4])
    let basic = "Basic " + Data("report_1@Company.Acme:\(adyenPassword)".utf8).base64EncodedString()
    #expect(night.server.asked.allSatisfy { $0.method == "GET" && $0.headers["authorization"] == basic })
    #expect(
      night.server.asked.first?.path == "/reports/download/MerchantAccount/AcmeNL/settlement_detail_report_batch_1.csv")
    _ = try await night.pull(end: dayEnd + day)
    #expect(night.batches == [1, 2, 3, 4, 4])
    let landed = try night.lines().count
    let everything = try night.everything(outcome)
    #expect(landed == 6 && !everything.contains("findme"))
  }

  @Test("401 refuses the credentials, 403 names the role") func refusals() async throws {
    let refused = try await AdyenNight(answer: { _, _ in .whole(401, headers: [:], body: "no") })
    let outcome = try await refused.pull()
    #expect(outcome.refusal == .credentials && refused.batches.count == 1)
    #expect(
      outcome.streams.first?.reason
        == "provider adyen: Adyen refused the report user (status 401); check its username and password in the "
        + "configuration"
    )
    let forbidden = try await AdyenNight(answer: { _, _ in .whole(403, headers: [:], body: "no") })
    let other = try await forbidden.pull()
    #expect(
      other.refusal == nil && other.streams.first?.reason?.contains("the role \"Merchant Report Download\"") == true)
    let findings = await (try forbidden.provider()).examine()
    #expect(findings.contains { $0.grade == .bad && $0.sentence.contains("Merchant Report Download") })
  }

  @Test("too many requests and a server's troubles pass; what had come stays") func passing() async throws {
    let night = try await AdyenNight(answer: { batch, count in
      switch (batch, count) {
      case (1, 1): .whole(429, headers: ["Retry-After": "1"], body: "")
      case (1, 2): .whole(503, headers: [:], body: "")
      case (1, _): Self.report(1)
      default: .whole(500, headers: [:], body: "oh")
      }
    })
    let outcome = try await night.pull()
    #expect(outcome.streams.first?.isComplete == false && outcome.streams.first?.objects == 2)
    #expect(night.batches == [1, 1, 1, 2, 2, 2])
  }

  @Test("a web page, an empty body and a cut one are no reports", arguments: ["<html>Sign in</html>", "", "cut"])
  func bodies(body: String) async throws {
    let night = try await AdyenNight(answer: { _, _ in
      body == "cut" ? .cut(200, body: AdyenBatch.small(1), announced: 100_000) : .whole(200, headers: [:], body: body)
    })
    let outcome = try await night.pull()
    #expect(outcome.streams.first?.isComplete == false && outcome.streams.first?.objects == 0)
    let lines = try night.lines()
    #expect(lines.isEmpty && night.batches.count == 3)
  }

  @Test("an answer that leads elsewhere is not followed") func redirect() async throws {
    let night = try await AdyenNight(answer: { _, _ in
      .whole(302, headers: ["Location": "https://evil.example/x"], body: "")
    })
    let outcome = try await night.pull()
    #expect(outcome.streams.first?.reason?.contains("links are not followed") == true && night.batches == [1])
  }

  @Test("a report that is missing between two is asked for every night, and holds the watermark before it") func gap()
    async throws
  {
    let night = try await AdyenNight({ $0.webhooksDirectory = "hooks" }) { batch, count in
      batch == 2 && count < 3 ? nil : batch <= 3 ? Self.report(batch) : nil
    }
    let announced =
      #"""
      {"eventCode":"REPORT_AVAILABLE","merchantAccountCode":"AcmeNL",\#
      "pspReference":"settlement_detail_report_batch_3.csv",
      """#
      + #""success":"true","eventDate":"2026-03-01T10:00:00Z"}"#
    try night.write("hooks/1.json", #"{"notificationItems":[{"NotificationRequestItem":\#(announced)}]}"#)
    let first = try await night.pull()
    #expect(night.batches == [1, 2, 3, 4])
    #expect(
      first.streams.first { $0.stream == "settlement_details" }?.reason?.contains(
        "settlement batch 2 of AcmeNL is missing") == true)
    let manifest = try #require(try night.manifest())
    #expect(!manifest.complete && manifest.knownUntil == 1_772_327_400)
    _ = try await night.pull(end: dayEnd + day)
    #expect(night.batches == [1, 2, 3, 4, 2, 4])
    let last = try await night.pull(end: dayEnd + 2 * day)
    let newest = try night.manifest()
    #expect(last.streams.allSatisfy(\.isComplete) && newest?.complete == true)
  }

  @Test("without a first number nothing can be asked for, and doctor says so") func nothing() async throws {
    let night = try await AdyenNight({ $0.firstBatch = nil })
    let outcome = try await night.pull()
    #expect(outcome.streams.first?.reason?.contains("set first_batch") == true && night.batches.isEmpty)
    let findings = await (try night.provider()).examine()
    #expect(findings.contains { $0.grade == .bad && $0.sentence.contains("first_batch") })
  }
}

@Suite("Folders that receive Adyen's files") struct AdyenFolderTests {
  @Test(
    "the same file by another name is one delivery; another tenant's is counted and not read, others are passed over"
  )
  func folder() async throws {
    let night = try await AdyenNight({ $0.reports = .folder("") })
    try night.write("reports/settlement_detail_report_batch_1.csv", AdyenBatch.small(1))
    try night.write("reports/settlement_detail_report_batch_1_20260301.csv", AdyenBatch.small(1))
    try night.write("reports/settlement_detail_report_batch_2.csv", AdyenBatch.small(2, account: "AcmeDE"))
    try night.write("reports/payments_accounting_report_2026_03_01.csv", "x")
    try night.write("reports/settlement_detail_report_batch_3.csv.part", "x")
    let outcome = try await night.pull()
    #expect(outcome.streams.map(\.isComplete) == [true])
    #expect(try night.manifest()?.otherAccounts == 2)
    let theirs = try night.lines().filter { $0.contains("AcmeDE") }
    #expect(theirs.isEmpty && night.server.asked.isEmpty)
    #expect(night.log.all.contains { $0.contains("payments_accounting_report_2026_03_01.csv") })
    let count = try night.lines().count
    _ = try await night.pull(end: dayEnd + day)
    #expect(try night.lines().count == count)
  }

  @Test("a file that is cut, damaged by a spreadsheet, or no CSV is refused by its name, and every night again")
  func refused() async throws {
    let night = try await AdyenNight({ $0.reports = .folder("") })
    try night.write("reports/settlement_detail_report_batch_1.csv", AdyenBatch.small(1))
    try night.write(
      "reports/settlement_detail_report_batch_2.csv",
      AdyenBatch.small(2).replacingOccurrences(of: "PSP2", with: "4.81E+15"))
    try night.write("reports/settlement_detail_report_batch_3.xlsx", "PK")
    try night.write(
      "reports/settlement_detail_report_batch_5.csv",
      AdyenBatch.small(5).replacingOccurrences(of: "CAP5", with: "4814769000000000"))
    try night.write("reports/settlement_detail_report_batch_4.csv", String(AdyenBatch.small(4).dropLast(30)))
    let outcome = try await night.pull()
    #expect(outcome.streams.map(\.isComplete) == [true])
    let refusals = try night.lines().filter { $0.contains("\"quarantine\"") }
    #expect(refusals.count == 4)
    #expect(
      refusals.contains {
        $0.contains("has lost digits in a spreadsheet")
          && $0.contains("\"location\":\"settlement_detail_report_batch_2.csv\"")
      })
    #expect(
      refusals.contains {
        $0.contains("settlement_detail_report_batch_3.xlsx") && $0.contains("\"record_id\":\"AcmeNL/3\"")
      })
    #expect(
      refusals.contains {
        $0.contains("settlement_detail_report_batch_4.csv:3") && $0.contains("the file ends within the row")
      })
    #expect(try night.manifest()?.knownUntil == 1_772_327_400)
    _ = try await night.pull(end: dayEnd + day)
    #expect(try night.lines().filter { $0.contains("\"quarantine\"") }.count == 8)
  }

  @Test("a folder that is missing makes the stream incomplete, and doctor names it") func missing() async throws {
    let night = try await AdyenNight({ $0.reports = .folder("") })
    try FileManager.default.removeItem(atPath: night.folder + "/reports")
    let outcome = try await night.pull()
    #expect(outcome.streams.map(\.isComplete) == [false])
    #expect(outcome.streams.first?.reason?.contains("is missing; create it") == true)
    let findings = await (try night.provider()).examine()
    #expect(findings.contains { $0.grade == .bad && $0.sentence.contains("is missing") })
  }

  @Test(
    "a notification that is no JSON or unsigned is refused; no card number, authorisation reason or signature lands"
  )
  func notifications() async throws {
    let night = try await AdyenNight({
      $0.reports = .folder("")
      $0.webhooksDirectory = "hooks"
    })
    try night.write("hooks/a.json", "{\"notificationItems\":[")
    try night.write("hooks/b.json", "{\"hello\":1}")
    let signed =
      #"{"additionalData":{"hmacSignature":"FclRklPtttXILzqqRmGoifbmnb7L2+UoadUkbisq9Uo=","cardSummary":"1111"},"#
        + #"""
        "amount":{"currency":"EUR","value":10000},"eventCode":"AUTHORISATION","eventDate":"2026-07-06T10:00:00+02:00",
        """#
      + #""merchantAccountCode":"DemoShopECOM","merchantReference":"ORD-1001","pspReference":"AAAA0000AAAA0001","#
      + #""reason":"033899:1111:03/2030","success":"true"}"#
    let body = "{\"notificationItems\":[{\"NotificationRequestItem\":\(signed)}]}\n"
    try night.write("hooks/c.jsonl", body)
    let foreign = try await night.pull()
    let manifest = try night.manifest(.notifications)
    #expect(foreign.streams.map(\.isComplete) == [true, true] && manifest?.otherAccounts == 1)
    let demo = try await AdyenNight({
      $0.reports = .folder("")
      $0.webhooksDirectory = "hooks"
      $0.merchantAccount = "DemoShopECOM"
    })
    try demo.write("hooks/c.jsonl", body + signed.replacingOccurrences(of: "10000", with: "99900") + "\n")
    _ = try await demo.pull()
    let lines = try demo.lines(.notifications)
    #expect(
      lines.count == 2 && lines[0].contains("ORD-1001") && lines[1].contains("c.jsonl:2")
        && lines[1].contains("\"silences\":false"))
    #expect(!lines.joined().contains("1111") && !lines.joined().contains("FclRkl"))
    #expect(try night.lines(.notifications).filter { $0.contains("\"silences\":true") }.count == 2)
  }
}
