import Foundation
import HTTP
import Settings

/// Heartbeats: a Prometheus textfile and an address to request, so that a missing run is noticed.
package struct Heartbeat: Sendable {
  /// One number with its labels.
  package struct Sample: Sendable {
    let name: String
    let labels: [(String, String)]
    /// An exact decimal or a whole number.
    let value: String

    package init(_ name: String, _ labels: [(String, String)] = [], _ value: String) {
      self.name = name
      self.labels = labels
      self.value = value
    }
  }
  let textfile: String?
  let pingURL: Secret?
  let startPingURL: Secret?
  let connecting: Connecting

  package init(
    textfile: String?, pingURL: Secret?, startPingURL: Secret? = nil,
    connecting: Connecting = Connecting(timeout: .seconds(10))
  ) {
    self.textfile = textfile
    self.pingURL = pingURL
    self.startPingURL = startPingURL
    self.connecting = connecting
  }

  /// Requests the address for the start of a run.
  ///
  /// - Returns: what went wrong, a sentence each.
  package func begin() async -> [String] {
    guard let startPingURL else { return [] }
    return await ping(startPingURL, "heartbeat.start_ping_url")
  }

  /// Writes the textfile, and requests the address if reports were published.
  ///
  /// - Parameters:
  ///   - now: the time of the run, Unix seconds.
  ///   - status: the exit status; from 64 on nothing was published.
  ///   - verdict: the verdict in run.json; nil where nothing was published.
  /// - Returns: what went wrong, a sentence each.
  package func beat(now: Int64, status: Int32, verdict: String?, samples: [Sample]) async -> [String] {
    var warnings: [String] = []
    if let textfile {
      do { try Self.write(text(now, status, verdict, samples, before: textfile), to: textfile) } catch {
        warnings.append("heartbeat: \(textfile) cannot be written: \(AlertDispatcher.words(error))")
      }
    }
    if let pingURL, verdict != nil { warnings += await ping(pingURL, "heartbeat.ping_url") }
    return warnings
  }

  private func text(_ now: Int64, _ status: Int32, _ verdict: String?, _ samples: [Sample], before: String) -> String {
    let success = verdict == nil ? Self.lastSuccess(in: before) : "\(now)"
    var all = [Sample("last_run_timestamp_seconds", [], "\(now)"), Sample("last_run_exit_status", [], "\(status)")]
    if let success { all.append(Sample("last_success_timestamp_seconds", [], success)) }
    for word in ["clean", "discrepancies", "incomplete", "nothing_published"] {
      all.append(Sample("verdict", [("verdict", word)], word == (verdict ?? "nothing_published") ? "1" : "0"))
    }
    return Self.render(all + samples)
  }

  private static let meanings = [
    "last_run_timestamp_seconds": "When the newest run began.", "last_run_exit_status": "How the newest run ended.",
    "last_success_timestamp_seconds": "When the newest run that published reports began.",
    "verdict": "1 for the newest run's verdict.",
    "discrepancies": "Discrepancies of the newest range.", "amount": "The newest range's figures in major units.",
    "stage_seconds": "How long a stage took.",
  ]

  /// The text format of Prometheus, one family after the other.
  static func render(_ samples: [Sample]) -> String {
    var families: [String] = []
    for sample in samples where !families.contains(sample.name) { families.append(sample.name) }
    var text = ""
    for family in families {
      text += "# HELP crossfoot_\(family) \(meanings[family] ?? family)\n# TYPE crossfoot_\(family) gauge\n"
      for sample in samples where sample.name == family {
        let labels = sample.labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
        text += "crossfoot_\(family)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
      }
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  /// A run that publishes nothing keeps the time of the last one that did.
  private static func lastSuccess(in path: String) -> String? {
    let name = "crossfoot_last_success_timestamp_seconds "
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int64($0.dropFirst(name.count)) }.map { "\($0)" }
  }

  /// A reader finds the old file or the new one, never a partial one.
  private static func write(_ text: String, to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let draft = "\(path).\(getpid())"
    try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
    try? FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: draft)
    guard rename(draft, path) == 0 else {
      let code = POSIXErrorCode(rawValue: errno) ?? .EIO
      unlink(draft)
      throw POSIXError(code)
    }
  }

  private func ping(_ url: Secret, _ label: String) async -> [String] {
    guard let address = ReceiverAddress(url.revealed),
      let client = try? HTTPClient(
        baseURL: address.host,
        retry: RetryPolicy(attempts: 3, waitAtMost: .seconds(5), timeout: connecting.timeout, bodyLimit: 1 << 20),
        connections: 1, waiting: connecting.waiting, logger: connecting.logger)
    else { return [Post.badAddress(label)] }
    do {
      let answer = try await client.get(HTTPRequest(url: url.revealed, label: label, secrets: address.secrets))
      return (200...299).contains(answer.status) ? [] : ["\(label): status \(answer.status)"]
    } catch { return [Post.words(error)] }
  }
}
