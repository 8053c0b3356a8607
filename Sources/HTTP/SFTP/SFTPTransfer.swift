import CCurl
import Foundation
import Synchronization

/// One attempt to list a folder or download a file.
final class SFTPTransfer: Sendable {
  let question: SFTPQuestion
  let address: SFTPAddress
  let key: String
  let knownHosts: String
  let policy: RetryPolicy
  private let isCancelledFlag = Atomic<Bool>(false)

  init(_ question: SFTPQuestion, address: SFTPAddress, key: String, knownHosts: String, policy: RetryPolicy) {
    self.question = question
    self.address = address
    self.key = key
    self.knownHosts = knownHosts
    self.policy = policy
  }

  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  /// Ends the attempt soon, whatever its progress.
  func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }
}

/// Receives an attempt's bytes, and the result of checking the server's key.
final class SFTPReception {
  /// The largest folder list that is held in memory, bytes.
  private static let listLimit = 64 << 20

  private let transfer: SFTPTransfer
  private let descriptor: Int32
  private(set) var bytes: [UInt8] = []
  private(set) var hostKey: curl_khmatch = CURLKHMATCH_OK
  /// The system's reason why received data could not be written.
  private(set) var diskFault: String?

  /// - Throws: `SFTPFault` when the file cannot be created.
  init(_ transfer: SFTPTransfer) throws(SFTPFault) {
    self.transfer = transfer
    guard case .download(_, let path) = transfer.question else {
      descriptor = -1
      return
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw SFTPFault(kind: .disk, reason: String(cString: strerror(errno))) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  static func of(_ context: UnsafeMutableRawPointer?) -> SFTPReception? {
    context.map { Unmanaged<SFTPReception>.fromOpaque($0).takeUnretainedValue() }
  }

  var isCancelled: Bool { transfer.isCancelled }

  /// Takes bytes; returning fewer than were given ends the transfer.
  func take(_ piece: UnsafeRawBufferPointer) -> Int {
    guard !isCancelled else { return 0 }
    guard descriptor >= 0 else {
      bytes.append(contentsOf: piece)
      return bytes.count <= Self.listLimit ? piece.count : 0
    }
    var done = 0
    while done < piece.count {
      let count = write(descriptor, piece.baseAddress?.advanced(by: done), piece.count - done)
      if count < 0 && errno != EINTR {
        diskFault = String(cString: strerror(errno))
        return 0
      }
      done += max(0, count)
    }
    return done
  }

  /// Accepts only a known key.
  func judge(_ match: curl_khmatch) -> Int32 {
    hostKey = match
    return Int32((match == CURLKHMATCH_OK ? CURLKHSTAT_FINE : CURLKHSTAT_REJECT).rawValue)
  }
}

/// Why an attempt returned nothing.
struct SFTPFault: Error, Sendable {
  enum Kind: Sendable {
    case connection, unknownHost, changedHost, noCommonKind, denied, missing, forbidden, cut, disk, cancelled
  }
  var kind: Kind
  var reason: String

  /// Whether another attempt may succeed.
  var mayPass: Bool { kind == .connection || kind == .cut }

  func error(asking question: SFTPQuestion, at address: SFTPAddress, attempts: Int) -> any Error {
    switch kind {
    case .connection: SFTPError.unreachable(host: address.host, reason: reason, attempts: attempts)
    case .unknownHost: SFTPError.unknownHost(host: address.host, port: address.port)
    case .changedHost: SFTPError.changedHost(host: address.host)
    case .noCommonKind: SFTPError.noCommonKind(host: address.host)
    case .denied: SFTPError.denied(host: address.host)
    case .missing: SFTPError.missing(question.subject(at: address))
    case .forbidden: SFTPError.forbidden(question.subject(at: address))
    case .cut: SFTPError.cut(question.subject(at: address), attempts: attempts)
    case .disk: SFTPError.disk(reason: reason)
    case .cancelled: CancellationError()
    }
  }
}
