import Foundation
import Logging
import Payments

/// Destination and format of log lines.
enum LogFormat: String, CaseIterable, Sendable {
  case text, json
}

/// Sends swift-log to standard error, one line per message.
enum Logs {
  /// Must be called once, before the first logger is created.
  static func begin(format: LogFormat, level: Logger.Level) {
    LoggingSystem.bootstrap { label in LineLogHandler(label: label, format: format, logLevel: level) }
  }
}

/// One line per message, as text or as a JSON object; line breaks in it are escaped, so that a record cannot forge a
/// line.
struct LineLogHandler: LogHandler {
  let label: String
  let format: LogFormat
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(label: String, format: LogFormat, logLevel: Logger.Level) {
    self.label = label
    self.format = format
    self.logLevel = logLevel
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    Terminal.say(line(at: Int64(Date().timeIntervalSince1970), event.level, "\(event.message)", all))
  }

  /// The line itself, without its line break.
  func line(at now: Int64, _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> String {
    let details = metadata.sorted { $0.key < $1.key }
    switch format {
    case .text:
      let tail = details.map { " \($0.key)=\($0.value)" }.joined()
      return Self.oneLine("\(Instant.text(now)) \(level) \(label): \(message)\(tail)")
    case .json:
      var members = ["at": Instant.text(now), "level": level.rawValue, "logger": label, "message": message]
      for (key, value) in details where members[key] == nil { members[key] = "\(value)" }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return (try? encoder.encode(members)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
  }

  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
  }
}
