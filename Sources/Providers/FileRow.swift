import Files
import JSON

/// One row of a delivered file on its way into the landing zone: its cells by the keys of our columns.
package final class FileRow {
  /// The file's name, as a rule without folders.
  package let file: String
  /// The row's number as a spreadsheet shows it: the header is row 1.
  package private(set) var number = 0
  /// Set for a row that is not a record: a total line, or a line of another account.
  package var isLeftOut = false

  /// How many cells of the row are not landed.
  let dropped: Int

  /// The member names under which the cells land, in the order of the columns.
  private let keys: [String]
  private let places: [String: Int]
  private var texts: [String]
  private var added: [(key: String, text: String)] = []

  /// - Parameters:
  ///   - name: the name to use for the file instead of its name without folders.
  ///   - keys: set where messages name the columns differently from the landed members.
  init(of file: DelimitedFile, name: String? = nil, keys: [String]? = nil) {
    self.file = name ?? file.name
    self.keys = keys ?? file.columns.map(\.key)
    dropped = file.unreadCells
    places = Dictionary(zip(self.keys, self.keys.indices), uniquingKeysWith: { first, _ in first })
    texts = self.keys.map { _ in "" }
  }

  /// Takes over the current row of the file.
  func take(_ file: DelimitedFile) {
    number = file.row
    isLeftOut = false
    added.removeAll(keepingCapacity: true)
    for column in keys.indices { texts[column] = file.problem == nil ? file.text(column) : "" }
  }

  /// A cell's text, trimmed, empty where there is none; a key that is not a column is added to the landed line, e.g.
  /// the occurrence number among equal rows.
  package subscript(key: String) -> String {
    get { places[key].map { texts[$0] } ?? added.first { $0.key == key }?.text ?? "" }
    set {
      if let place = places[key] {
        texts[place] = newValue
      } else {
        added.removeAll { $0.key == key }
        added.append((key, newValue))
      }
    }
  }

  /// The row's place, as `quarantine.csv` writes it: `settlement.csv:12`.
  package var location: String { "\(file):\(number)" }

  /// The row's refusal, for the caller to throw.
  ///
  /// - Parameters:
  ///   - reason: the column, what was found and what was expected; no personal data.
  ///   - withholdsClaims: whether claims based on the stream are withheld.
  package func refused(_ reason: String, recordID: String = "", withholdsClaims: Bool = true) -> RefusedRecord {
    RefusedRecord(location: location, recordID: recordID, reason: reason, withholdsClaims: withholdsClaims)
  }

  /// The landed line: `{"file": name, "row": number, …}`, empty cells left out.
  var line: [UInt8] {
    var line = Array("{\"file\":".utf8)
    JSONValue.writeString(file.utf8, into: &line)
    line.append(contentsOf: ",\"row\":\(number)".utf8)
    for (key, text) in zip(keys, texts) { Self.append(key, text, to: &line) }
    for (key, text) in added { Self.append(key, text, to: &line) }
    line.append(UInt8(ascii: "}"))
    return line
  }

  private static func append(_ key: String, _ text: String, to line: inout [UInt8]) {
    guard !text.isEmpty else { return }
    line.append(UInt8(ascii: ","))
    JSONValue.writeString(key.utf8, into: &line)
    line.append(UInt8(ascii: ":"))
    JSONValue.writeString(text.utf8, into: &line)
  }
}
