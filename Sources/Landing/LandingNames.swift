import Foundation

/// The names of files in the landing zone.
enum LandingNames {
  static let fileSuffix = ".jsonl.zst"
  static let manifestSuffix = ".manifest.json"
  /// A file that is being written has a name that no listing includes.
  static let partialFile = ".partial.jsonl.zst"
  static let partialJournal = ".partial.journal"
  static let partialManifest = ".partial.manifest.json"

  /// The folder of a stream, relative to the landing zone's: `stripe/charges`.
  static func folder(of pull: StreamPull) -> String {
    folderName(pull.provider) + "/" + folderName(pull.stream)
  }

  /// A name as one folder, whatever it contains: characters other than letters, digits, `_` and `-` are
  /// percent-encoded.
  static func folderName(_ name: String) -> String {
    guard !name.isEmpty else { return "%" }
    // The usual case, checked several times for every landed file each night.
    if name.utf8.allSatisfy(isPlain) { return name }
    return name.utf8.reduce(into: "") { encoded, byte in
      if isPlain(byte) {
        encoded.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// The name that a folder encodes.
  static func name(ofFolder folder: String) -> String { folder == "%" ? "" : folder.removingPercentEncoding ?? folder }

  /// The manifest beside a landed file, in the same folder.
  static func manifest(of file: String) -> String { file.dropLast(fileSuffix.count) + manifestSuffix }

  /// `20260302T031500Z-001`: sorts by time, then by the number of the file within its second.
  static func stem(observedAt: Int64, number: Int) -> String {
    let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
    let digits = String(number)
    return Date(timeIntervalSince1970: TimeInterval(observedAt)).formatted(style) + "-"
      + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}
