/// Sets that are merged pair by pair (union-find): members that references connect become one set.
struct DisjointSets: Sendable {
  private var parents: [Int32]

  /// Every member from 0 is a set of its own.
  init(count: Int) { parents = (0..<Int32(count)).map { $0 } }

  /// Merges the sets of two members.
  mutating func merge(_ first: Int32, _ second: Int32) {
    let (one, other) = (root(of: first), root(of: second))
    if one != other { parents[Int(max(one, other))] = min(one, other) }
  }

  /// The member that identifies the set: its smallest.
  mutating func root(of member: Int32) -> Int32 {
    var member = member
    while parents[Int(member)] != member {
      // Path halving: each look-up shortens the path for the next one.
      parents[Int(member)] = parents[Int(parents[Int(member)])]
      member = parents[Int(member)]
    }
    return member
  }
}
