import Foundation
import Payments

/// What the name of a settlement file contains: its kind, its client, its batch and its number among the batch's files
/// (docs/providers/cashapp.md section 2, Settlement files).
struct CashAppFileName: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case activity = "settlement_report"
    case balance = "balance_summary_report"
    case summary = "activity_summary_report"
    case disputes = "dispute_report"
  }
  var kind: Kind
  var clientID: String
  var batchID: String
  /// The day in the name; for a file that was generated again, that later day.
  var day: CivilDate?
  /// The file's number among those that a batch was split into, from 0.
  var chunk: Int64?

  /// The parts of a name; nil when it is not that of a settlement file.
  ///
  /// A prefix or suffix that was added to a name (`copy of`, ` (1)`) is ignored.
  ///
  /// - Parameter clientID: ours, which may contain any character.
  init?(_ name: String, clientID: String) {
    let found = Kind.allCases.compactMap { kind in name.range(of: "\(kind.rawValue)_client_").map { (kind, $0) } }
    guard let (kind, range) = found.first else { return nil }
    let rest = name[range.upperBound...]
    let client =
      rest.hasPrefix(clientID + "_batch_") ? clientID[...] : rest.range(of: "_batch_").map { rest[..<$0.lowerBound] }
    guard let client, !client.isEmpty else { return nil }
    let word = rest.dropFirst(client.count + "_batch_".count).prefix {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")
    }
    let cut = word.range(of: "_chunk_", options: .backwards)
    guard !word[..<(cut?.lowerBound ?? word.endIndex)].isEmpty else { return nil }
    self.kind = kind
    self.clientID = String(client)
    batchID = String(word[..<(cut?.lowerBound ?? word.endIndex)])
    let figures = cut.map { word[$0.upperBound...].prefix { $0.isASCII && $0.isNumber } } ?? ""
    // Ten thousand files cannot be one batch: all the numbers before them would count as missing.
    guard figures.count <= 4 else { return nil }
    chunk = Int64(figures)
    day = Self.day(name[..<range.lowerBound])
  }

  /// `20260302_` at the end of the part before the kind.
  private static func day(_ text: Substring) -> CivilDate? {
    let digits = text.reversed().drop { $0 == "_" }.prefix { $0.isASCII && $0.isNumber }.reversed().map(String.init)
      .joined()
    guard digits.count == 8, let number = Int(digits) else { return nil }
    guard let day = CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100) else { return nil }
    return (try? Limits.instant(CashAppCalendar.cutOff(day))) == nil ? nil : day
  }
}
