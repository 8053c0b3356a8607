/// A group that became large because of one identifier, such as an order called `test` that every payment of a test
/// environment names.
struct LargeGroup: Sendable, Equatable {
  /// Groups of more members than this are warned about.
  static let limit = 1_000

  let members: Int
  /// The identifier that connects most of them.
  let identifier: String

  /// The large groups among all, in the order of their ids.
  static func find(_ groups: MatchGroups, _ inputs: MatchInputs, _ links: [MatchLink], limit: Int = LargeGroup.limit)
    -> [LargeGroup]
  {
    let large = groups.ids.filter { groups.size(of: $0) > limit }
    if large.isEmpty { return [] }
    var uses: [Int32: [TextID: Int]] = [:]
    for link in links {
      uses[groups.groupOfNode[Int(link.claim.order)], default: [:]][link.claim.value, default: 0] += 1
    }
    return large.map { group in
      let most = uses[group]?.max { first, second in
        first.value == second.value ? inputs.texts.precedes(second.key, first.key) : first.value < second.value
      }
      let name = most.map { inputs.texts.string($0.key) } ?? inputs.nodeName(group)
      return LargeGroup(members: groups.size(of: group), identifier: name)
    }
  }

  /// The warning for the operator.
  var warning: String {
    "the identifier \"\(identifier)\" connects a group of \(members) orders and payments: "
      + "their sums are compared as one; if it is no real order or payment, stop writing it as a reference"
  }
}
