import HTTP
import JSON

/// A delivered record that is refused: its place in the delivery, and why. It lands as a line of its own, so that a
/// replay refuses it again, and a reader throws it.
package struct RefusedRecord: Error, Sendable, Hashable, CustomStringConvertible {
  /// File name and row, e.g. `settlement.csv:12`; the file name alone where the whole file is refused.
  package var location: String
  /// The record's id, empty where it has none.
  package var recordID: String
  /// What was found, what was expected, what to do.
  package var reason: String
  /// Whether claims based on the stream are withheld; an item without a valid signature withholds none.
  package var withholdsClaims: Bool
  /// Not a record of the provider at all, and nothing suggests that it was meant to be one: it is reported, and the
  /// source is complete without it.
  package var isStray: Bool

  package init(
    location: String, recordID: String = "", reason: String, withholdsClaims: Bool = true, isStray: Bool = false
  ) {
    self.location = location
    self.recordID = recordID
    // A value in the wrong column may be an e-mail address.
    self.reason = Addresses.hidden(in: reason)
    self.withholdsClaims = withholdsClaims && !isStray
    self.isStray = isStray
  }

  /// A file that is not a report.
  package static func stray(_ location: String) -> RefusedRecord {
    RefusedRecord(
      location: location,
      reason:
        "neither its name nor its first row is that of a report; it is not read: take it away, or name it under ignore",
      isStray: true)
  }

  package var description: String { "\(location): \(reason)" }

  /// The refusal that a landed line contains; nil when the line is a record.
  package init?(_ record: JSONValue) throws {
    guard let reason = try record["quarantine"].optionalString() else { return nil }
    self.init(
      location: try record["location"].optionalString() ?? "", recordID: try record["record_id"].optionalString() ?? "",
      reason: reason,
      withholdsClaims: try record["silences"].optionalBool() ?? true,
      isStray: try record["stray"].optionalBool() ?? false)
  }

  /// As it lands.
  package var line: [UInt8] {
    var line: [UInt8] = .line(("quarantine", reason), ("location", location), ("record_id", recordID))
    line.add(json: "\"silences\":\(withholdsClaims)\(isStray ? ",\"stray\":true" : "")".utf8)
    return line
  }
}
