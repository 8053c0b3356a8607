import Landing

/// The results of examining a bundle.
extension Verification {
  /// One line for each fault, and one for the total, of a bundle.
  package var bundleLines: [String] {
    let files = "\(landedFiles) landed files, \(bytes) bytes"
    guard isWhole else {
      return faults.map(\.sentence) + ["\(faults.count) faults in \(files): this is not the bundle that was made"]
    }
    guard let erasures, !erasures.isEmpty else {
      return ["whole: \(files); the period derived from them has the bytes that were sealed"]
    }
    return erasures.map(\.sentence) + (erasedLines ?? []).map(\.sentence) + [
      "whole but for what was erased: \(files); the period derived from them has the bytes that were sealed wherever "
        + "they do not name it"
    ]
  }

  /// Records what happened to a file since it was sealed.
  mutating func note(erasures since: SealAmendments, of file: String, isLog: Bool = false) {
    for amendment in since.amendments where amendment.file == file {
      let by = "erased on \(amendment.at) by \(amendment.who)" + (amendment.note.map { " (\($0))" } ?? "")
      let now =
        isLog
        ? "as many lines as were sealed; nothing is left to compare them with"
        : "the bytes are those that the landing chain then recorded"
      erasures =
        (erasures ?? []) + [
          Erasure(
            file: file, at: amendment.at, who: amendment.who, note: amendment.note,
            sentence: "\(file): \(by): \(now)")
        ]
    }
  }

  /// Records how many lines of a derived file contain what was erased.
  mutating func note(erasedLines count: Int, of file: String) {
    let lines = count == 1 ? "1 line names" : "\(count) lines name"
    let sentence =
      count == 0
      ? "it has hashes of landed files from before the erasure; all else is as sealed"
      : "\(lines) what was erased; all else is as sealed, but for the order of the lines"
    erasedLines = (erasedLines ?? []) + [ErasedCount(file: file, lines: count, sentence: "\(file): \(sentence)")]
  }
}
