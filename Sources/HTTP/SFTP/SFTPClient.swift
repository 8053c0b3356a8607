import Dispatch
import Foundation
import Logging

/// The only way to a folder on an SFTP server: lists it and downloads files, reads only, and only from a server whose
/// key is known.
///
/// A key is never trusted on first use: a host key that is not in the known hosts, or differs, ends the connection
/// before our key is offered. Broken connections, time-outs and truncated files are retried, and with a deadline of the
/// run an outage is waited out; permanent refusals by the server (no such file, no access) are not.
package final class SFTPClient: Sendable {
  package let address: SFTPAddress
  private let key: SFTPKey
  private let knownHosts: String
  private let retry: RetryPolicy
  private let waiting: Waiting
  private let logger: Logger
  private let session: SFTPSession

  /// - Parameters:
  ///   - url: `sftp://user@host[:port]/path`.
  ///   - key: the path of a private key, Ed25519 or ECDSA, without a passphrase.
  ///   - knownHosts: the path of a file as OpenSSH keeps it.
  ///   - retry: its `timeout` bounds a listing; a file may take as long as data keeps arriving.
  /// - Throws: `SFTPError` for what is wrong with the three.
  package init(
    url: String, key: String, knownHosts: String, retry: RetryPolicy = RetryPolicy(), waiting: Waiting = .real,
    logger: Logger
  ) throws(SFTPError) {
    address = try SFTPAddress(url)
    self.key = try SFTPKey(path: key)
    guard FileManager.default.contents(atPath: knownHosts) != nil else { throw .knownHosts }
    self.knownHosts = knownHosts
    self.retry = retry
    self.waiting = waiting
    self.logger = logger
    session = SFTPSession()
  }

  /// The files in the folder, without subfolders.
  ///
  /// - Throws: `SFTPError`, `CancellationError`.
  package func list() async throws -> [SFTPListing.File] {
    // Two requests: a plain list contains only the names. The form of a long one is the server's own, so that a name is
    // found in it only if it is known.
    let names = try await perform(.list(namesOnly: true))
    let long = try await perform(.list(namesOnly: false))
    return SFTPListing(names: names, long: long).files
  }

  /// Downloads a file of the folder to a path on this machine.
  ///
  /// - Throws: `SFTPError`, `CancellationError`; nothing is left at the path then.
  package func download(_ name: String, to path: String) async throws {
    _ = try await perform(.download(name, path))
  }

  private func perform(_ question: SFTPQuestion) async throws -> [UInt8] {
    var attempt = 1
    var cause: String?
    while true {
      try Task.checkCancellation()
      let remaining = RunDeadline.remaining(at: waiting.now())
      if remaining == .zero {
        throw SFTPError.deadlineReached(question.subject(at: address), cause: cause)
      }
      let policy = retry.ending(within: remaining)
      let transfer = SFTPTransfer(question, address: address, key: key.path, knownHosts: knownHosts, policy: policy)
      let fault: SFTPFault
      switch await session.perform(transfer) {
      case .success(let bytes): return bytes
      case .failure(let found): fault = found
      }
      try Task.checkCancellation()
      let error = fault.error(asking: question, at: address, attempts: attempt)
      let outlasts = remaining != nil && (error as? SFTPError)?.isUnreachable == true
      guard fault.mayPass, attempt < retry.attempts || outlasts else { throw error }
      let own = retry.wait(after: attempt, asked: nil, jitter: waiting.jitter())
      let wait = min(
        attempt < retry.attempts ? own : RunDeadline.outageWait, RunDeadline.remaining(at: waiting.now()) ?? own)
      cause = "\(error)"
      logger.info("\(error); \(Repetition(wait: wait, attempt: attempt + 1, limit: retry.attempts).words)")
      try await waiting.sleep(wait)
      attempt += 1
    }
  }
}

/// A request to the server.
enum SFTPQuestion: Sendable {
  case list(namesOnly: Bool)
  /// A file's name, and the path to which it is downloaded.
  case download(String, String)

  /// The requested object, for messages.
  func subject(at address: SFTPAddress) -> String {
    switch self {
    case .list: "the folder \(address.folder)"
    case .download(let name, _): "the file \(address.folder)\(name)"
    }
  }
}

/// One connection, kept between requests, with a dedicated thread to wait on, so that Swift's cooperative pool never
/// waits.
final class SFTPSession: Sendable {
  private let queue = DispatchQueue(label: "crossfoot.sftp")
  private let handle = SFTPHandle()

  func perform(_ transfer: SFTPTransfer) async -> Result<[UInt8], SFTPFault> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [handle] in continuation.resume(returning: handle.perform(transfer)) }
      }
    } onCancel: {
      transfer.cancel()
    }
  }
}
