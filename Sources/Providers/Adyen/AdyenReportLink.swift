import HTTP

/// Checks a REPORT_AVAILABLE before anything of it is used (docs/providers/adyen.md section 1.3).
///
/// Its link is not signed and is never followed, but a link to another place shows that the notification is forged.
enum AdyenReportLink {
  private static let hosts: Set<String> = ["ca-live.adyen.com", "ca-test.adyen.com"]

  /// Why it is refused; nil when it is acceptable.
  static func fault(_ notification: AdyenNotification, _ configuration: AdyenConfiguration) -> String? {
    let name = notification.pspReference
    if name.isEmpty || name.contains("/") || name.contains("\\") || name.contains("..") || name.contains("\0") {
      return "the name of the report has parts of a path; nothing was asked for"
    }
    let link = (try? notification.item["reason"].optionalString()) ?? ""
    if link.isEmpty || link == "null" { return nil }
    guard let url = LinkParts(link) else { return "the link to the report is no https address; nothing was asked for" }
    if case .download(let base, _, _) = configuration.reports, let own = LinkParts(base), own.origin == url.origin {
      return url.isReport ? nil : "the link does not lead to a report; nothing was asked for"
    }
    guard url.scheme == "https", hosts.contains(url.host), url.port == nil || url.port == "443" else {
      return "the link to the report leads to another host than Adyen's (\(url.host.prefix(80))); nothing was asked for"
    }
    return url.isReport ? nil : "the link does not lead to a report; nothing was asked for"
  }
}

/// The parts of a link, parsed strictly: a lenient parser could see another host in it.
private struct LinkParts {
  let scheme: String
  let host: String
  let port: String?
  let path: String

  init?(_ text: String) {
    guard let mark = text.range(of: "://"), !text.contains("@"), !text.contains("\\"),
      text.allSatisfy({ !$0.isWhitespace })
    else { return nil }
    scheme = text[..<mark.lowerBound].lowercased()
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    path = String(rest.dropFirst(authority.count))
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    host = parts.first?.lowercased() ?? ""
    port = parts.count > 1 ? String(parts[1]) : nil
    guard scheme == "https" || scheme == "http", !host.isEmpty else { return nil }
  }

  var origin: String { "\(scheme)://\(host):\(port ?? (scheme == "https" ? "443" : "80"))" }

  var isReport: Bool { path.hasPrefix("/reports/download/") && !path.contains("..") }
}
