/// The cells of a delivered file's first row, which identify the report whatever the file's name.
package struct FileHeading: Sendable {
  /// Normalised as column names are; empty where the file has no row of text.
  private let cells: Set<String>

  /// Reads the first row; a file that is not CSV has no heading.
  package init(path: String) {
    guard let file = try? SourceFile(path: path), let reader = try? CSVReader(fill: { try file.fill($0) }),
      (try? reader.next()) == true
    else {
      cells = []
      return
    }
    cells = Set(
      (0..<reader.count).compactMap { reader.text($0).map { Column.normalised(CellText.cleaned($0)) } }.filter {
        !$0.isEmpty
      })
  }

  /// Whether there is a first row of text.
  package var isThere: Bool { !cells.isEmpty }

  /// Whether every required column is there.
  package func has(_ columns: [Column]) -> Bool {
    columns.allSatisfy { !$0.isRequired || !cells.isDisjoint(with: $0.names) }
  }

  /// How many of the required columns are there.
  package func count(_ columns: [Column]) -> Int {
    columns.count { $0.isRequired && !cells.isDisjoint(with: $0.names) }
  }
}
