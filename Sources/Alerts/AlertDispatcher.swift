import Foundation
import Payments
import Settings

/// The last stage of a run: sends the changes to every channel, each change once.
///
/// A message is logged before it is sent; its result is logged after the answer. So a crash in between is detected, and
/// the message is repeated under the same key. No failure here ends a run: it becomes a warning, and the next run tries
/// again.
package struct AlertDispatcher: Sendable {
  let entries: [AlertEntry]
  let landing: String
  let connecting: Connecting

  /// - Parameter landing: the landing zone's folder, which contains the log.
  package init(_ entries: [AlertEntry], landing: String, connecting: Connecting = Connecting()) {
    self.entries = entries
    self.landing = landing
    self.connecting = connecting
  }

  /// Sends to every channel.
  ///
  /// - Returns: what could not be sent, a sentence each.
  package func send(_ run: RunOutcome) async -> [String] {
    guard !entries.isEmpty else { return [] }
    let log = AlertLog(landing: landing)
    var warnings: [String] = []
    var lines: [AlertLine] = []
    do {
      guard try log.seize() else { return ["alerts: another run is sending; the next run sends what is left"] }
      let read = try log.read()
      (lines, warnings) = (read.lines, read.warnings)
    } catch {
      warnings.append(
        "alerts: \(AlertLog.fileName) cannot be used (\(Self.words(error))); alerts may be repeated")
    }
    for entry in entries {
      warnings += await Round(entry: entry, run: run, log: log, connecting: connecting).deliver(&lines)
    }
    return warnings
  }

  /// The messages that would be sent, as text; nothing is sent or written.
  package func preview(_ run: RunOutcome) -> [String] {
    let lines = (try? AlertLog(landing: landing).read().lines) ?? []
    return entries.map { entry in
      let filter = AlertFilter(entry: entry)
      let history = DeliveryHistory(lines, channel: filter.name)
      let again = history.unanswered.compactMap(\.digest).map {
        "\(filter.name), again, because the answer was lost:\n\($0.text)"
      }
      let changes = filter.changes(run, history: history)
      guard !changes.isEmpty else {
        return again.isEmpty ? "\(filter.name): nothing to send" : again.joined(separator: "\n")
      }
      return (again + ["\(filter.name):\n\(Digest(run, changes, open: filter.open(run)).text)"]).joined(
        separator: "\n")
    }
  }

  static func words(_ error: any Error) -> String {
    (error as? POSIXError).map { "\($0.code)" } ?? (error as NSError).localizedDescription
  }
}

/// One channel's turn.
private struct Round {
  let entry: AlertEntry
  let run: RunOutcome
  let log: AlertLog
  let connecting: Connecting

  func deliver(_ lines: inout [AlertLine]) async -> [String] {
    let filter = AlertFilter(entry: entry)
    let channel = connecting.channel(entry)
    var history = DeliveryHistory(lines, channel: filter.name)
    var warnings: [String] = []
    for line in history.unanswered {
      guard let digest = line.digest else { continue }
      switch await channel.deliver(digest, key: line.key) {
      case .sent:
        note(line, .sent, &lines, &warnings)
        history.add(line)
      case .failed(let words, isForGood: true):
        note(line, .failed, &lines, &warnings)
        warnings.append("alert not sent: \(words)")
      case .failed(let words, _), .lost(let words):
        return warnings + ["alert not sent; the next run sends it again: \(words)"]
      }
    }
    let changes = filter.changes(run, history: history)
    guard !changes.isEmpty else { return warnings }
    let line = message(filter, changes, after: history.count)
    note(line, .sending, &lines, &warnings)
    switch await channel.deliver(line.digest ?? Digest(run, changes, open: filter.open(run)), key: line.key) {
    case .sent: note(line, .sent, &lines, &warnings)
    case .failed(let words, _):
      note(line, .failed, &lines, &warnings)
      warnings.append("alert not sent; the next run tries again: \(words)")
    case .lost(let words):
      note(line, .lost, &lines, &warnings)
      warnings.append("alert sent without an answer; the next run sends it again: \(words)")
    }
    return warnings
  }

  /// The key is derived from the delivery history and the new changes: a rerun after a failure produces the same one.
  private func message(_ filter: AlertFilter, _ changes: [Change], after count: Int) -> AlertLine {
    let channel = filter.name
    let key = AlertFilter.digest(([channel, "\(count)", run.range] + changes.map(\.key)).joined(separator: "\n"))
      .prefix(
        32)
    return AlertLine(
      at: Instant.text(run.now), channel: channel, key: String(key), outcome: .sending, rangeEnd: run.rangeEnd,
      changes: changes,
      digest: Digest(run, changes, open: filter.open(run)))
  }

  private func note(
    _ line: AlertLine, _ outcome: AlertLine.Outcome, _ lines: inout [AlertLine], _ warnings: inout [String]
  ) {
    var noted = line
    noted.outcome = outcome
    noted.at = Instant.text(run.now)
    if outcome != .sending { (noted.rangeEnd, noted.changes, noted.digest) = (nil, nil, nil) }
    lines.append(noted)
    do { try log.append(noted) } catch {
      warnings.append(
        "alerts: \(AlertLog.fileName) cannot be written (\(AlertDispatcher.words(error))); alerts may be repeated")
    }
  }
}
