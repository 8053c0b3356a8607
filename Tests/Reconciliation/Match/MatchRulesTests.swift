import Testing

@testable import Reconciliation

/// Who finds whom, by which rule.
@Suite struct MatchRulesTests {
  @Test("the rules by name, surest first, each with its reason")
  func rules() {
    #expect(MatchRule.all.map(\.name) == ["payment-references", "order-reference"])
    #expect(MatchRule.all.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("the order names an identifier of the payment; what the payment names then does not matter")
  func surest() {
    var builder = MatchInputsBuilder()
    builder.order("O-1", naming: ["ch_1", "pi_1"])
    builder.order("O-2")
    builder.payment("ch_1", references: ["ch_1": nil, "pi_1": nil, "O-2": 1])
    #expect(builder.links() == ["ch_1 O-1 payment-references 0"])
  }

  @Test("the fields of the payment in their configured order")
  func rank() {
    var builder = MatchInputsBuilder()
    builder.order("O-1")
    builder.order("O-2")
    builder.order("O-3")
    builder.payment("ch_1", references: ["O-1": 3, "O-2": 2, "unknown": 1])
    builder.payment("ch_2", references: ["O-3": nil])
    #expect(builder.links() == ["ch_1 O-2 order-reference 2"])
  }

  @Test("several orders name one payment, and one order several payments")
  func many() {
    var builder = MatchInputsBuilder()
    builder.order("O-1", naming: ["cart"])
    builder.order("O-2", naming: ["cart", "ch_2"])
    builder.payment("ch_1", references: ["cart": nil])
    builder.payment("ch_2", references: ["ch_2": nil])
    #expect(
      builder.links() == [
        "ch_1 O-1 payment-references 0", "ch_1 O-2 payment-references 0", "ch_2 O-2 payment-references 0",
      ])
  }

  @Test("an init hash in capitals finds its order too, and once")
  func capitals() {
    var builder = MatchInputsBuilder()
    builder.started("00ff")
    builder.order("O-1", naming: ["00ff"])
    builder.payment("ch_1", references: ["00FF": 2, "00Ff": 1])
    builder.payment("ch_2", references: ["00FF": nil, "00ff": nil])
    #expect(builder.links() == ["ch_1 O-1 payment-references 0", "ch_2 O-1 payment-references 0"])
    let inputs = builder.made()
    let hashes = InitHashes(inputs)
    #expect(
      hashes.aliases.map { "\(inputs.texts.string($0.flowKey)) \(inputs.texts.string($0.value)) \($0.rank ?? 0)" } == [
        "bank:ch_1 00ff 1"
      ])
    #expect(hashes.ofPayments.count == 2 && hashes.ofOrders.count == 1)
  }

  @Test("of several hashes the smallest speaks, with the first call of all")
  func smallestHash() throws {
    var builder = MatchInputsBuilder()
    builder.started("0a", at: 500)
    builder.started("0b", at: 400)
    builder.order("O-1", naming: ["0b", "0a"])
    builder.payment("ch_1", references: ["0b": nil, "0a": nil])
    let inputs = builder.made()
    let hashes = InitHashes(inputs)
    let started = try #require(hashes.ofPayments.values.first)
    #expect(inputs.texts.string(started.hash) == "0a" && started.startedAt == 400)
    #expect(hashes.ofOrders[0].map(inputs.texts.string) == "0a")
  }
}
