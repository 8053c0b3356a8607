import Foundation
import Marketplace
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A running localstripe: a server of Stripe's API from PyPI that none of us wrote, asked over HTTP.
final class LocalStripe: Sendable {
  /// The Python that has localstripe (`scripts/localstripe` prints it); nil where it is not installed.
  static let python = ProcessInfo.processInfo.environment["CROSSFOOT_TEST_LOCALSTRIPE"].flatMap {
    $0.isEmpty ? nil : $0
  }
  let baseURL: String
  let key = "sk_test_localstripe"
  private let input = Pipe()

  /// Starts it on a free port of 127.0.0.1; cancels the test where it is not installed.
  static func start() throws -> LocalStripe {
    guard let python else {
      try Test.cancel("CROSSFOOT_TEST_LOCALSTRIPE is not set: scripts/test installs localstripe (PyPI) and sets it")
    }
    return try LocalStripe(python: python)
  }

  private init(python: String) throws {
    let server = Process()
    server.executableURL = URL(fileURLWithPath: python)
    server.arguments = [(#filePath as NSString).deletingLastPathComponent + "/serve-localstripe.py"]
    server.standardInput = input
    let output = Pipe()
    server.standardOutput = output
    try server.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "localstripe said \(line)")
    baseURL = "http://127.0.0.1:\(port)"
  }

  /// Ends it: it ends when its input does, also when the tests are killed.
  func stop() throws { try input.fileHandleForWriting.close() }

  /// Creates an object.
  @discardableResult
  func post(_ path: String, _ form: [(String, String)], expecting status: Int = 200) async throws -> JSONTree {
    let body = form.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
    let (answer, found) = try await ask("POST", path, body: body)
    #expect(found == status, "POST \(path): \(answer)")
    return try JSONTree.parse(answer)
  }

  /// What it answers to a question, and the status.
  func get(_ path: String) async throws -> (text: String, status: Int) { try await ask("GET", path) }

  /// The whole of a list, in its own order.
  func list(_ name: String) async throws -> [JSONTree] {
    var objects: [JSONTree] = []
    while true {
      let cursor = objects.last?["id"]?.word.map { "&starting_after=\($0)" } ?? ""
      let (text, status) = try await get("/v1/\(name)?limit=100\(cursor)")
      #expect(status == 200, "\(name): \(text)")
      let page = try JSONTree.parse(text)
      objects += page["data"]?.elements ?? []
      if page["has_more"] != .bool(true) { return objects }
    }
  }

  private func ask(_ method: String, _ path: String, body: String? = nil) async throws -> (text: String, status: Int) {
    var request = URLRequest(url: try #require(URL(string: baseURL + path)))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    if body != nil { request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type") }
    let (data, response) = try await URLSession.shared.data(for: request)
    return (String(decoding: data, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode ?? 0)
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }
}

/// What is between the program and localstripe: it answers what localstripe refuses.
///
/// Lists are filtered (`created`, and the members that Stripe filters by), newest first, and paged; there are no
/// disputes; the balance is what the ledger adds up to. Everything else is localstripe's own word.
struct LocalStripeProxy {
  let upstream: LocalStripe

  func start() async throws -> LoopbackServer {
    try await LoopbackServer { asked in
      do { return try await answer(asked) } catch {
        return .json("{\"error\":{\"message\":\"\(error)\"}}", status: 500)
      }
    }
  }

  private static let lists: Set<String> = ["balance_transactions", "charges", "payment_intents", "refunds", "payouts"]

  private func answer(_ asked: LoopbackServer.Asked) async throws -> LoopbackServer.Reply {
    let name = String(asked.path.dropFirst("/v1/".count))
    switch name {
    case "disputes": return page([], asked)
    case "balance": return .json(try await balance())
    case _ where Self.lists.contains(name): return page(try await upstream.list(name), asked)
    default:
      let (text, status) = try await upstream.get(asked.path)
      return .json(text.hasPrefix("{") ? text : "{\"error\":{\"message\":\"\(text)\"}}", status: status)
    }
  }

  private func page(_ objects: [JSONTree], _ asked: LoopbackServer.Asked) -> LoopbackServer.Reply {
    var shown = objects.filter { object in asked.query.allSatisfy { fits(object, $0.name, $0.value) } }
    shown.sort { created($0) > created($1) }
    if let cursor = asked["starting_after"], let place = shown.firstIndex(where: { $0["id"]?.word == cursor }) {
      shown.removeFirst(place + 1)
    }
    let limit = asked["limit"].flatMap(Int.init) ?? 10
    let data = shown.prefix(limit).map(\.text).joined(separator: ",")
    return .json(
      "{\"object\":\"list\",\"url\":\"\(asked.path)\",\"has_more\":\(shown.count > limit),\"data\":[\(data)]}")
  }

  private func created(_ object: JSONTree) -> Int64 { object["created"]?.word.flatMap { Int64($0) } ?? 0 }

  private func fits(_ object: JSONTree, _ filter: String, _ value: String) -> Bool {
    switch filter {
    case "created[gte]": Int64(value).map { created(object) >= $0 } ?? true
    case "created[lt]": Int64(value).map { created(object) < $0 } ?? true
    case "source", "charge", "payment_intent", "payout", "transfer_group": object[filter]?.reference == value
    default: true
    }
  }

  private func balance() async throws -> String {
    let sums = Self.sums(try await upstream.list("balance_transactions"))
    let held = sums.sorted { $0.key < $1.key }.map { "{\"amount\":\($0.value),\"currency\":\"\($0.key)\"}" }
    return "{\"object\":\"balance\",\"available\":[\(held.joined(separator: ","))],\"pending\":[]}"
  }

  /// Σ net of ledger rows, by currency.
  static func sums(_ rows: [JSONTree]) -> [String: Int64] {
    rows.reduce(into: [:]) { sums, row in
      sums[row["currency"]?.word ?? "", default: 0] += row["net"]?.word.flatMap { Int64($0) } ?? 0
    }
  }
}
