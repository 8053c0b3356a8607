import Foundation
import Synchronization
import TestSupport
import Yams

/// One answer of a story's loopback servers, and which requests get it.
struct StoryAnswer: Sendable {
  /// The server it belongs to, by the label in `{base_url.label}`; empty: `{base_url}`.
  var provider = ""
  /// nil: any.
  var method: String?
  /// The whole path; one that ends with `*` fits all that begin so.
  var path: String
  /// Parts of the query's values, by name; an empty part fits only where the name is not asked for.
  var query: [String: String] = [:]
  /// A part of the request's body.
  var contains: String?
  var status = 200
  var headers: [String: String] = [:]
  var body = ""
  /// How often it is given; nil: always.
  var times: Int?

  static func list(_ node: Node, copies: Int) throws -> [StoryAnswer] {
    try Story.repeated(node, copies: copies).map { try StoryAnswer($0, copies: copies) }
  }

  private static let keys: Set = [
    "provider", "method", "path", "query", "contains", "status", "headers", "body", "text", "times",
  ]

  private init(_ node: Node, copies: Int) throws {
    guard let path = node["path"]?.string else { throw StoryError("an answer has no path") }
    if let odd = node.mapping?.keys.compactMap(\.string).first(where: { !Self.keys.contains($0) }) {
      throw StoryError("an answer has no key \(odd)")
    }
    self.path = path
    provider = node["provider"]?.string ?? ""
    method = node["method"]?.string
    query = Self.words(node["query"])
    contains = node["contains"]?.string
    status = node["status"]?.int ?? 200
    headers = Self.words(node["headers"])
    times = node["times"]?.int
    if let text = node["text"]?.string {
      body = StoryFiles.lines(text, copies: copies)
    } else if let tree = node["body"] {
      body = try StoryFiles.json(tree, copies: copies)
      headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
    }
  }

  private static func words(_ node: Node?) -> [String: String] {
    (node?.mapping ?? [:]).reduce(into: [:]) { $0[$1.key.string ?? ""] = $1.value.scalar?.string ?? "" }
  }

  /// How many of its conditions a request meets beside the path; nil where one of them is not met.
  func closeness(to asked: LoopbackServer.Asked) -> Int? {
    let isWhole = !path.hasSuffix("*")
    guard isWhole ? asked.path == path : asked.path.hasPrefix(path.dropLast()) else { return nil }
    if let method, method != asked.method { return nil }
    if let contains, !asked.body.contains(contains) { return nil }
    for (name, part) in query where part.isEmpty ? asked[name] != nil : asked[name]?.contains(part) != true {
      return nil
    }
    return query.count + (method == nil ? 0 : 1) + (contains == nil ? 0 : 1) + (isWhole ? 100 : 0)
  }
}

/// A loopback server that answers from a list, which a later night exchanges.
final class StoryServer: Sendable {
  private struct State {
    var answers: [StoryAnswer] = []
    var given: [Int: Int] = [:]
    var asked: [String] = []
    var unanswered: [String] = []
  }
  let label: String
  private let folder: String
  private let state = Mutex(State())

  init(label: String, folder: String) {
    self.label = label
    self.folder = folder
  }

  /// What was asked since the last night began: `GET /path?query`, with `label: ` before it at a labelled server.
  var asked: [String] { state.withLock { $0.asked } }
  /// Those of them that the story has no answer for.
  var unanswered: [String] { state.withLock { $0.unanswered } }

  func begin(_ answers: [StoryAnswer]) {
    state.withLock { $0 = State(answers: answers.filter { $0.provider == label }) }
  }

  func start() async throws -> LoopbackServer {
    try await LoopbackServer { [self] asked in reply(asked) }
  }

  private func reply(_ asked: LoopbackServer.Asked) -> LoopbackServer.Reply {
    let query = asked.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let line = "\(label.isEmpty ? "" : "\(label): ")\(asked.method) \(asked.path)\(query.isEmpty ? "" : "?\(query)")"
    let answer = state.withLock { state -> StoryAnswer? in
      state.asked.append(line)
      var best: (index: Int, closeness: Int)?
      for (index, answer) in state.answers.enumerated() {
        guard let closeness = answer.closeness(to: asked), closeness > best?.closeness ?? -1 else { continue }
        guard state.given[index, default: 0] < answer.times ?? .max else { continue }
        best = (index, closeness)
      }
      guard let best else {
        state.unanswered.append(line)
        return nil
      }
      state.given[best.index, default: 0] += 1
      return state.answers[best.index]
    }
    guard let answer else { return .json("{\"error\":\"not found\"}", status: 404) }
    let baseURL = "http://\(asked.headers["host"] ?? "127.0.0.1")"
    return .whole(
      answer.status, headers: answer.headers.mapValues { filled($0, baseURL) }, body: filled(answer.body, baseURL))
  }

  private func filled(_ text: String, _ baseURL: String) -> String {
    text.replacingOccurrences(of: "{base_url}", with: baseURL).replacingOccurrences(of: "{folder}", with: folder)
  }
}
