import CCurl

/// One attempt to deliver a mail, or, without a message, to get as far as the point where one could be delivered.
struct Mail: Sendable {
  let url: String
  let username: String?
  let password: String?
  let caFile: String?
  let policy: RetryPolicy
  let sender: String
  let receivers: [String]
  /// Nil: NOOP is sent instead.
  let message: [UInt8]?

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Blocks the calling thread; nil: the server has accepted it.
  func perform() -> SMTPFault? {
    guard Self.isReady, let curl = curl_easy_init() else {
      return SMTPFault(kind: .connection, status: 0, reason: "libcurl cannot be initialised", mayHaveArrived: false)
    }
    defer { curl_easy_cleanup(curl) }
    var list: UnsafeMutablePointer<curl_slist>?
    for receiver in receivers { list = curl_slist_append(list, "<\(receiver)>") ?? list }
    defer { curl_slist_free_all(list) }
    let source = MailSource(message ?? [])
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CURL_ERROR_SIZE)) { reason in
      reason.initialize(repeating: 0)
      configure(curl, list, reason)
      let code = withExtendedLifetime(source) {
        if message != nil { give(curl, Unmanaged.passUnretained(source).toOpaque()) }
        return curl_easy_perform(curl)
      }
      guard code != CURLE_OK else { return nil }
      var status = 0
      ccurl_get_long(curl, CURLINFO_RESPONSE_CODE, &status)
      let bytes = reason.first == 0 ? nil : reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let words = bytes.map { String(decoding: $0, as: UTF8.self) } ?? String(cString: curl_easy_strerror(code))
      return SMTPFault(code, status: status, reason: words, wasGivenWhole: message != nil && source.isAtEnd)
    }
  }

  private func configure(
    _ curl: UnsafeMutableRawPointer, _ list: UnsafeMutablePointer<curl_slist>?,
    _ reason: UnsafeMutableBufferPointer<CChar>
  ) {
    ccurl_set_text(curl, CURLOPT_URL, url)
    ccurl_set_text(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    if message != nil {
      ccurl_set_text(curl, CURLOPT_MAIL_FROM, "<\(sender)>")
      ccurl_set_list(curl, CURLOPT_MAIL_RCPT, list)
    } else {
      ccurl_set_text(curl, CURLOPT_CUSTOMREQUEST, "NOOP")
    }
    ccurl_set_buffer(curl, CURLOPT_ERRORBUFFER, reason.baseAddress)
    // A certificate and encryption are required: without them libcurl fails before it sends anything.
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)), (message == nil ? CURLOPT_NOBODY : CURLOPT_UPLOAD, 1),
      (CURLOPT_NOSIGNAL, 1),
      (CURLOPT_TIMEOUT_MS, policy.timeout.milliseconds),
      (CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout.milliseconds),
      // It limits the end of the session too: after a time-out libcurl sends QUIT and would wait two minutes for its
      // answer.
      (CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, policy.timeout.milliseconds / 1000)),
    ]
    for (option, value) in numbers { ccurl_set_long(curl, option, value) }
    if let username { ccurl_set_text(curl, CURLOPT_USERNAME, username) }
    if let password { ccurl_set_text(curl, CURLOPT_PASSWORD, password) }
    if let caFile { ccurl_set_text(curl, CURLOPT_CAINFO, caFile) }
    ccurl_set_text(curl, CURLOPT_NOPROXY, "*")
    // The server's output is not needed; without a callback libcurl would print it.
    ccurl_set_body(curl, { _, size, count, _ in size * count }, nil)
  }

  private func give(_ curl: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
    ccurl_set_source(
      curl,
      { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let source = Unmanaged<MailSource>.fromOpaque(context).takeUnretainedValue()
        return source.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
      }, context)
  }
}

/// The bytes of a mail to be sent.
private final class MailSource {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(room.count, bytes.count - place)
    room.copyBytes(from: bytes[place..<place + count])
    place += count
    return count
  }
}

/// How an attempt failed.
struct SMTPFault: Sendable {
  enum Kind: Sendable { case noTLS, untrusted, denied, refused, connection }
  var kind: Kind
  var status: Int
  var reason: String
  var mayHaveArrived: Bool

  init(kind: Kind, status: Int, reason: String, mayHaveArrived: Bool) {
    (self.kind, self.status, self.reason, self.mayHaveArrived) = (kind, status, reason, mayHaveArrived)
  }

  init(_ code: CURLcode, status: Int, reason: String, wasGivenWhole: Bool) {
    let kind: Kind =
      switch code {
      case CURLE_USE_SSL_FAILED: .noTLS
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .untrusted
      case CURLE_LOGIN_DENIED: .denied
      default: (400...599).contains(status) ? .refused : .connection
      }
    self.init(kind: kind, status: status, reason: reason, mayHaveArrived: kind == .connection && wasGivenWhole)
  }

  var mayPass: Bool { kind == .connection || (kind == .refused && status < 500) }

  func error(at place: String, attempts: Int, hiding secrets: [String], mayHaveArrived: Bool) -> SMTPError {
    let words = Excerpt.of(Array(reason.utf8), hiding: secrets)
    return switch kind {
    case .noTLS: .noTLS(place: place)
    case .untrusted: .untrusted(place: place, reason: words)
    case .denied: .denied(place: place)
    case .refused: .refused(place: place, status: status, attempts: attempts)
    case .connection: .unreachable(place: place, reason: words, attempts: attempts, mayHaveArrived: mayHaveArrived)
    }
  }
}
