/// The marketplace's own source of chance: the same seed gives the same market, on every machine and in every version
/// of Swift.
///
/// SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededRandom: Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed &* 0x2545_F491_4F6C_DD1D &+ 0x9E37_79B9_7F4A_7C15
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of the closed range.
  package mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// True in that many of a hundred cases.
  package mutating func chance(_ percent: UInt64) -> Bool {
    next() % 100 < percent
  }

  /// One of the items, which must not be empty.
  package mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int(next() % UInt64(items.count))]
  }

  /// One of the items, chosen by weight.
  package mutating func pick<Item>(weighted items: [(Item, Int64)]) -> Item {
    var left = number(0...(items.reduce(0) { $0 + $1.1 } - 1))
    for (item, weight) in items {
      if left < weight { return item }
      left -= weight
    }
    return items[0].0
  }

  /// The items in another order.
  package mutating func shuffled<Item>(_ items: [Item]) -> [Item] {
    var items = items
    for place in items.indices.dropLast() {
      items.swapAt(place, place + Int(next() % UInt64(items.count - place)))
    }
    return items
  }

  /// Letters and digits such as Stripe's ids are made of.
  package mutating func letters(_ count: Int) -> String {
    var text = ""
    var bits: UInt64 = 0
    for place in 0..<count {
      if place % 10 == 0 { bits = next() }
      text.unicodeScalars.append(Self.alphabet[Int(bits % 62)])
      bits /= 62
    }
    return text
  }

  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".unicodeScalars)
}
