/// The content of a folder on an SFTP server, from a list of names and a long one as `ls -l` prints it.
package struct SFTPListing: Sendable {
  /// A file as the server lists it.
  package struct File: Sendable, Hashable {
    package var name: String
    /// Length, date and the other attributes, as written in the long list; nil for a link, whose target it does not
    /// describe.
    package var stamp: String?
  }

  /// Sorted by name.
  package let files: [File]

  init(names: [UInt8], long: [UInt8]) {
    let names = Set(Self.lines(names).filter { $0 != "." && $0 != ".." && !$0.contains("/") })
    var descriptions: [String: String] = [:]
    for line in Self.lines(long) {
      let isLink = line.hasPrefix("l")
      let text = isLink ? line.components(before: " -> ") : line
      guard let name = Self.name(endingIn: text, among: names) else { continue }
      descriptions[name] = isLink ? "l" : String(text.dropLast(name.count + 1))
    }
    files = names.sorted().compactMap { name in
      let description = descriptions[name]
      if description?.hasPrefix("d") == true { return nil }
      return File(name: name, stamp: description == "l" ? nil : description)
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).map(String.init)
  }

  /// The longest name with which the line ends after a space: a line for `b a.csv` ends with `a.csv` too.
  private static func name(endingIn line: String, among names: Set<String>) -> String? {
    var place = line.startIndex
    while let space = line[place...].firstIndex(of: " ") {
      place = line.index(after: space)
      if names.contains(String(line[place...])) { return String(line[place...]) }
    }
    return nil
  }
}

extension String {
  /// The part before the first occurrence of a separator; all of it without one.
  fileprivate func components(before separator: String) -> String {
    firstRange(of: separator).map { String(self[..<$0.lowerBound]) } ?? self
  }
}
