import Foundation
import HTTP
import JSON
import Landing
import Logging
import Settings
import Synchronization
import TestSupport

@testable import Providers

/// The secret that must never be found again.
let payPalSecret = "EFindmeSecret7secretsecret"

/// PayPal on loopback as a test fills it: a report that is asked by windows, whose ends are inclusive, and objects by
/// path.
final class PayPalShelf: Sendable {
  private struct State {
    var rows: [(at: Int64, json: String)] = []
    var objects: [String: String] = [:]
    var tokens = 0
    var counts: [String: Int] = [:]
  }
  private let state = Mutex(State())
  /// Up to when the report is made; nil: it does not say.
  let refreshedAt: Int64?
  let mostRows: Int
  /// Answers instead of the shelf, if it wants to; given the request and its number on that path, from 1.
  private let interfere: @Sendable (LoopbackServer.Asked, Int) -> LoopbackServer.Reply?

  init(
    refreshedAt: Int64? = dayEnd + 600, mostRows: Int = 10_000,
    interfere: @escaping @Sendable (LoopbackServer.Asked, Int) -> LoopbackServer.Reply? = { _, _ in nil }
  ) {
    self.refreshedAt = refreshedAt
    self.mostRows = mostRows
    self.interfere = interfere
  }

  /// How many tokens were given.
  var tokens: Int { state.withLock { $0.tokens } }

