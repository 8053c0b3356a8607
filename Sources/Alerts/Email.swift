import Foundation
import HTTP
import Settings

/// A mail over SMTP and TLS: plain text and HTML, with the workbook if it is small.
struct Email: Channel {
  let url: String
  let username: String?
  let password: Secret?
  let from: String
  let to: [String]
  let caFile: String?
  let policy: RetryPolicy
  let connecting: Connecting

  func deliver(_ digest: Digest, key: String) async -> Delivery {
    guard hasAddresses else { return .failed(Self.badAddresses) }
    let mail = MailText(from: from, to: to, digest: digest, key: key, at: connecting.waiting.now())
    do {
      try await makeClient().send(from: from, to: to, message: mail.bytes)
      return .sent
    } catch let error as SMTPError {
      if error.mayHaveArrived { return .lost("email: \(error)") }
      if case .refused(_, let status, _) = error { return .failed("email: \(error)", isForGood: status >= 500) }
      return .failed("email: \(error)")
    } catch {
      return .lost("email: the connection ended before the answer arrived")
    }
  }

  static let badAddresses = "email: from and to must be bare addresses, as in finance@example.com"
  var hasAddresses: Bool { ([from] + to).allSatisfy(Self.isAddress) }

  func makeClient() throws(SMTPError) -> SMTPClient {
    try SMTPClient(
      url: url, username: username, password: password?.revealed, caFile: caFile, retry: policy,
      waiting: connecting.waiting,
      logger: connecting.logger)
  }

  /// Bare, in ASCII, and without any character that ends a header or a command.
  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"<>(),;:\\\"[]".utf8.contains($0) }
  }
}

/// The text of a mail: RFC 5322 and MIME.
struct MailText {
  /// The largest workbook that is attached, bytes.
  static let attachedAtMost = 5 << 20
  let from: String
  let to: [String]
  let digest: Digest
  let key: String
  /// Unix seconds.
  let at: Int64

  var bytes: [UInt8] {
    let attached = workbook
    let kind = attached == nil ? "alternative" : "mixed"
    var lines = [
      "From: <\(from)>", "To: \(to.map { "<\($0)>" }.joined(separator: ",\r\n "))",
      "Subject: \(Self.encoded(digest.headline))",
      "Date: \(Self.date(at))", "Message-ID: <\(key)@\(from.split(separator: "@").last ?? "crossfoot")>",
      "MIME-Version: 1.0",
      "Auto-Submitted: auto-generated", "Content-Type: multipart/\(kind); boundary=\"\(kind)-\(key)\"", "",
    ]
    if let attached {
      lines += ["--mixed-\(key)", "Content-Type: multipart/alternative; boundary=\"alternative-\(key)\"", ""] + halves
      lines += [
        "--mixed-\(key)", "Content-Type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment; filename=\"crossfoot-\(digest.range).xlsx\"", "", Self.base64(attached),
        "--mixed-\(key)--", "",
      ]
    } else {
      lines += halves
    }
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private var halves: [String] {
    let texts = [("plain", digest.text), ("html", digest.html)].flatMap { kind, text in
      [
        "--alternative-\(key)", "Content-Type: text/\(kind); charset=utf-8", "Content-Transfer-Encoding: base64", "",
        Self.base64(Data(text.utf8)),
      ]
    }
    return texts + ["--alternative-\(key)--", ""]
  }

  private var workbook: Data? {
    guard let path = digest.workbook, let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      return nil
    }
    guard let size = (attributes[.size] as? NSNumber)?.intValue, size <= Self.attachedAtMost else { return nil }
    return FileManager.default.contents(atPath: path)
  }

  private static func base64(_ bytes: Data) -> String {
    bytes.base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
  }

  /// A header's text: unchanged where that is allowed, else in encoded words of RFC 2047; never with a line break of
  /// its own.
  static func encoded(_ text: String) -> String {
    let line = AlertText.clean(text, atMost: 400)
    if line.utf8.allSatisfy({ (32..<127).contains($0) }) && !line.contains("=?") && line.utf8.count <= 200 {
      return line
    }
    var words: [String] = []
    var word = ""
    for character in line {
      if word.utf8.count + String(character).utf8.count > 42 {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    return (words + [word]).map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
  }

  static func date(_ at: Int64) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(at)))
  }
}
