import Testing

@testable import Reconciliation

/// What an erasure may change of a derived file, and what nothing may.
@Suite struct ErasedLinesTests {
  private let erased = ErasedLines(["erased-00000000000000aa", "erased-00000000000000bb"])
  private let one = "erased-00000000000000aa"
  private let other = "erased-00000000000000bb"

  @Test func `lines that name what was erased may differ in it, in ids of discrepancies, and in their order`() {
    let sealed = [
      "id,order,amount,note", "d_0123456789abcdef,ORD-1,1.00,of ORD-1", "d_1123456789abcdef,ORD-2,2.00,",
      "d_2123456789abcdef,ORD-3,3.00,ORD-1 ORD-2",
    ]
    let derived = [
      sealed[0], "d_2123456789abcdef,ORD-3,3.00,\(one) \(other)", "d_fff3456789abcdef,\(one),1.00,of \(one)",
      "d_eee3456789abcdef,\(other),2.00,",
    ]
    #expect(erased.count(derived: derived, sealed: sealed) == 3)
  }

  @Test(arguments: [
    // An amount beside it, a column more, a line more, another line, nothing in its place.
    (["ORD-1,1.01"], ["@,1.00"]), (["ORD-1,1.00,"], ["@,1.00"]), (["ORD-1,1.00", "x"], ["@,1.00"]),
    (["ORD-1,1.00", "a"], ["@,1.00", "b"]), ([",1.00"], ["@,1.00"]), (["1.00,ORD-1x"], ["1.00,@,"]),
    // The same line twice is not the same as two lines.
    (["ORD-1,1.00", "ORD-9,2.00"], ["@,1.00", "@,1.00"]),
  ])
  func `anything else is a difference`(sealed: [String], derived: [String]) {
    #expect(erased.count(derived: derived.map { $0.replacing("@", with: one) }, sealed: sealed) == nil)
  }

  @Test func `without an erasure nothing may differ, and lines in another order do`() {
    #expect(ErasedLines([]).count(derived: ["\(one),1.00"], sealed: ["ORD-1,1.00"]) == nil)
    #expect(erased.count(derived: ["a", "b"], sealed: ["b", "a"]) == nil)
  }

  @Test func `the hash of an erased file is the sealed one once it is put back, and no other`() {
    let erased = ErasedLines([one], hashes: ["ccc": "aaa"])
    #expect(erased.count(derived: ["orders,ccc", "x"], sealed: ["orders,aaa", "x"]) == 0)
    #expect(erased.count(derived: ["orders,ccc"], sealed: ["orders,bbb"]) == nil)
  }

  @Test func `a line that says more of itself takes its place before one that says less`() {
    let sealed = ["ORD-1,ORD-2,5.00", "ORD-1,x,5.00"]
    #expect(erased.count(derived: ["\(one),\(other),5.00", "\(one),x,5.00"], sealed: sealed) == 2)
  }
}
