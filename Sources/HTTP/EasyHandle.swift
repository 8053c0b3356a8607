import CCurl

/// A libcurl easy handle with its own connections, used by one thread only; connections stay open between attempts.
final class EasyHandle {
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  private let handle: OpaquePointer?

  init() {
    handle = Self.isReady ? curl_easy_init().map { OpaquePointer($0) } : nil
  }

  deinit {
    if let handle { curl_easy_cleanup(UnsafeMutableRawPointer(handle)) }
  }

  /// Does one attempt, blocking the calling thread.
  func perform(_ transfer: Transfer) -> TransferResult {
    guard !transfer.isCancelled else { return Reception.failed(.cancelled, "cancelled") }
    guard let handle else { return Reception.failed(.connection, "libcurl cannot be initialised") }
    let curl = UnsafeMutableRawPointer(handle)
    curl_easy_reset(curl)
    let reception = Reception(transfer)
    let list = headerList(transfer.headers)
    defer { curl_slist_free_all(list) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CURL_ERROR_SIZE)) { reason in
      reason.initialize(repeating: 0)
      configure(curl, transfer, list, reason)
      let code = withExtendedLifetime(reception) {
        receive(curl, Unmanaged.passUnretained(reception).toOpaque())
        return curl_easy_perform(curl)
      }
      var (status, sent) = (0, 0)
      ccurl_get_long(curl, CURLINFO_RESPONSE_CODE, &status)
      ccurl_get_long(curl, CURLINFO_REQUEST_SIZE, &sent)
      let words = reason.first == 0 ? String(cString: curl_easy_strerror(code)) : text(reason)
      return reception.result(code, status: status, reason: words, wasSent: sent > 0)
    }
  }

  private func configure(
    _ curl: UnsafeMutableRawPointer, _ transfer: Transfer, _ list: UnsafeMutablePointer<curl_slist>?,
    _ reason: UnsafeMutableBufferPointer<CChar>
  ) {
    ccurl_set_text(curl, CURLOPT_URL, transfer.url)
    ccurl_set_text(curl, CURLOPT_PROTOCOLS_STR, transfer.isPlain ? "http" : "https")
    ccurl_set_text(curl, CURLOPT_ACCEPT_ENCODING, "")
    ccurl_set_text(curl, CURLOPT_USERAGENT, "crossfoot")
    ccurl_set_list(curl, CURLOPT_HTTPHEADER, list)
    ccurl_set_buffer(curl, CURLOPT_ERRORBUFFER, reason.baseAddress)
    let policy = transfer.policy
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_HTTPGET, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1), (CURLOPT_TCP_KEEPALIVE, 1),
      (CURLOPT_TIMEOUT_MS, policy.timeout.milliseconds),
      (CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout.milliseconds),
      (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, max(1, policy.silenceTimeout.milliseconds / 1000)),
    ]
    for (option, value) in numbers { ccurl_set_long(curl, option, value) }
    if let form = transfer.tokenForm {
      ccurl_set_long(curl, CURLOPT_POSTFIELDSIZE, form.utf8.count)
      ccurl_set_text(curl, CURLOPT_COPYPOSTFIELDS, form)
    }
    if let message = transfer.message { ccurl_set_message(curl, message, message.count) }
    if let caFile = transfer.caFile { ccurl_set_text(curl, CURLOPT_CAINFO, caFile) }
    if transfer.isPlain { ccurl_set_text(curl, CURLOPT_NOPROXY, "*") }
    if transfer.onlyConnects { ccurl_set_long(curl, CURLOPT_CONNECT_ONLY, 1) }
  }

  private func receive(_ curl: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
    ccurl_set_body(
      curl,
      { bytes, size, count, context in
        Reception.of(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }, context)
    ccurl_set_header(
      curl,
      { bytes, size, count, context in
        Reception.of(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }, context)
    ccurl_set_progress(curl, { context, _, _, _, _ in Reception.of(context)?.isCancelled == false ? 0 : 1 }, context)
  }

  private func headerList(_ headers: [(String, String)]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for (name, value) in headers where !(name + value).unicodeScalars.contains(where: { $0.value < 32 }) {
      list = curl_slist_append(list, "\(name): \(value)") ?? list
    }
    return list
  }

  private func text(_ bytes: UnsafeMutableBufferPointer<CChar>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
