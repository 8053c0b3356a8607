import CCurl

/// What has been received of an answer so far; lives for one attempt.
final class Reception {
  private let transfer: Transfer
  private var headers: [(name: String, value: String)] = []
  private var body: [UInt8] = []
  private var isTooLarge = false
  /// The bytes that the body has taken from `BodyBudget`.
  private var held = 0

  init(_ transfer: Transfer) { self.transfer = transfer }

  deinit { BodyBudget.shared.give(back: held) }

  static func of(_ context: UnsafeMutableRawPointer?) -> Reception? {
    context.map { Unmanaged<Reception>.fromOpaque($0).takeUnretainedValue() }
  }

  var isCancelled: Bool { transfer.isCancelled }

  /// Takes body bytes; 0 refuses them and ends the transfer.
  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    isTooLarge = body.count + bytes.count > transfer.policy.bodyLimit || !BodyBudget.shared.take(bytes.count)
    guard !isTooLarge else { return 0 }
    held += bytes.count
    guard !isCancelled else { return 0 }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  /// Takes one header line; a new status line (after `100 Continue`) starts afresh.
  func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
    let line = String(decoding: bytes, as: UTF8.self).trimmed
    if line.hasPrefix("HTTP/") {
      headers = []
    } else if let colon = line.firstIndex(of: ":") {
      headers.append((String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed))
    }
    return bytes.count
  }

  /// The attempt's result from libcurl's code.
  func result(_ code: CURLcode, status: Int, reason: String, wasSent: Bool) -> TransferResult {
    if code == CURLE_OK { return .response(HTTPResponse(status: status, headers: headers, body: body)) }
    return .failure(
      TransferFailure(
        kind: kind(code, status), reason: reason, status: status, headers: headers, received: body.count,
        wasSent: wasSent))
  }

  private func kind(_ code: CURLcode, _ status: Int) -> TransferFailure.Kind {
    if isCancelled { return .cancelled }
    if isTooLarge { return .tooLarge }
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return .timeout
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: return .untrusted
    case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING: return .cut
    default: return status == 0 ? .connection : .cut
    }
  }

  static func failed(_ kind: TransferFailure.Kind, _ reason: String) -> TransferResult {
    .failure(TransferFailure(kind: kind, reason: reason, status: 0, headers: [], received: 0))
  }
}

extension String {
  /// Without white space at both ends.
  fileprivate var trimmed: String {
    var rest = Substring(self)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
