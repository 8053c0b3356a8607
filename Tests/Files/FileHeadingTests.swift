import Testing

@testable import Files

@Suite("What a file's first row says of it")
struct FileHeadingTests {
  private static let columns: [Column] = [.required("id"), .required("settled_at", or: "Settlement Date")]

  @Test(arguments: [
    ("id,Settlement Date\n1,2\n", true, 2), ("\u{feff}\"Settlement Date\",id\n", true, 2), ("id,amount\n", false, 1),
    ("id;settled_at\n1;2\n", false, 2), ("id\tSettlement Date\n", false, 2), ("id\n", false, 1), ("a;b\n", false, 0),
    ("", false, 0),
  ])
  func `a file with semicolons is no report, and is known for what it is`(text: String, has: Bool, count: Int) throws {
    try DropBox.with { box in
      let heading = FileHeading(path: try box.put("a.csv", text.utf8))
      #expect(heading.has(Self.columns) == has && heading.count(Self.columns) == count)
    }
  }
}
