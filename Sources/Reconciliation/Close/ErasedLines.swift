import Cryptography
import Foundation
import Sheets

/// Compares a sealed file with the same file derived after texts were erased from the landed records.
///
/// Lines that contain an erased text may differ: they have its stand-in in place of the text, and another id in place
/// of the id of a discrepancy about it; their order may differ too. The hash of a landed file must be the sealed one
/// once it is put back. Everything else must be identical. The erased text itself is not known, and not needed.
struct ErasedLines {
  private let standIns: [String]
  /// The hashes of files as they were sealed, by their present ones.
  private var hashes: [String: String]

  init(_ standIns: Set<String>, hashes: [String: String] = [:]) {
    self.standIns = standIns.sorted()
    self.hashes = hashes
  }

  /// Adds a file that differs in erased texts alone: another file may list its hash.
  mutating func add(derived: Data, sealed: Data) {
    hashes[SHA256.hash(derived).hexadecimal] = SHA256.hash(sealed).hexadecimal
  }

  /// - Returns: how many lines contain what was erased; nil where the files differ in anything else, or cannot be read.
  func count(derived: String, sealed: String) -> Int? {
    guard !standIns.isEmpty, let ours = try? Self.lines(derived), let theirs = try? Self.lines(sealed) else {
      return nil
    }
    return count(derived: ours, sealed: theirs)
  }

  /// - Returns: how many lines contain what was erased; nil where the lines differ in anything else.
  func count(derived: [String], sealed: [String]) -> Int? {
    var left: [String: Int] = [:]
    for line in sealed { left[line, default: 0] += 1 }
    var changed: [String] = []
    var hasHash = false
    for line in derived {
      var line = line
      for (now, was) in hashes where line.contains(now) { (line, hasHash) = (line.replacing(now, with: was), true) }
      if let count = left[line], count > 0 { left[line] = count - 1 } else { changed.append(line) }
    }
    var sealed = left.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
    guard sealed.count == changed.count, !changed.isEmpty || hasHash else { return nil }
    // Lines with the most unchanged text are matched first.
    let patterns = changed.map(pieces).sorted { Self.length($0) > Self.length($1) }
    for pattern in patterns {
      guard pattern.count > 1, let place = sealed.firstIndex(where: { Self.fits($0, pattern) }) else { return nil }
      sealed.remove(at: place)
    }
    return changed.count
  }

  /// The parts of a line around the stand-ins and ids of discrepancies.
  private func pieces(_ line: String) -> [Substring] {
    var pieces: [Substring] = []
    var rest = Substring(line)
    while let gap = gap(in: rest) {
      pieces.append(rest[..<gap.lowerBound])
      rest = rest[gap.upperBound...]
    }
    return pieces + [rest]
  }

  private func gap(in text: Substring) -> Range<Substring.Index>? {
    let found = standIns.compactMap { text.range(of: $0) } + [text.firstRange(of: /d_[0-9a-f]{16}/)].compactMap { $0 }
    return found.min { $0.lowerBound < $1.lowerBound }
  }

  private static func length(_ pieces: [Substring]) -> Int { pieces.reduce(0) { $0 + $1.utf8.count } }

  /// Whether a line contains the pieces in their order, with some text between any two of them.
  private static func fits(_ line: String, _ pieces: [Substring]) -> Bool {
    guard let first = pieces.first, let last = pieces.last, line.hasPrefix(first) else { return false }
    var rest = line.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() {
      guard !rest.isEmpty else { return false }
      rest = rest.dropFirst()
      guard let place = piece.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: piece) else { return false }
      rest = rest[place.upperBound...]
    }
    return rest.hasSuffix(last) && rest.count > last.count
  }

  /// The lines of a file; for a workbook the cells of each row, with its sheet.
  private static func lines(_ path: String) throws -> [String] {
    guard path.hasSuffix(".xlsx") else {
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
    let reader = try WorkbookReader(path: path)
    var lines: [String] = []
    for sheet in try reader.sheets() {
      try reader.rows(ofSheet: sheet) { _, cells in
        lines.append(([sheet] + cells.map { "\($0.column)=\($0.text)" }).joined(separator: "\u{1F}"))
      }
    }
    return lines
  }
}