  /// Puts a row on the report.
  func row(
    _ id: String, at moment: Int64, code: String = "T0006", amount: String = "10.00", status: String = "S",
    reference: String? = nil
  ) {
    let text = Self.moment(moment)
    let refers = reference.map { #","paypal_reference_id":"\#($0)","paypal_reference_id_type":"TXN""# } ?? ""
    let json = """
      {"transaction_info":{"transaction_id":"\(id)","transaction_event_code":"\(code)",\
      "transaction_initiation_date":"\(text)",\
      "transaction_updated_date":"\(text)","transaction_amount":{"currency_code":"USD","value":"\(amount)"},\
      "transaction_status":"\(status)","custom_field":"O-\(id)","transaction_note":"for Jenny Rosen"\(refers)},\
      "payer_info":{"email_address":"jenny.rosen@example.com"}}
      """
    state.withLock { $0.rows.append((moment, json)) }
  }

  func put(_ path: String, _ json: String) { state.withLock { $0.objects[path] = json } }

  func answer(_ asked: LoopbackServer.Asked) -> LoopbackServer.Reply {
    let count = state.withLock { state in
      state.counts[asked.path, default: 0] += 1
      return state.counts[asked.path] ?? 0
    }
    if let reply = interfere(asked, count) { return reply }
    switch asked.path {
    case "/v1/oauth2/token":
      let number = state.withLock { state in
        state.tokens += 1
        return state.tokens
      }
      return .json(#"{"access_token":"A21AAfindme-\#(number)","token_type":"Bearer","expires_in":32400}"#)
    case "/v1/reporting/transactions": return report(asked)
    case "/v1/reporting/balances": return .json(#"{"balances":[]}"#)
    case "/v1/customer/disputes": return .json(#"{"items":[],"links":[]}"#)
    default:
      if let object = state.withLock({ $0.objects[asked.path] }) { return .json(object) }
      return .json(#"{"name":"RESOURCE_NOT_FOUND","message":"The specified resource does not exist."}"#, status: 404)
    }
  }

  private func report(_ asked: LoopbackServer.Asked) -> LoopbackServer.Reply {
    guard let from = asked["start_date"].flatMap({ try? PayPalInstant.parse($0) }),
      let to = asked["end_date"].flatMap({ try? PayPalInstant.parse($0) }), from <= to, to - from <= 31 * 86_400
    else { return .json(#"{"name":"INVALID_REQUEST","message":"Date range is greater than 31 days."}"#, status: 400) }
    if let refreshedAt, from > refreshedAt {
      return .json(
        #"{"name":"INVALID_REQUEST","message":"Data for the given start date is not available."}"#, status: 400)
    }
    var found = state.withLock { $0.rows }.filter { $0.at >= from && $0.at <= to }
    if asked["balance_affecting_records_only"] == "Y" { found.removeAll { $0.json.contains(#""T13"#) } }
    if let id = asked["transaction_id"] { found.removeAll { !$0.json.contains(#"id":"\#(id)""#) } }
    guard found.count <= mostRows else {
      return .json(
        #"{"name":"RESULTSET_TOO_LARGE","total_items":\#(found.count),"maximum_items":\#(mostRows)}"#, status: 400)
    }
    let size = asked["page_size"].flatMap { Int($0) } ?? 100
    let page = asked["page"].flatMap { Int($0) } ?? 1
    let shown = found.sorted { $0.at < $1.at }.dropFirst((page - 1) * size).prefix(size).map(\.json)
    let refreshed = refreshedAt.map { #","last_refreshed_datetime":"\#(Self.moment($0))""# } ?? ""
    return .json(
      """
      {"transaction_details":[\(shown.joined(separator: ","))],"account_number":"MERCHANT7"\(refreshed),"page":\(page),\
      "total_items":\(found.count),"total_pages":\((found.count + size - 1) / size),"links":[]}
      """)
  }

  /// As PayPal writes it.
  static func moment(_ seconds: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return date.dropLast() + "+0000"
  }
}

/// A PayPal account on loopback, its landing zone in a folder of its own, and nights to pull it.
final class PayPalNight: Sendable {
  let shelf: PayPalShelf
  let server: LoopbackServer
  let landing: Landing
  let log = LogLines()
  let waits = LogLines()
  private let configure: @Sendable (inout PayPalConfiguration) -> Void

  init(
    refreshedAt: Int64? = dayEnd + 600, mostRows: Int = 10_000,
    _ configure: @escaping @Sendable (inout PayPalConfiguration) -> Void = { _ in },
    interfere: @escaping @Sendable (LoopbackServer.Asked, Int) -> LoopbackServer.Reply?
  ) async throws {
    let shelf = PayPalShelf(refreshedAt: refreshedAt, mostRows: mostRows, interfere: interfere)
    self.shelf = shelf
    self.configure = configure
    server = try await LoopbackServer { shelf.answer($0) }
    landing = Landing(
      directory: FileManager.default.temporaryDirectory.appendingPathComponent("paypal-\(UUID().uuidString)"))
  }

  convenience init(
    refreshedAt: Int64? = dayEnd + 600, mostRows: Int = 10_000,
    _ configure: @escaping @Sendable (inout PayPalConfiguration) -> Void
  ) async throws {
    try await self.init(refreshedAt: refreshedAt, mostRows: mostRows, configure) { _, _ in nil }
  }

  convenience init(refreshedAt: Int64? = dayEnd + 600, mostRows: Int = 10_000) async throws {
    try await self.init(refreshedAt: refreshedAt, mostRows: mostRows, { _ in }) { _, _ in nil }
  }

  deinit { try? FileManager.default.removeItem(atPath: landing.directory) }

  func provider(now: Int64 = dayEnd + 600) throws -> PayPal {
    var configuration = PayPalConfiguration(
      name: "paypal", clientID: "client-1", clientSecret: Secret(payPalSecret), baseURL: server.baseURL)
    configuration.retry = RetryPolicy(attempts: 3, timeout: .seconds(20))
    configure(&configuration)
    let waits = waits
    let waiting = Waiting(sleep: { waits.add("\($0)") }, jitter: { 1 }, now: { now })
    let log = log
    let logger = Logger(label: "test") { _ in RecordingLog(lines: log) }
    return try PayPal(configuration, waiting: waiting, logger: logger)
  }

  /// Pulls the days up to `end`, ten minutes after it unless said otherwise.
  func pull(days: Int64 = 1, end: Int64 = dayEnd, now: Int64? = nil, open: [String: [String]] = [:]) async throws
    -> PullOutcome
  {
    let order = PullOrder(rangeFrom: end - days * day, rangeTo: end, now: now ?? end + 600, open: open)
    return try await provider(now: now ?? end + 600).pull(order, into: landing)
  }

  /// The landed lines of a stream, of all pulls, in reading order.
  func lines(_ stream: PayPalStream) throws -> [String] {
    var lines: [String] = []
    for manifest in try landing.manifests() where manifest.stream == stream.rawValue {
      try landing.read(manifest) { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  /// The ids of the landed rows, in reading order.
  func rowIDs(_ stream: PayPalStream = .reporting) throws -> [String] {
    let parser = JSONParser()
    return try lines(stream).map { line in
      try parser.parse(Array(line.utf8)) { (try? $0["transaction_id"].string()) ?? (try? $0["id"].string()) ?? "" }
    }
  }

  /// The newest manifest of a stream.
  func manifest(_ stream: PayPalStream) throws -> Manifest? {
    try landing.manifests().last { $0.stream == stream.rawValue }
  }

  /// The questions to the report that asked for money rows.
  var windows: [LoopbackServer.Asked] {
    server.asked.filter { $0.path == "/v1/reporting/transactions" && $0["balance_affecting_records_only"] == "Y" }
  }

  /// Every byte that a secret could have got into: files, log, outcome.
  func everything(_ outcome: PullOutcome) throws -> String {
    var text = log.all.joined(separator: "\n") + "\(outcome)"
    for name in FileManager.default.enumerator(atPath: landing.directory)?.compactMap({ $0 as? String }) ?? [] {
      if let bytes = FileManager.default.contents(atPath: landing.directory + "/" + name) {
        text += String(decoding: bytes, as: UTF8.self)
      }
    }
    for stream in PayPalStream.allCases { text += try lines(stream).joined(separator: "\n") }
    return text
  }
}

extension PullOutcome {
  /// How a stream of PayPal's went.
  func of(paypal stream: PayPalStream) -> StreamOutcome? { streams.first { $0.stream == stream.rawValue } }
}
