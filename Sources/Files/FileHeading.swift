/// The cells of a delivered file's first row, which identify the report whatever the file's name.
package struct FileHeading: Sendable {
  /// Normalised as column names are; empty where the file has no row of text.
  private let cells: Set<String>
  /// Whether commas separate the names, as they do in every file that is read.
  private let hasCommas: Bool

  /// Reads the first row; a file that is not CSV has no heading.
  package init(path: String) {
    guard let file = try? SourceFile(path: path), let reader = try? CSVReader(fill: { try file.fill($0) }),
      (try? reader.next()) == true
    else {
      (cells, hasCommas) = ([], true)
      return
    }
    var names = (0..<reader.count).compactMap { reader.text($0) }
    // A spreadsheet saves CSV with semicolons in many countries: not what is read, but known for what it is.
    let separated = names.count == 1 ? names[0].split { $0 == ";" || $0 == "\t" }.map(String.init) : []
    hasCommas = separated.count < 2
    if !hasCommas { names = separated }
    cells = Set(names.map { Column.normalised(CellText.cleaned($0)) }.filter { !$0.isEmpty })
  }

  /// Whether there is a first row of text.
  package var isThere: Bool { !cells.isEmpty }

  /// Whether every required column is there, separated by commas.
  package func has(_ columns: [Column]) -> Bool {
    hasCommas && columns.allSatisfy { !$0.isRequired || !cells.isDisjoint(with: $0.names) }
  }

  /// How many of the required columns are there, however they are separated.
  package func count(_ columns: [Column]) -> Int {
    columns.count { $0.isRequired && !cells.isDisjoint(with: $0.names) }
  }
}
