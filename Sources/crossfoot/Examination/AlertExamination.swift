import Alerts
import Foundation
import Providers
import Settings

/// Whether those who are told of a night can be reached; nobody is told anything.
///
/// What is wrong here is a warning: a run that cannot tell anybody ends as it would have ended.
enum AlertExamination {
  static func findings(_ settings: Settings) async -> [Finding] {
    var findings: [DoctorFinding] = []
    let connecting = Connecting(timeout: .seconds(20))
    for (place, entry) in settings.alerts.enumerated() {
      findings.append(finding(await connecting.examine(entry), at: "alerts[\(place)]: "))
    }
    if let url = settings.heartbeat.pingURL { findings.append(finding(await connecting.examine(pingURL: url), at: "")) }
    if let path = settings.heartbeat.textfile { findings.append(textfile(path)) }
    return findings.map { Finding(.alerts, $0) }
  }

  private static func finding(_ examined: Examination, at place: String) -> DoctorFinding {
    DoctorFinding(examined.isGood ? .good : .warning, place + examined.sentence)
  }

  private static func textfile(_ path: String) -> DoctorFinding {
    let folder = FolderExamination.nearestExisting((path as NSString).deletingLastPathComponent)
    let isWritable = FileManager.default.isWritableFile(atPath: folder)
    return DoctorFinding(isWritable ? .good : .warning, "heartbeat.textfile: \(folder) \(isWritable ? "can" : "cannot") be written by this user")
  }
}
