import Testing

@testable import Reconciliation

/// One group at a time: what it says at both snapshots, and what happens where it cannot say anything.
@Suite struct GroupMatcherTests {
  private struct Run {
    let inputs: MatchInputs
    let groups: MatchGroups
    let links: [MatchLink]
    let matcher: GroupMatcher

    init(_ builder: MatchInputsBuilder) {
      inputs = builder.made()
      let hashes = InitHashes(inputs)
      links = MatchLink.all(inputs, aliases: hashes.aliases)
      groups = MatchGroups(inputs, links: links, hashes: hashes)
      matcher = GroupMatcher(inputs, hashes: hashes, links: links)
    }

    /// The results of every group: `group@moment status finding pairs`.
    func results() throws -> [GroupResult] { try groups.ids.flatMap { try matcher.match(groups[$0]) } }

    func text(_ result: GroupResult) -> String {
      let pairs = result.pairs.map { pair in
        let order = pair.order.map { inputs.texts.string(inputs.orders[Int($0)].orderID) } ?? "-"
        return "\(order)/\(pair.payment.map { inputs.texts.string(inputs.payments[Int($0)].paymentID) } ?? "-")"
      }
      let group = inputs.nodeName(result.group)
      return
        "\(group)@\(result.moment) \(result.verdict.status.rawValue) \(result.verdict.finding.rawValue) "
        + "\(pairs.sorted().joined(separator: " "))"
    }
  }

  @Test("a fact counts at a snapshot when it is before its instant")
  func snapshots() throws {
    var builder = MatchInputsBuilder()
    builder.order("O-1", naming: ["ch_1"])
    builder.payment("ch_1", at: 1500, references: ["ch_1": nil])
    builder.payment("ch_2", at: 1000)
    let run = Run(builder)
    let found = try run.results().map(run.text)
    #expect(
      found == [
        "o:O-1@0 pending none O-1/-", "o:O-1@1 matched none O-1/ch_1",
        "p:bank:ch_2@1 unmatched_payment missing_order -/ch_2",
      ])
  }

  @Test(
    "an authorisation is beside its order before and after a capture; a group is named by its smallest order"
  )
  func pairs() throws {
    var builder = MatchInputsBuilder()
    builder.order("O-2", 1500, naming: ["ch_1", "au_1"])
    builder.order("O-1", 500, naming: ["ch_1"])
    builder.payment("ch_1", 2000, references: ["ch_1": nil])
    builder.payment("au_1", at: nil, references: ["au_1": nil])
    let run = Run(builder)
    let found = try run.results().map(run.text)
    #expect(found.last == "o:O-1@1 matched none O-1/ch_1 O-2/au_1 O-2/ch_1")
  }

  @Test(
    "the rest of a short group is known where each of its orders was placed within coverage",
    arguments: [(from: Int64(500), found: "mismatched amount_mismatch"), (from: 501, found: "pending none")])
  func rest(from: Int64, found: String) throws {
    var builder = MatchInputsBuilder()
    builder.read(from: from)
    builder.order("O-1", at: 500, naming: ["ch_1"])
    builder.order("O-2", at: 700, naming: ["ch_1"])
    builder.payment("ch_1", 400, at: 800, references: ["ch_1": nil])
    let run = Run(builder)
    #expect(try run.results().map(run.text).last == "o:O-1@1 \(found) O-1/ch_1 O-2/ch_1")
  }

  @Test("a sum beyond 64 bits leaves its group out, with its members and the reason; the others are matched")
  func overflow() throws {
    var builder = MatchInputsBuilder()
    builder.order("O-1", .max, naming: ["ch_1"])
    builder.order("O-2", 1, naming: ["ch_1"])
    builder.payment("ch_1", references: ["ch_1": nil])
    builder.order("O-3", naming: ["ch_3"])
    builder.payment("ch_3", references: ["ch_3": nil])
    let run = Run(builder)
    let (first, second) = (run.groups[run.groups.ids[0]], run.groups[run.groups.ids[1]])
    let error = #expect(throws: AmountOverflow.self) { try run.matcher.match(first) }
    let left = run.matcher.unresolved(first, try #require(error))
    #expect(left.groupID == "o:O-1" && left.orderIDs == ["O-1", "O-2"] && left.flowKeys == ["bank:ch_1"])
    #expect(left.reason == "the tenders of its orders exceeds 64 bits of minor units")
    #expect(try run.matcher.match(second).count == 2)
  }

  @Test("an identifier that connects everything is named")
  func largeGroup() {
    var builder = MatchInputsBuilder()
    for number in 0..<12 { builder.payment("ch_\(number)", references: ["test": 1, "O-\(number)": 2]) }
    builder.order("test")
    builder.order("O-3")
    builder.payment("ch_x", references: ["O-3": 1])
    let run = Run(builder)
    let found = LargeGroup.find(run.groups, run.inputs, run.links, limit: 12)
    #expect(found == [LargeGroup(members: 13, identifier: "test")])
    #expect(found[0].warning.hasPrefix("the identifier \"test\" connects a group of 13 orders and payments"))
    #expect(LargeGroup.find(run.groups, run.inputs, run.links, limit: 13).isEmpty)
    #expect(LargeGroup.limit == 1_000)
  }

  @Test("refunds of both sides: by the refund's id, by the payment's, by the only payment of the group")
  func refunds() throws {
    var builder = MatchInputsBuilder()
    builder.order("O-1", 2000, naming: ["ch_1", "ch_2"])
    builder.payment("ch_1", references: ["ch_1": nil])
    builder.payment("ch_2", references: ["ch_2": nil])
    builder.refund("re_1", of: "ch_1", 300)
    builder.refund("re_2", of: "ch_2", 200)
    builder.orderRefund(of: "O-1", 200, naming: "ch_2")
    builder.orderRefund(of: "O-1", 250, naming: "re_1")
    builder.orderRefund(of: "O-1", 50)
    let run = Run(builder)
    let result = try #require(try run.results().last)
    let text = result.refunds.map { refund, match in
      let flowKey = refund.flowKey.map(run.inputs.texts.string) ?? "-"
      return "\(refund.side.rawValue) \(run.inputs.texts.string(refund.refundID)) \(flowKey) \(match.outcome.rawValue)"
    }
    #expect(
      text == [
        "order R0 bank:ch_2 matched", "order R1 bank:ch_1 differs", "order R2 - alone",
        "provider re_1 bank:ch_1 differs",
        "provider re_2 bank:ch_2 matched",
      ])
  }
}
