/// The members of numbered groups, in the order in which they were given: one sorted array rather than many small ones.
struct Buckets: Sendable {
  private let starts: [Int32]
  private let members: [Int32]

  /// - Parameters:
  ///   - keys: the group of each member, from 0; a member with a key below 0 belongs to none.
  ///   - count: how many groups there are.
  init(keys: [Int32], count: Int) {
    var starts = [Int32](repeating: 0, count: count + 1)
    for key in keys where key >= 0 { starts[Int(key) + 1] += 1 }
    for group in 0..<count { starts[group + 1] += starts[group] }
    var next = starts
    var members = [Int32](repeating: 0, count: Int(starts[count]))
    for (member, key) in keys.enumerated() where key >= 0 {
      members[Int(next[Int(key)])] = Int32(member)
      next[Int(key)] += 1
    }
    self.starts = starts
    self.members = members
  }

  /// How many groups there are.
  var count: Int { starts.count - 1 }

  /// The members of a group: positions in the array of keys.
  subscript(_ group: Int32) -> ArraySlice<Int32> { members[Int(starts[Int(group)])..<Int(starts[Int(group) + 1])] }
}
