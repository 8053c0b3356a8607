import Foundation
import TestSupport
import Testing

@testable import Files

/// CSV by column name, as providers deliver it.
@Suite struct DelimitedFileTests {
  private static let columns: [Column] = [
    .required("psp_reference"), .required("gross_debit_gc"), .optional("booking_date", or: "Booked At"),
    .optional("note"),
  ]

  private struct ReadRow: Equatable {
    var row: Int
    var texts: [String]
    var problem: String?
  }

  /// Every row of a file with that content.
  private func rows(_ content: some Sequence<UInt8>, prelude: Int = 0) throws -> (rows: [ReadRow], unknown: [String]) {
    try DropBox.with { box in
      let file = try DelimitedFile(path: try box.put("report.csv", content), columns: Self.columns, prelude: prelude)
      var rows: [ReadRow] = []
      while try file.next() {
        let texts = file.problem == nil ? file.columns.indices.map(file.text) : []
        rows.append(ReadRow(row: file.row, texts: texts, problem: file.problem))
      }
      return (rows, file.unknownColumns)
    }
  }

  @Test(arguments: [
    "Psp Reference,Gross Debit (GC),Booking Date\n8835,1.20,2026-03-01\n",
    "\u{feff}Psp Reference,Gross Debit (GC),Booking Date\r\n8835,1.20,2026-03-01\r\n",
    "booking_date,GROSS DEBIT(gc), psp reference \n2026-03-01,1.20,8835",
    "Booked At,Company,pspreference,gross_debit_gc\n 2026-03-01 ,Shop,8835,\"1.20\"\n",
    "\n\"Psp\nReference\",\"Gross Debit (GC)\",Booking date,Note\n\n8835,1.20,2026-03-01\n \n",
  ])
  func `columns are found by name, in any order, case and spacing`(text: String) throws {
    let (rows, _) = try rows(text.utf8)
    #expect(rows.map(\.texts) == [["8835", "1.20", "2026-03-01", ""]])
    #expect(rows.allSatisfy { $0.problem == nil })
  }

  @Test func `columns that are not read are named as they are called`() throws {
    let (_, unknown) = try rows("Company Account,Psp Reference,Reserved4,Gross Debit (GC),\n".utf8)
    #expect(unknown == ["Company Account", "Reserved4"])
  }

  @Test func `of a column that is there twice the first cell that is not empty counts`() throws {
    let (rows, _) = try rows("Psp Reference,Note,Gross Debit (GC),Note\n1,,2,late\n1,early,2,late\n1,\"\",2,\n".utf8)
    #expect(rows.map { $0.texts[3] } == ["late", "early", ""])
  }

  @Test(arguments: ["Psp Reference,Gross Debit (GC),No", "Psp Reference,Gross Debit (GC)"])
  func `a header that the file ends within refuses the file, however many columns are there`(text: String) throws {
    let refusal = #expect(throws: FileRefusal.self) { try rows(text.utf8) }
    #expect(refusal?.description == "the file ends within its header row; see that the whole file was delivered")
  }

  @Test func `a short row is filled up, a long one refused alone`() throws {
    let (rows, _) = try rows("Psp Reference,Gross Debit (GC),Note\n1\n2,3,x,y\n\n3,4,z\n".utf8)
    #expect(rows.map(\.row) == [2, 3, 5])
    #expect(rows.map(\.problem) == [nil, "the row has 4 cells, the header 3", nil])
    #expect(rows[0].texts == ["1", "", "", ""] && rows[2].texts == ["3", "4", "", "z"])
  }

  @Test func `a last row that breaks off is refused, one that only lacks its line break is not`() throws {
    let whole = try rows("Psp Reference,Gross Debit (GC),Note\n1,2,x\n2,3,y".utf8)
    #expect(whole.rows.map(\.problem) == [nil, nil])
    let cut = try rows("Psp Reference,Gross Debit (GC),Note\n1,2,x\n2,3".utf8)
    #expect(cut.rows.map(\.problem) == [nil, "the file ends within the row; see that the whole file was delivered"])
  }

  @Test func `a cell that is not UTF-8 costs its row, in a column that is not read nothing`() throws {
    let bad: [UInt8] = [0xe4]
    let content =
      Array("Psp Reference,Gross Debit (GC),Shopper,Note\n1,2,J".utf8) + bad + Array(",a\n2,3,,".utf8) + bad
      + Array("\n3,4,,ä\n".utf8)
    let (rows, _) = try rows(content)
    #expect(rows.map(\.problem) == [nil, "note: is not UTF-8", nil])
    #expect(rows[2].texts[3] == "ä")
  }

  @Test func `a row that cannot be distinguished costs only its own line`() throws {
    let (rows, _) = try rows("Psp Reference,Gross Debit (GC)\n1,\"2\n3,4\n".utf8)
    #expect(rows.map(\.problem) == ["a quote is opened and never closed", nil])
    #expect(rows.map(\.row) == [2, 3])
  }

  @Test(arguments: [
    ("", "the file is empty; deliver it again"),
    ("\n\n", "the file is empty; deliver it again"),
    ("Psp Reference,Amount\n", "the column gross_debit_gc is missing; the header row has Psp Reference, Amount"),
    (
      "<html>\n",
      "the columns psp_reference, gross_debit_gc are missing; the first row names no column that is read; see"
    ),
    (
      "Jane Doe,1.00\n",
      "the columns psp_reference, gross_debit_gc are missing; the first row names no column that is read; see"
    ),
  ])
  func `a file without what it must have is refused, and all of it is named`(text: String, reason: String) throws {
    let refusal = try #require(throws: FileRefusal.self) { try rows(text.utf8) }
    #expect(refusal.description.hasPrefix(reason))
  }

  @Test func `lines before the header can be passed over`() throws {
    let (rows, _) = try rows("Summary,7\nTotal,8\nPsp Reference,Gross Debit (GC)\n1,2\n".utf8, prelude: 2)
    #expect(rows == [ReadRow(row: 4, texts: ["1", "2", "", ""], problem: nil)])
  }
}
