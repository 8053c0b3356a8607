import Foundation
import Payments
import Providers

/// Whether the clock is plausible: a wrong one requests the wrong window from providers.
enum ClockExamination {
  /// A clock that is earlier than anything this machine has already written is certainly wrong.
  static func finding(now: Int64, witnesses: [String]) -> Diagnostic {
    let written = witnesses.compactMap { path in modified(path).map { (path: path, at: $0) } }
    if let later = written.first(where: { $0.at > now + 60 }) {
      return Diagnostic(
        .bad, "\(Instant.text(now)) lies before \(later.path) was written (\(Instant.text(later.at))); set the clock")
    }
    let isKept = FileManager.default.fileExists(atPath: "/run/systemd/timesync/synchronized")
    let note =
      isKept ? "synchronised with a time server" : "plausible; whether a time server synchronises it is unknown"
    return Diagnostic(.good, "\(Instant.text(now)), \(note)")
  }

  private static func modified(_ path: String) -> Int64? {
    let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    return date.map { Int64($0.timeIntervalSince1970) }
  }
}
