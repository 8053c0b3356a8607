import Payments
import Testing

@testable import Reconciliation

/// One line of a test table: what is given, what comes of it, and the story that made the rule necessary.
struct Case: Sendable, CustomTestStringConvertible {
  let story: String
  let given: String
  let expected: String

  init(_ story: String, _ given: String, _ expected: String) {
    self.story = story
    self.given = given
    self.expected = expected
  }

  var testDescription: String { "\(story): \(given) -> \(expected)" }

  /// The parts of `given` between semicolons, each as its words.
  var parts: [[String]] { given.split(separator: ";").map { $0.split(separator: " ").map(String.init) } }
}

/// Words of a line such as `webhook captured CAP1 1000 @2 until=9`: what has a name, what has a date, and the rest in
/// order.
struct Words {
  private(set) var plain: [String] = []
  private(set) var date: Int64 = 0
  private var named: [String: String] = [:]

  init(_ words: [String]) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      if word.hasPrefix("@") {
        date = Int64(word.dropFirst()) ?? 0
      } else if parts.count == 2 {
        named[parts[0]] = parts[1]
      } else {
        plain.append(word)
      }
    }
  }

  func text(_ name: String) -> Text? { named[name].map { Text($0) } }
  func number(_ name: String) -> Int64? { named[name].flatMap { Int64($0) } }
}

extension Observation {
  /// `feed state eventID amount @date`, and what else is to be said: `until`, `payment`, `intent`, `part`, `account`,
  /// `record`, `detail`, `file`.
  init(_ words: [String], subject: EventSubject = .payment, recordID: Text = "P") throws {
    let words = Words(words)
    self.init(
      account: words.text("account") ?? "A", subject: subject, recordID: words.text("record") ?? recordID,
      paymentID: words.text("payment") ?? (subject == .payment ? recordID : nil), eventID: Text(words.plain[2]),
      state: try #require(EventState(rawValue: words.plain[1])),
      feed: try #require(EventFeed(rawValue: words.plain[0])), currency: words.text("in") ?? "EUR",
      amountMinor: try #require(Int64(words.plain[3])), happenedAt: words.date, untilAt: words.number("until"),
      intentID: words.text("intent"),
      detail: words.text("detail"), part: words.text("part") ?? "", isSecondary: words.text("secondary") == "yes",
      landedFile: words.number("file") ?? 1, landedLine: words.number("line") ?? 1)
  }

  static func list(
    _ parts: [[String]], subject: EventSubject = .payment, recordID: Text = "P"
  ) throws -> [Observation] {
    try parts.map { try Observation($0, subject: subject, recordID: recordID) }
  }
}
