import Testing

@testable import Decisions

@Suite("The status of a discrepancy under decisions")
struct DiscrepancyStatusTests {
  static let day: Int64 = 86_400
  static let decidedAt: Int64 = 1_772_600_000

  func facts(
    _ condition: String = "persisting", difference: Int64? = -49, since: Int64 = decidedAt - day,
    rangeEnd: Int64 = decidedAt + day
  )
    -> DiscrepancyStatus.Facts
  {
    DiscrepancyStatus.Facts(
      condition: condition, currency: "USD", differenceMinor: difference, since: since, rangeEnd: rangeEnd)
  }

  func decision(_ action: Decision.Action, at: Int64 = decidedAt, difference: Int64? = -49, text: String? = nil)
    -> Decision
  {
    Decision(
      at: at, who: "anna", source: "command line", action: action, discrepancyID: "d_1", differenceMinor: difference,
      text: text)
  }

  @Test("Without a decision it stands as found", arguments: ["new", "persisting", "resolved"])
  func none(condition: String) {
    let standing = DiscrepancyStatus(facts(condition), decisions: [])
    #expect(standing.state == condition)
    #expect(standing.decision.isEmpty && standing.owner.isEmpty && standing.note.isEmpty)
  }

  @Test(
    "Each deciding action has its state",
    arguments: [(Decision.Action.acknowledge, "acknowledged"), (.resolve, "acknowledged"), (.writeOff, "written_off")])
  func states(action: Decision.Action, state: String) {
    let standing = DiscrepancyStatus(facts(), decisions: [decision(action)])
    #expect(standing.state == state)
    #expect(standing.decision.hasSuffix("by anna on 2026-03-04"))
  }

  @Test("Owner and note are the newest, and change no state")
  func ownerAndNote() {
    let standing = DiscrepancyStatus(
      facts(),
      decisions: [
        decision(.assign, text: "ben"), decision(.note, text: "first"), decision(.assign, text: "cleo"),
        decision(.note, text: "second"),
      ])
    #expect(standing.state == "persisting")
    #expect(standing.owner == "cleo")
    #expect(standing.note == "second")
  }

  @Test("A decision never hides a condition that changed its amount")
  func changedAmount() {
    let standing = DiscrepancyStatus(facts(difference: -59), decisions: [decision(.writeOff)])
    #expect(standing.state == "persisting")
    #expect(standing.decision == "written off by anna on 2026-03-04; open again: the difference was -0.49 USD then")
  }

  @Test("What came back after it was decided is open again")
  func cameBack() {
    let standing = DiscrepancyStatus(facts("new", since: Self.decidedAt + 1), decisions: [decision(.acknowledge)])
    #expect(standing.state == "new")
    #expect(standing.decision.hasSuffix("open again: it recurred"))
  }

  @Test("resolve lapses after seven days, acknowledge does not")
  func lapse() {
    let inTime = facts(rangeEnd: Self.decidedAt + 7 * Self.day)
    let late = facts(rangeEnd: Self.decidedAt + 7 * Self.day + 1)
    #expect(DiscrepancyStatus(inTime, decisions: [decision(.resolve)]).state == "acknowledged")
    #expect(DiscrepancyStatus(late, decisions: [decision(.resolve)]).state == "persisting")
    #expect(DiscrepancyStatus(late, decisions: [decision(.acknowledge)]).state == "acknowledged")
  }

  @Test("reopen takes a decision back; a later one stands again")
  func reopen() {
    #expect(DiscrepancyStatus(facts(), decisions: [decision(.acknowledge), decision(.reopen)]).state == "persisting")
    #expect(
      DiscrepancyStatus(facts(), decisions: [decision(.acknowledge), decision(.reopen), decision(.writeOff)]).state
        == "written_off")
  }

  @Test("What has resolved itself stays resolved")
  func resolvedItself() {
    #expect(DiscrepancyStatus(facts("resolved"), decisions: [decision(.acknowledge)]).state == "resolved")
  }

  @Test(
    "Property: the state is the condition unless the newest deciding action is about this very difference",
    arguments: 0..<200)
  func property(seed: Int) {
    var generator = SystemRandomNumberGenerator()
    let actions = (0..<(seed % 6)).map { _ in Decision.Action.allCases.randomElement(using: &generator) ?? .note }
    let decisions = actions.map { decision($0, difference: Bool.random(using: &generator) ? -49 : -50, text: "x") }
    let standing = DiscrepancyStatus(facts(), decisions: decisions)
    let last = decisions.last { $0.action.setsState || $0.action == .reopen }
    let stands = last.map { $0.action != .reopen && $0.differenceMinor == -49 } ?? false
    #expect((standing.state != "persisting") == stands, "\(decisions)")
  }
}
