import CCurl
import Foundation

/// A libcurl easy handle for SFTP, used by one thread at a time; its connection stays open between attempts.
final class SFTPHandle: @unchecked Sendable {
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  private let curl: UnsafeMutableRawPointer?

  init() { curl = Self.isReady ? curl_easy_init() : nil }

  deinit { if let curl { curl_easy_cleanup(curl) } }

  /// Does one attempt, blocking the calling thread; an incomplete file is removed.
  func perform(_ transfer: SFTPTransfer) -> Result<[UInt8], SFTPFault> {
    guard !transfer.isCancelled else { return .failure(SFTPFault(kind: .cancelled, reason: "cancelled")) }
    guard let curl else { return .failure(SFTPFault(kind: .connection, reason: "libcurl cannot be initialised")) }
    let result = Result { () throws(SFTPFault) in try attempt(transfer, curl) }
    if case .failure = result, case .download(_, let path) = transfer.question { unlink(path) }
    return result
  }

  private func attempt(_ transfer: SFTPTransfer, _ curl: UnsafeMutableRawPointer) throws(SFTPFault) -> [UInt8] {
    let reception = try SFTPReception(transfer)
    curl_easy_reset(curl)
    configure(curl, transfer)
    let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    defer { reason.deallocate() }
    reason.pointee = 0
    ccurl_set_buffer(curl, CURLOPT_ERRORBUFFER, reason)
    let code = withExtendedLifetime(reception) {
      receive(curl, Unmanaged.passUnretained(reception).toOpaque())
      return curl_easy_perform(curl)
    }
    if code == CURLE_OK { return reception.bytes }
    let words = reason.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: reason)
    throw Self.fault(code, words, reception)
  }

  private func configure(_ curl: UnsafeMutableRawPointer, _ transfer: SFTPTransfer) {
    let policy = transfer.policy
    var numbers: [(CURLoption, Int)] = [
      (CURLOPT_SSH_AUTH_TYPES, 1 /* CURLSSH_AUTH_PUBLICKEY */), (CURLOPT_NOSIGNAL, 1), (CURLOPT_TCP_KEEPALIVE, 1),
      (CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout.milliseconds), (CURLOPT_LOW_SPEED_LIMIT, 1),
      (CURLOPT_LOW_SPEED_TIME, max(1, policy.silenceTimeout.milliseconds / 1000)),
    ]
    var url = transfer.address.url()
    switch transfer.question {
    case .list(let namesOnly):
      numbers += [(CURLOPT_DIRLISTONLY, namesOnly ? 1 : 0), (CURLOPT_TIMEOUT_MS, policy.timeout.milliseconds)]
    case .download(let name, _): url = transfer.address.url(of: name)
    }
    for (option, value) in numbers { ccurl_set_long(curl, option, value) }
    let texts = [
      (CURLOPT_URL, url), (CURLOPT_PROTOCOLS_STR, "sftp"), (CURLOPT_USERNAME, transfer.address.user),
      (CURLOPT_SSH_PRIVATE_KEYFILE, transfer.key), (CURLOPT_SSH_KNOWNHOSTS, transfer.knownHosts),
    ]
    for (option, text) in texts { ccurl_set_text(curl, option, text) }
    if transfer.address.isLoopback { ccurl_set_text(curl, CURLOPT_NOPROXY, "*") }
  }

  private func receive(_ curl: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
    ccurl_set_body(
      curl,
      { bytes, size, count, context in
        SFTPReception.of(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }, context)
    ccurl_set_progress(
      curl, { context, _, _, _, _ in SFTPReception.of(context)?.isCancelled == false ? 0 : 1 }, context)
    ccurl_set_host_key_check(
      curl,
      { _, _, _, match, context in
        SFTPReception.of(context)?.judge(match) ?? Int32(CURLKHSTAT_REJECT.rawValue)
      }, context)
  }

  private static func fault(_ code: CURLcode, _ words: String, _ reception: SFTPReception) -> SFTPFault {
    if reception.isCancelled { return SFTPFault(kind: .cancelled, reason: words) }
    if let reason = reception.diskFault { return SFTPFault(kind: .disk, reason: reason) }
    if reception.hostKey == CURLKHMATCH_MISMATCH { return SFTPFault(kind: .changedHost, reason: words) }
    if reception.hostKey != CURLKHMATCH_OK { return SFTPFault(kind: .unknownHost, reason: words) }
    switch code {
    case CURLE_LOGIN_DENIED: return SFTPFault(kind: .denied, reason: words)
    case CURLE_REMOTE_FILE_NOT_FOUND: return SFTPFault(kind: .missing, reason: words)
    case CURLE_REMOTE_ACCESS_DENIED: return SFTPFault(kind: .forbidden, reason: words)
    case CURLE_PARTIAL_FILE, CURLE_WRITE_ERROR: return SFTPFault(kind: .cut, reason: words)
    default:
      return SFTPFault(kind: words.contains("exchange encryption keys") ? .noCommonKind : .connection, reason: words)
    }
  }
}
