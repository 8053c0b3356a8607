import Cryptography
import Disk
import Foundation
import Glibc

/// A file of lines that is only ever appended to, with a checksum for each line beside it (`.<name>.sums`), so that a
/// changed, removed or moved line is detected.
///
/// A checksum is the SHA-256 of the previous checksum and the line. A line counts once its line break is on the disk:
/// what a crash truncated was never acknowledged, and is cut off.
package struct LogFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// A line that is not as it was written.
  package struct Fault: Sendable, Hashable {
    /// The file's name and the line, from 1.
    package let place: String
    package let sentence: String
  }

  private var name: String { (path as NSString).lastPathComponent }
  private var sumsPath: String { (path as NSString).deletingLastPathComponent + "/.\(name).sums" }

  /// Its complete lines without their line breaks, and how many bytes they take; a torn line at the end is left out.
  package func lines() throws -> (lines: [Data], bytes: Int) {
    guard FileManager.default.fileExists(atPath: path) else { return ([], 0) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return ([], 0) }
    return (bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false), end + 1)
  }

  /// Cuts off a last line that a crash truncated.
  ///
  /// - Returns: what to report about it, once; nil: there was none.
  /// - Throws: `POSIXError`, and the error of the disk.
  package func mend() throws -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let sumsFile = try lock()
    defer { _ = flock(sumsFile.fileDescriptor, LOCK_UN) }
    let (whole, file) = (try lines(), try Self.open(path))
    guard lseek(file.fileDescriptor, 0, SEEK_END) > whole.bytes else { return nil }
    guard Disk.cut(file.fileDescriptor, to: Int64(whole.bytes)) == 0 else { throw Self.failure }
    return "\(name):\(whole.lines.count + 1): a crash cut this line short before it counted; it was cut off"
  }

  /// The lines that are not as they were written, in order.
  package func faults() throws -> [Fault] {
    let (lines, sums) = (try lines().lines, try readSums())
    var faults: [Fault] = []
    var (line, sum) = (0, 0)
    while sum < sums.count {
      let before = sum == 0 ? "" : sums[sum - 1]
      if line < lines.count && Self.sum(before, lines[line]) == sums[sum] {
        (line, sum) = (line + 1, sum + 1)
      } else if line + 1 < lines.count && sum + 1 < sums.count && Self.sum(sums[sum], lines[line + 1]) == sums[sum + 1]
      {
        faults.append(fault(line, "found another line than was written there"))
        (line, sum) = (line + 1, sum + 1)
      } else if let next = Self.place(of: line < lines.count ? lines[line] : nil, in: sums, after: sum) {
        faults.append(fault(line, "found \(next - sum) lines fewer before it than were written"))
        sum = next
      } else if line + 1 < lines.count && Self.sum(before, lines[line + 1]) == sums[sum] {
        faults.append(fault(line, "found a line that was not written there"))
        line += 1
      } else if line < lines.count {
        faults.append(fault(line, "found another line than was written there"))
        (line, sum) = (line + 1, sum + 1)
      } else {
        faults.append(fault(line, "found the end of the log, expected \(sums.count - sum) lines more"))
        break
      }
    }
    return faults
  }

  /// The checksums of lines, in the format of the file beside a log.
  package static func sums(of lines: [Data]) -> Data {
    var (text, last) = (Data(), "")
    for line in lines {
      last = sum(last, line)
      text += Data("\(last)\n".utf8)
    }
    return text
  }

  /// Accepts the current content of the log as correct.
  package func accept() throws {
    guard FileManager.default.fileExists(atPath: path) else {
      unlink(sumsPath)
      return
    }
    try Self.sums(of: lines().lines).write(to: URL(fileURLWithPath: sumsPath), options: .atomic)
  }

  /// Appends lines, each with its line break; returns once they are on the disk, and leaves the log unchanged on
  /// failure.
  ///
  /// - Throws: `CocoaError` or `POSIXError` of the file.
  package func append(_ added: [Data]) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let sumsFile = try lock()
    defer { _ = flock(sumsFile.fileDescriptor, LOCK_UN) }
    let file = try Self.open(path)
    let whole = try lines()
    var sums = try readSums()
    let isWhole = lseek(sumsFile.fileDescriptor, 0, SEEK_END) == sums.count * Self.sumBytes
    let written = isWhole ? sums.count : 0
    // Lines that another version wrote, or whose checksums a crash kept from the disk.
    for line in whole.lines.dropFirst(sums.count) { sums.append(Self.sum(sums.last ?? "", line)) }
    guard Disk.cut(file.fileDescriptor, to: Int64(whole.bytes)) == 0 else { throw Self.failure }
    do {
      try Self.write(added, at: whole.bytes, of: file.fileDescriptor)
    } catch {
      _ = Disk.cut(file.fileDescriptor, to: Int64(whole.bytes))
      throw error
    }
    for line in added { sums.append(Self.sum(sums.last ?? "", line)) }
    // The lines count; a checksum that cannot be written now is written with the next line.
    let text = sums.suffix(sums.count - written).map { Data($0.utf8) }
    guard Disk.cut(sumsFile.fileDescriptor, to: Int64(written * Self.sumBytes)) == 0 else { return }
    try? Self.write(text, at: written * Self.sumBytes, of: sumsFile.fileDescriptor)
  }

  /// Writes lines at an offset, and returns once they are on the disk.
  private static func write(_ lines: [Data], at place: Int, of descriptor: Int32) throws {
    lseek(descriptor, off_t(place), SEEK_SET)
    let bytes = lines.reduce(into: Data()) { $0 += $1 + [UInt8(ascii: "\n")] }
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = Disk.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if written < 0 && errno == EINTR { continue }
        guard written >= 0 else { throw failure }
        rest = rest.dropFirst(written)
      }
    }
    guard Disk.synchronise(descriptor) == 0 else { throw failure }
  }

  /// The file of the checksums, locked by one writer at a time.
  private func lock() throws -> FileHandle {
    let file = try Self.open(sumsPath)
    while flock(file.fileDescriptor, LOCK_EX) != 0 { guard errno == EINTR else { throw Self.failure } }
    return file
  }

  /// The size of a checksum, with its line break.
  private static let sumBytes = 65

  private func readSums() throws -> [String] {
    guard let bytes = FileManager.default.contents(atPath: sumsPath) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).filter { $0.utf8.count == 64 }
  }

  /// The position of the next checksum that belongs to the line.
  private static func place(of line: Data?, in sums: [String], after sum: Int) -> Int? {
    guard let line, sum + 1 < sums.count else { return nil }
    return (sum + 1..<sums.count).first { Self.sum(sums[$0 - 1], line) == sums[$0] }
  }

  private func fault(_ line: Int, _ found: String) -> Fault {
    let place = "\(name):\(line + 1)"
    return Fault(
      place: place,
      sentence:
        "\(place): \(found); restore the log and its sums (.\(name).sums) from a backup, or take it as it is now with "
        + "`crossfoot verify --give-up`")
  }

  private static func sum(_ before: String, _ line: Data) -> String {
    var hash = SHA256()
    hash.update(before.utf8)
    hash.update(line)
    return hash.finalize().hexadecimal
  }

  private static func open(_ path: String) throws -> FileHandle {
    let descriptor = Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw failure }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
