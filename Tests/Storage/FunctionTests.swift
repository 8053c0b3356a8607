import Storage
import TestSupport
import Testing

/// The functions both engines share.
@Suite struct FunctionTests {
  /// Where a proportion ends: no amount that is read comes near it, and a sum with it stays within 64 bits.
  private static let most: Int64 = 1_000_000_000_000_000_000

  private static let cases: [(amount: Int64, part: Int64, whole: Int64, expected: Int64)] = [
    (1000, 1, 3, 333), (1000, 2, 3, 667), (5, 1, 2, 3), (-5, 1, 2, -3), (5, -1, 2, -3), (5, 1, -2, -3), (-5, 1, -2, 3),
    (0, 5, 7, 0), (1, 1, 3, 0), (-1, 1, 3, 0), (7, 7, 7, 7),
    (.max, .max, .max, most), (.min, 1, 1, -most), (.min, .max, .max, -most), (.max, 1, 20, 461_168_601_842_738_790),
    (most, .max, .max, most), (most, 2, 2, most), (.max, 2, 1, most), (.max, .max, 1, most), (-.max, 3, 2, -most),
    (.max, -3, 2, -most),
    (1_000_000_000_000_000, 1_000_000, 1, most), (999_999_999_999_999_999, 1, 1, 999_999_999_999_999_999),
    (12_345_678_901_234, 1_000_000, 2_000_001, 6_172_836_364_199),
  ]

  @Test(arguments: TestStore.all)
  func `proportion rounds to the nearest unit, halves away from zero`(engine: TestStore) throws {
    try withStore(engine) { database in
      for (amount, part, whole, expected) in Self.cases {
        let found = try database.integer(
          "select proportion($1, $2, $3)", [.integer(amount), .integer(part), .integer(whole)])
        #expect(found == expected, "proportion(\(amount), \(part), \(whole))")
      }
    }
  }

  @Test(arguments: TestStore.all)
  func `proportion is exact for any values`(engine: TestStore) throws {
    let seed: UInt64 = 20_260_301
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try withStore(engine) { database in
      for _ in 0..<300 {
        let whole = Int64.random(in: 1...(Int64(1) << Int64.random(in: 1...62, using: &random)), using: &random)
        let part = Int64.random(in: -whole...whole, using: &random)
        let amount = Int64.random(in: -Self.most...Self.most, using: &random)
        let found = try database.integer(
          "select proportion($1, $2, $3)", [.integer(amount), .integer(part), .integer(whole)])
        #expect(found == Self.expected(amount, part, whole), "proportion(\(amount), \(part), \(whole))")
      }
    }
  }

  /// The same by another road: 128-bit integers.
  private static func expected(_ amount: Int64, _ part: Int64, _ whole: Int64) -> Int64 {
    let twice = 2 * Int128(amount) * Int128(part)
    let rounded = (twice < 0 ? twice - Int128(whole) : twice + Int128(whole)) / (2 * Int128(whole))
    return Int64(rounded)
  }

  @Test(arguments: TestStore.all)
  func `a proportion of nothing is an error that names the function`(engine: TestStore) throws {
    try withStore(engine) { database in
      let error = #expect(throws: StorageError.self) { try database.integer("select proportion(1, 1, 0)") }
      #expect(error?.description.contains("proportion: ") == true)
    }
  }

  @Test(arguments: TestStore.all)
  func `least_of and greatest_of compare two integers, and null gives null`(engine: TestStore) throws {
    try withStore(engine) { database in
      try #expect(database.integer("select least_of($1, $2)", [3, -4]) == -4)
      try #expect(database.integer("select greatest_of($1, $2)", [3, -4]) == 3)
      for call in ["least_of(1, null)", "greatest_of(null, 1)", "proportion(1, null, 3)"] {
        try #expect(database.integer("select \(call)") == nil)
      }
    }
  }
}
