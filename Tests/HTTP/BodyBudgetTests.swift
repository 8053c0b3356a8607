import Testing

@testable import HTTP

@Suite("Bodies of many answers") struct BodyBudgetTests {
  @Test("together they take no more than the budget, and what is given back may be taken again") func budget() {
    let budget = BodyBudget(most: 100)
    #expect(budget.take(60) && budget.take(40) && !budget.take(1))
    budget.give(back: 40)
    #expect(!budget.take(41) && budget.take(40))
    budget.give(back: 100)
    #expect(budget.take(100))
  }

  @Test("what four connections to each API and one settlement report take at most leaves room below 512 MiB")
  func sizes() {
    #expect(BodyBudget.shared.most <= 288 << 20 && RetryPolicy().bodyLimit * 4 <= BodyBudget.shared.most)
  }
}
