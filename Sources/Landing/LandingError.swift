import Glibc

/// What went wrong with the landing zone; the description contains the place, what was found and expected, and what to
/// do.
package enum LandingError: Error, Hashable {
  /// A landed file does not match its manifest: quarantine it, and pull its window again.
  case damaged(file: String, found: String, expected: String)
  /// A manifest cannot be read, so that nothing is known about its file.
  case unreadableManifest(file: String, reason: String)
  /// A manifest of the chain is missing; `file` is nil where it is not known which.
  case missingManifest(file: String?, sequence: Int64)
  /// A manifest is not the one that was landed.
  case changedManifest(file: String)
  /// A manifest that is not part of the chain: no run landed it.
  case foreignManifest(file: String)
  /// The disk or the quota is full.
  case diskFull(file: String)
  /// Another writer is writing the same stream.
  case busy(folder: String)
  /// A record contains a line break, so that it cannot be written on one line.
  case lineBreak(provider: String, stream: String)
  /// The system refused another operation.
  case refused(file: String, action: String, reason: String)

  /// The error for `errno`.
  static func system(_ action: String, _ file: String, _ number: Int32 = errno) -> LandingError {
    if number == ENOSPC || number == EDQUOT { return .diskFull(file: file) }
    return .refused(file: file, action: action, reason: String(cString: strerror(number)))
  }
}

extension LandingError {
  /// The file concerned; nil when it is a record or a stream.
  package var file: String? {
    switch self {
    case .damaged(let file, _, _), .unreadableManifest(let file, _), .diskFull(let file), .refused(let file, _, _): file
    case .changedManifest(let file), .foreignManifest(let file): file
    case .missingManifest(let file, _): file
    case .busy, .lineBreak: nil
    }
  }
}

extension LandingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged(let file, let found, let expected):
      "\(file): found \(found), expected \(expected); the file is damaged: restore it from a backup, or move it and "
        + "its manifest away and pull its window again"
    case .unreadableManifest(let file, let reason):
      "\(file): found \(reason), expected a manifest; restore it from a backup, or move it and its file away and pull "
        + "again"
    case .missingManifest(let file, let sequence):
      (file.map { "\($0): found no manifest" } ?? "the landing zone: found no manifest with this number")
        + ", expected number \(sequence) of the landing chain; restore it and its file from a backup"
    case .changedManifest(let file):
      "\(file): found another manifest than was landed there, expected the one that the landing chain names; restore "
        + "it from a backup"
    case .foreignManifest(let file):
      "\(file): found a manifest that is no part of the landing chain, expected none; move it and its file out of the "
        + "landing zone"
    case .diskFull(let file):
      "\(file): found no space left, expected room for what is written; free some and run the same command "
        + "again: it goes on where it stopped"
    case .busy(let folder):
      "\(folder): found another writer, expected none; wait until the other run has ended"
    case .lineBreak(let provider, let stream):
      "\(provider) \(stream): found a record with a line break, expected one that fits on one line"
    case .refused(let file, let action, let reason):
      "\(file): cannot \(action): \(reason); see that the folder exists and belongs to the user who runs this"
    }
  }
}
