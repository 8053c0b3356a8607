import Foundation
import Payments

/// A person's decision about a discrepancy: a line of the decision log, never changed.
package struct Decision: Sendable, Equatable {
  /// What a decision does; the raw value is its word in the log.
  package enum Action: String, Sendable, CaseIterable {
    /// It is known and needs no more attention.
    case acknowledge
    /// It has an owner.
    case assign
    /// Something worth knowing about it.
    case note
    /// It is fixed and waits for the provider: an acknowledgement that lapses after seven days if the condition still
    /// holds.
    case resolve
    /// The amount is written off.
    case writeOff = "write-off"
    /// Revokes earlier decisions.
    case reopen

    /// Whether it sets a state that overrides the condition.
    package var setsState: Bool { [.acknowledge, .resolve, .writeOff].contains(self) }
  }

  /// Unix seconds UTC.
  package var at: Int64
  /// A person's name or account, as given.
  package var who: String
  /// Where it came from: `command line`, or the name of the file that was read.
  package var source: String
  package var action: Action
  package var discrepancyID: String
  /// The difference that it was based on, in minor units of the discrepancy's currency; nil where it has none. If the
  /// difference changes, the decision no longer applies.
  package var differenceMinor: Int64?
  /// The owner for `assign`, the text for `note`; a remark for the others.
  package var text: String?

  package init(
    at: Int64, who: String, source: String, action: Action, discrepancyID: String, differenceMinor: Int64?,
    text: String? = nil
  ) {
    self.at = at
    self.who = who
    self.source = source
    self.action = action
    self.discrepancyID = discrepancyID
    self.differenceMinor = differenceMinor
    self.text = text
  }
}

extension Decision: Codable {
  private enum CodingKeys: String, CodingKey {
    case at, who, action, text
    case source = "from"
    case discrepancyID = "discrepancy_id"
    case differenceMinor = "difference_minor"
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let moment = try values.decode(String.self, forKey: .at)
    guard let at = try? Instant.parse(moment) else {
      throw DecodingError.dataCorruptedError(
        forKey: .at, in: values, debugDescription: "\"\(moment.prefix(40))\" is no RFC 3339 time")
    }
    let word = try values.decode(String.self, forKey: .action)
    guard let action = Action(rawValue: word) else {
      let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: .action, in: values, debugDescription: "\"\(word.prefix(40))\" is none of \(known)")
    }
    self.init(
      at: at, who: try values.decode(String.self, forKey: .who),
      source: try values.decode(String.self, forKey: .source), action: action,
      discrepancyID: try values.decode(String.self, forKey: .discrepancyID),
      differenceMinor: try values.decodeIfPresent(Int64.self, forKey: .differenceMinor),
      text: try values.decodeIfPresent(String.self, forKey: .text))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Instant.text(at), forKey: .at)
    try values.encode(who, forKey: .who)
    try values.encode(source, forKey: .source)
    try values.encode(action.rawValue, forKey: .action)
    try values.encode(discrepancyID, forKey: .discrepancyID)
    try values.encodeIfPresent(differenceMinor, forKey: .differenceMinor)
    try values.encodeIfPresent(text, forKey: .text)
  }
}
