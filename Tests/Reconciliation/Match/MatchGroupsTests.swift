import TestSupport
import Testing

@testable import Reconciliation

/// Groups are what references connect: union-find against a closure that is computed by hand.
@Suite struct MatchGroupsTests {
  @Test("random references make the groups that a naive closure makes", arguments: 0..<200)
  func closure(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let orders = Int.random(in: 0...12, using: &random)
    let payments = Int.random(in: 0...12, using: &random)
    var links: [(order: Int32, payment: Int32)] = []
    var twins: [(Int32, Int32)] = []
    if orders > 0 {
      if payments > 0 {
        for _ in 0..<Int.random(in: 0...16, using: &random) {
          links.append(
            (Int32.random(in: 0..<Int32(orders), using: &random), Int32.random(in: 0..<Int32(payments), using: &random))
          )
        }
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        twins.append(
          (Int32.random(in: 0..<Int32(orders), using: &random), Int32.random(in: 0..<Int32(orders), using: &random)))
      }
    }
    let groups = MatchGroups(orderCount: orders, paymentCount: payments, links: links, twins: twins)
    let edges = links.map { ($0.order, $0.payment + Int32(orders)) } + twins
    #expect(groups.groupOfNode == Self.smallestReachable(count: orders + payments, edges))
    let members = groups.ids.map { groups[$0] }
    #expect(members.flatMap(\.orders).sorted() == (0..<Int32(orders)).map { $0 })
    #expect(members.flatMap(\.payments).sorted() == (0..<Int32(payments)).map { $0 })
  }

  /// The smallest node that each node reaches: spread over the edges until nothing changes.
  private static func smallestReachable(count: Int, _ edges: [(Int32, Int32)]) -> [Int32] {
    var smallest = (0..<Int32(count)).map { $0 }
    var isChanging = true
    while isChanging {
      isChanging = false
      for (first, second) in edges {
        let least = min(smallest[Int(first)], smallest[Int(second)])
        for node in [first, second] where smallest[Int(node)] != least {
          smallest[Int(node)] = least
          isChanging = true
        }
      }
    }
    return smallest
  }

  @Test("an order on the same init hash follows into a group that another order leads")
  func twins() {
    // Orders 1 and 2 carry one hash, and the payment of order 2 is also that of order 0.
    let groups = MatchGroups(orderCount: 3, paymentCount: 1, links: [(0, 0), (2, 0)], twins: [(1, 2)])
    #expect(groups.groupOfNode == [0, 0, 0, 0])
  }

  @Test("texts are the same by their bytes, and sorted by them")
  func bytes() {
    var texts = TextPool()
    let composed = texts.intern("caf\u{E9}")
    let decomposed = texts.intern("cafe\u{301}")
    #expect(composed != decomposed)
    #expect(texts.precedes(decomposed, composed) && !texts.precedes(composed, decomposed))
    #expect(texts.intern("caf\u{E9}") == composed && texts.string(decomposed).utf8.count == 6)
    let (empty, capital, a, ab) = (texts.intern(""), texts.intern("Z"), texts.intern("a"), texts.intern("ab"))
    #expect(texts.precedes(a, ab) && texts.precedes(empty, a) && texts.precedes(capital, a))
  }

  @Test("thousands of texts keep their handles")
  func manyTexts() {
    var texts = TextPool()
    let handles = (0..<5_000).map { texts.intern("text \($0)") }
    #expect(Set(handles).count == 5_000 && texts.count == 5_000)
    #expect(
      (0..<5_000).allSatisfy { texts.intern("text \($0)") == handles[$0] && texts.string(handles[$0]) == "text \($0)" })
  }
}
