import Foundation

/// The list of parts at the end of a workbook, read back to see that each sheet is as long as what was written for it.
///
/// The library copies a sheet's rows without looking at the result: on a full disk it would put a cut sheet into a sound archive.
struct ZipDirectory {
  let path: String

  /// - Parameter sizes: the least uncompressed bytes of `xl/worksheets/sheet1.xml` and its successors.
  /// - Throws: `ReportError.diskFull` when a sheet is shorter.
  func require(sizes: [Int]) throws(ReportError) {
    let found = try parts()
    for (index, size) in sizes.enumerated() where found["xl/worksheets/sheet\(index + 1).xml", default: 0] < size {
      throw .diskFull(path: path)
    }
  }

  /// Name and uncompressed size of each part; a size beyond 4 GiB is not told here.
  private func parts() throws(ReportError) -> [String: Int] {
    guard let file = FileHandle(forReadingAtPath: path) else { throw ReportError(errno, path) }
    defer { try? file.close() }
    guard let end = try? file.seekToEnd(), end > 22, (try? file.seek(toOffset: end - 22)) != nil,
      let trailer = try? file.readToEnd(), number(trailer, 0, 4) == 0x0605_4B50
    else { throw .workbook(place: path, reason: "the archive has no end") }
    guard (try? file.seek(toOffset: UInt64(number(trailer, 16, 4)))) != nil,
      let list = try? file.read(upToCount: number(trailer, 12, 4))
    else { throw .workbook(place: path, reason: "the archive has no list of parts") }
    return read(list)
  }

  private func read(_ list: Data) -> [String: Int] {
    var parts: [String: Int] = [:]
    var index = 0
    while index + 46 <= list.count, number(list, index, 4) == 0x0201_4B50 {
      let name = number(list, index + 28, 2)
      guard index + 46 + name <= list.count else { break }
      let start = list.startIndex + index + 46
      parts[String(decoding: list[start..<(start + name)], as: UTF8.self)] = number(list, index + 24, 4)
      index += 46 + name + number(list, index + 30, 2) + number(list, index + 32, 2)
    }
    return parts
  }

  /// A little-endian number.
  private func number(_ data: Data, _ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(data[data.startIndex + offset + $1]) << (8 * $1) }
  }
}
