/// Finds the key that was probably intended.
enum NearestKey {
  /// The known key closest to `word`, if it is close enough to be a typing error: at most a third of its letters may
  /// differ, and two in any case.
  static func of(_ word: String, among known: [String]) -> String? {
    let limit = max(2, word.count / 3)
    let near = known.map { (word: $0, distance: distance(word, $0)) }.filter {
      $0.distance <= limit && $0.distance < $0.word.count
    }
    return near.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// The edit distance with a swap of neighbours counted once (optimal string alignment), ignoring case.
  static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left.lowercased().unicodeScalars)
    let b = Array(right.lowercased().unicodeScalars)
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], beforeLast[j - 2] + 1) }
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
