import Foundation

/// A published CSV file, by the names of its columns.
package struct CSVTable: Sendable {
  package let rows: [[String: String]]

  package init(_ path: String) throws { self.init(text: try String(contentsOfFile: path, encoding: .utf8)) }

  package init(text: String) {
    var records: [[String]] = [[]]
    var cell = ""
    var isQuoted = false
    var characters = Array(text).makeIterator()
    while let character = characters.next() {
      switch character {
      case "\"" where cell.isEmpty && !isQuoted: isQuoted = true
      case "\"": isQuoted.toggle(); if isQuoted { cell.append("\"") }
      case "," where !isQuoted: records[records.count - 1].append(cell); cell = ""
      case "\n" where !isQuoted: records[records.count - 1].append(cell); cell = ""; records.append([])
      default: cell.append(character)
      }
    }
    let header = records.first ?? []
    rows = records.dropFirst().filter { !$0.isEmpty }.map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }
}
