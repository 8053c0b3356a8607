import CCurl
import Synchronization

/// One attempt on the wire: its request, and the only place where its result is stored.
final class Transfer: Sendable {
  let url: String
  let headers: [(String, String)]
  /// Posted unchanged; nil: a GET.
  let tokenForm: String?
  let message: [UInt8]?
  let caFile: String?
  let policy: RetryPolicy
  /// Loopback traffic bypasses any proxy of the environment.
  let isPlain: Bool
  /// Only the connection is wanted: no request is sent.
  let onlyConnects: Bool
  private let isCancelledFlag = Atomic<Bool>(false)
  private let waiter = Mutex<CheckedContinuation<TransferResult, Never>?>(nil)

  init(
    url: String, headers: [(String, String)], tokenForm: String?, message: [UInt8]? = nil, caFile: String?,
    policy: RetryPolicy, isPlain: Bool,
    onlyConnects: Bool = false
  ) {
    self.message = message
    self.url = url
    self.headers = headers
    self.tokenForm = tokenForm
    self.caFile = caFile
    self.policy = policy
    self.isPlain = isPlain
    self.onlyConnects = onlyConnects
  }

  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  /// Ends the attempt soon, whatever its progress.
  func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }

  /// Sets the continuation that waits for the result.
  func await(_ continuation: CheckedContinuation<TransferResult, Never>) {
    waiter.withLock { $0 = continuation }
  }

  /// Hands the result over; only the first one counts.
  func finish(_ result: TransferResult) {
    let waiting = waiter.withLock { slot in
      defer { slot = nil }
      return slot
    }
    waiting?.resume(returning: result)
  }
}

/// How an attempt ended.
enum TransferResult: Sendable {
  case response(HTTPResponse)
  case failure(TransferFailure)
}

/// Why an attempt returned no complete answer; `status` 0 means that none had begun.
struct TransferFailure: Sendable {
  enum Kind: Sendable { case connection, untrusted, timeout, cut, tooLarge, cancelled }
  var kind: Kind
  var reason: String
  var status: Int
  var headers: [(name: String, value: String)]
  var received: Int
  /// Whether any part of the request was sent: it may then have been accepted, whatever came back.
  var wasSent = false
}
