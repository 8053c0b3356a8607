import Foundation

/// The alert settings that can still be read from an invalid configuration, so that the failure is reported.
package struct FallbackAlertSettings: Sendable {
  /// The channels whose settings are valid.
  package let alerts: [AlertEntry]
  package let heartbeat: Settings.Heartbeat
  /// The folder of the landing zone, absolute, which contains the log of alerts.
  package let landing: String
  /// An IANA name.
  package let timeZone: String

  /// Reads what can be read.
  ///
  /// - Returns: nil where the file cannot be read or is not YAML, or does not contain the landing zone.
  package init?(_ path: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard let document = try? Document(path, environment: environment) else { return nil }
    let unresolved = document.problems.map(\.place.keyPath)
    func isSound(_ node: SettingsNode) -> Bool {
      node.drain(unknownKeys: true).isEmpty && !unresolved.contains { $0.hasPrefix(node.place.keyPath + ".") }
    }
    let root = document.root
    alerts = root.separateNodes("alerts").compactMap { node in AlertEntry(node).flatMap { isSound(node) ? $0 : nil } }
    let (beat, folder, reporting) = (root.node("heartbeat"), root.node("landing"), root.node("reporting"))
    let said = Settings.Heartbeat(beat)
    heartbeat = isSound(beat) ? said : Settings.Heartbeat()
    landing = folder.path("directory", default: "landing")
    timeZone = reporting.timeZone("time_zone", default: "UTC")
    guard isSound(folder) else { return nil }
  }

  /// The same for a valid configuration.
  package init(_ settings: Settings) {
    (alerts, heartbeat) = (settings.alerts, settings.heartbeat)
    (landing, timeZone) = (settings.landing.directory, settings.reporting.timeZone)
  }
}
