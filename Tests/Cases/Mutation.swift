import TestSupport

/// The values in the text of a JSON record, by their places.
struct JSONTokens {
  enum Kind { case number, string, word }
  private(set) var values: [(kind: Kind, range: Range<Int>)] = []

  init(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
        if bytes[index...].first != UInt8(ascii: ":") { values.append((.string, start..<index)) }
      case UInt8(ascii: "-"), 48...57:
        while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
        values.append((.number, start..<index))
      case 97...122:
        while index < bytes.count, (97...122).contains(bytes[index]) { index += 1 }
        values.append((.word, start..<index))
      default: index += 1
      }
    }
  }
}

/// Changes records: single values for others, or the bytes themselves.
struct Mutation {
  /// What a cell of numbers or dates may hold at its worst.
  static let extremes = [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1000000000000000", "1000000000000001",
    "-1000000000000001", "0", "-1",
    "946684799", "4133980800", "1e308", "0.0000001",
  ]
  static let extremeTexts = [
    "92233720368547758.07", "-92233720368547758.08", "99999999999999999999999999.99", "10000000000000.00",
    "10000000000000.01", "-0.01", "0", "",
    "1999-12-31T23:59:59Z", "2101-01-01T00:00:00Z", "0001-01-01 00:00:00", "9999-12-31",
  ]
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func number(below end: Int) -> Int { Int.random(in: 0..<max(end, 1), using: &random) }

  /// Every record that has one number, or one text of figures, replaced by one of the twelve values.
  static func extremes(of line: [UInt8]) -> [[UInt8]] {
    JSONTokens(line).values.flatMap { kind, range -> [[UInt8]] in
      switch kind {
      case .number:
        return extremes.map { Array(line[..<range.lowerBound]) + Array($0.utf8) + Array(line[range.upperBound...]) }
      case .string:
        let text = line[range].dropFirst().dropLast()
        guard let first = text.first(where: { $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "-") }),
          (48...57).contains(first)
        else { return [] }
        return (extremes + extremeTexts).map {
          Array(line[...range.lowerBound]) + Array($0.utf8) + Array(line[(range.upperBound - 1)...])
        }
      case .word: return []
      }
    }
  }

  /// The record with one to three changes.
  mutating func changed(_ line: [UInt8]) -> [UInt8] {
    var line = line
    for _ in 0...number(below: 3) { line = number(below: 3) == 0 ? changedBytes(line) : changedValue(line) }
    return line.filter { $0 != 10 }
  }

  private mutating func changedValue(_ line: [UInt8]) -> [UInt8] {
    let values = JSONTokens(line).values
    guard !values.isEmpty else { return changedBytes(line) }
    let range = values[number(below: values.count)].range
    let numbers = Self.extremes[number(below: Self.extremes.count)]
    let texts = Self.extremeTexts[number(below: Self.extremeTexts.count)]
    let other = values[number(below: values.count)].range
    let value: [UInt8]
    switch number(below: 8) {
    case 0, 1: value = Array(numbers.utf8)
    case 2, 3: value = Array("\"\(texts)\"".utf8)
    case 4: value = Array("\"\(numbers)\"".utf8)
    case 5: value = Array(["null", "true", "[]", "{}", "[[]]", "\"\\u0000\"", "\"\u{202E}=1\""][number(below: 7)].utf8)
    default: value = Array(line[other])
    }
    return Array(line[..<range.lowerBound]) + value + Array(line[range.upperBound...])
  }

  mutating func changedBytes(_ line: [UInt8]) -> [UInt8] {
    guard !line.isEmpty else { return line }
    let place = number(below: line.count)
    let end = min(line.count, place + 1 + number(below: 12))
    var line = line
    switch number(below: 5) {
    case 0: line[place] = UInt8(number(below: 256))
    case 1: line.removeSubrange(place..<end)
    case 2: line.insert(contentsOf: line[place..<end], at: place)
    case 3: line.removeSubrange(place...)
    default: line.insert(UInt8(number(below: 256)), at: place)
    }
    return line
  }
}
