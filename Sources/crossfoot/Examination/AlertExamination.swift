import Alerts
import Foundation
import Providers
import Settings

/// Whether the receivers of alerts can be reached; no message is sent.
///
/// A problem here is a warning: a run that cannot send alerts ends with the same status.
enum AlertExamination {
  static func findings(_ settings: Settings) async -> [DiagnosticLine] {
    var findings: [Diagnostic] = []
    let connecting = Connecting(timeout: .seconds(20))
    for (place, entry) in settings.alerts.enumerated() {
      findings.append(finding(await connecting.examine(entry), at: "alerts[\(place)]: "))
    }
    for (key, url) in [("start_ping_url", settings.heartbeat.startPingURL), ("ping_url", settings.heartbeat.pingURL)] {
      if let url { findings.append(finding(await connecting.examine(pingURL: url, "heartbeat.\(key)"), at: "")) }
    }
    if let path = settings.heartbeat.textfile { findings.append(textfile(path)) }
    return findings.map { DiagnosticLine(.alerts, $0) }
  }

  private static func finding(_ examined: Examination, at place: String) -> Diagnostic {
    Diagnostic(examined.isGood ? .good : .warning, place + examined.sentence)
  }

  private static func textfile(_ path: String) -> Diagnostic {
    let folder = FolderExamination.nearestExisting((path as NSString).deletingLastPathComponent)
    guard FolderExamination.isFolder(folder) else {
      return Diagnostic(.warning, "heartbeat.textfile: \(folder) is not a folder, so the file cannot be written")
    }
    if FolderExamination.isFolder(path) {
      return Diagnostic(.warning, "heartbeat.textfile: \(path) is a folder; name a file in it")
    }
    let isWritable = FileManager.default.isWritableFile(atPath: folder)
    return Diagnostic(
      isWritable ? .good : .warning,
      "heartbeat.textfile: \(folder) \(isWritable ? "can" : "cannot") be written by this user")
  }
}
