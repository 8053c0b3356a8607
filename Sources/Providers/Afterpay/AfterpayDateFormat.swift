import Payments

/// How a settlement export writes its dates, `MM/dd/yyyy` in the United States and `dd/MM/yyyy` elsewhere
/// (docs/providers/afterpay.md section 2).
///
/// A day above twelve in the month's position is an error, never a guess: such a file was exported for another region.
package struct AfterpayDateFormat: Sendable, Equatable {
  /// The format as configured.
  package let text: String
  private enum Part: Equatable {
    case year, month, day
    case mark(UInt8)
  }
  private let parts: [Part]

  /// What exports of the United States use.
  package static let standard = AfterpayDateFormat(
    text: "MM/dd/yyyy", parts: [.month, .mark(47), .day, .mark(47), .year])

  private init(text: String, parts: [Part]) {
    self.text = text
    self.parts = parts
  }

  /// A format made of `yyyy`, `MM` (or `M`), `dd` (or `d`), each once, with separators between them; nil for any other
  /// text.
  package init?(_ text: String) {
    var parts: [Part] = []
    var rest = Substring(text).utf8
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      switch (first, run.count) {
      case (UInt8(ascii: "y"), 4): parts.append(.year)
      case (UInt8(ascii: "M"), 1...2): parts.append(.month)
      case (UInt8(ascii: "d"), 1...2): parts.append(.day)
      case (UInt8(ascii: "/"), 1), (UInt8(ascii: "-"), 1), (UInt8(ascii: "."), 1): parts.append(.mark(first))
      default: return nil
      }
    }
    guard [Part.year, .month, .day].allSatisfy({ part in parts.filter { $0 == part }.count == 1 }), parts.count == 5
    else { return nil }
    self.init(text: text, parts: parts)
  }

  /// The date at the beginning of a text; a time of day may follow it after a space.
  ///
  /// - Throws: `AfterpayDateError` with what was expected.
  package func date(_ text: String) throws(AfterpayDateError) -> CivilDate {
    let day = Array(text.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "T") })
    var place = 0
    var found: [Int] = [0, 0, 0]
    for part in parts {
      switch part {
      case .mark(let mark):
        guard place < day.count, day[place] == mark else { throw AfterpayDateError(text: text, format: self.text) }
        place += 1
      case .year, .month, .day:
        let limit = part == .year ? 4 : 2
        var figures = 0
        var number = 0
        while place < day.count, figures < limit, (48...57).contains(day[place]) {
          number = number * 10 + Int(day[place] - 48)
          figures += 1
          place += 1
        }
        guard figures > 0, part != .year || figures == 4 else { throw AfterpayDateError(text: text, format: self.text) }
        found[part == .year ? 0 : part == .month ? 1 : 2] = number
      }
    }
    guard place == day.count, let date = CivilDate(year: found[0], month: found[1], day: found[2]) else {
      throw AfterpayDateError(text: text, format: self.text)
    }
    return date
  }
}

/// A text that is not a date of the configured format.
package struct AfterpayDateError: Error, Equatable, CustomStringConvertible {
  package let text: String
  package let format: String

  package var description: String {
    "\"\(text.prefix(40))\" is no date of the format \(format); check settlement_date_format, or whose export it is"
  }
}
