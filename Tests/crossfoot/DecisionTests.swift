import Foundation
import TestSupport
import Testing

@Suite("Decisions at the command line", .onItsOwnThread)
struct DecisionTests {
  /// The columns of a discrepancy by its id, as published: state, owner, decision, note.
  private func row(_ id: String, _ site: NightSite) throws -> [String: String] {
    let text = try site.folder.read("output/\(site.range())/discrepancies.csv")
    let lines = text.split(separator: "\n").map(String.init)
    let header = try #require(lines.first).components(separatedBy: ",")
    let line = try #require(lines.first { $0.hasPrefix(id + ",") })
    // Only the columns before the free text, and those after it, are looked at: no cell of them holds a comma.
    let cells = line.components(separatedBy: ",")
    var row = Dictionary(zip(header.prefix(10), cells), uniquingKeysWith: { first, _ in first })
    for (name, cell) in zip(header.suffix(2), cells.suffix(2)) { row[name] = cell }
    row["line"] = line
    return row
  }

  private func decide(_ site: NightSite, _ arguments: [String]) async throws -> CommandRun {
    try await CommandRun(
      ["discrepancies"] + arguments + ["--resources", NightSite.checkout], in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  @Test("Decide, report again: the next report carries it, and the exit status follows")
  func decideAndReport() async throws {
    try await NightSite.serve(faults: 1, types: [.missingPayment]) { site in
      try await site.run().expect(1)
      let listed = try await decide(site, ["list", "--format", "json"])
      #expect(listed.status == 0)
      let items = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
      let id = try #require(items.first?["discrepancy_id"] as? String)
      #expect(items.count == 1)
      #expect(items.first?["type"] as? String == "missing_payment")

      #expect(try await decide(site, ["assign", id, "--to", "ben", "--by", "anna"]).status == 0)
      #expect(try await decide(site, ["note", id, "--text", "asked the shop", "--by", "anna"]).status == 0)
      #expect(try await decide(site, ["ack", id, "--by", "anna"]).status == 0)
      #expect(try await decide(site, ["list"]).output.contains("acknowledged by anna on "))
      #expect(try await decide(site, ["list", "--state", "new"]).output == "no discrepancies\n")
      let explained = try await CommandRun(
        ["explain", id, "--resources", NightSite.checkout], in: site.folder.path,
        environment: ["STRIPE_API_KEY": NightSite.key])
      #expect(explained.output.contains("missing_payment, acknowledged since"), "\(explained.output)")

      try await site.run("report").expect(0)
      var row = try row(id, site)
      #expect(row["state"] == "acknowledged")
      #expect(row["note"] == "asked the shop")
      #expect(row["line"]?.contains(",ben,") == true)

      #expect(try await decide(site, ["reopen", id, "--by", "anna"]).status == 0)
      try await site.run("report").expect(1)
      row = try self.row(id, site)
      #expect(["new", "persisting"].contains(row["state"]))
    }
  }

  @Test("What cannot be decided is refused whole, and nothing is kept")
  func refused() async throws {
    try await NightSite.serve(faults: 1, types: [.missingPayment]) { site in
      _ = try await site.run()
      let listed = try await decide(site, ["list", "--format", "json"])
      let items = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
      let id = try #require(items.first?["discrepancy_id"] as? String)
      let unknown = try await decide(site, ["ack", id, "d_0000000000000000"])
      #expect(unknown.status == 64)
      #expect(unknown.errors.contains("d_0000000000000000: not among the discrepancies of the last run"))
      #expect(try await decide(site, ["reopen", id]).status == 64)
      #expect(!FileManager.default.fileExists(atPath: site.folder.path + "/landing/decisions.jsonl"))
      #expect(try await decide(site, ["ack"]).status == 64)
      #expect(try await decide(site, ["assign", id]).status == 64)
    }
  }

  @Test("A damaged line of the log makes the run incomplete and is named; the rest counts")
  func damagedLog() async throws {
    try await NightSite.serve { site in
      try await site.run().expect(0)
      try site.folder.write("landing/decisions.jsonl", "{\"at\":\n")
      let ended = try await site.run("report")
      #expect(ended.status == 2)
      #expect(ended.output.contains("decisions.jsonl:1: it is not JSON"))
    }
  }

  @Test("The workbook as it was published asks for nothing; what is filled in is read back once, and nothing else")
  func importing() async throws {
    try await NightSite.serve(faults: 6) { site in
      _ = try await site.run()
      let book = "output/\(site.range())/reconciliation.xlsx"
      let untouched = try await decide(site, ["import", book])
      #expect(
        untouched.status == 0 && untouched.output == "nothing to change\n", "\(untouched.output)\(untouched.errors)")
      let listed = try await decide(site, ["list", "--format", "json"])
      let items = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
      let ids = items.compactMap { $0["discrepancy_id"] as? String }
      try #require(ids.count >= 3)
      try site.folder.write(
        "filled.csv",
        "note,status,discrepancy_id,owner\r\n\"asked, "
          + "waiting\",,\(ids[2]),\r\n,acknowledge,\(ids[0]),\r\n,,\(ids[1]),ben\r\n"
      )
      let dry = try await decide(site, ["import", "filled.csv", "--dry-run"])
      #expect(dry.output.hasSuffix("3 decisions would be recorded\n"), "\(dry.output)\(dry.errors)")
      #expect(
        try await decide(site, ["import", "filled.csv", "--by", "anna"]).output.hasSuffix("3 decisions recorded\n"))
      #expect(try await decide(site, ["import", "filled.csv"]).output == "nothing to change\n")
      _ = try await site.run("report")
      #expect(try row(ids[0], site)["state"] == "acknowledged")
      #expect(try row(ids[1], site)["line"]?.contains(",ben,") == true)
      #expect(try row(ids[2], site)["line"]?.hasSuffix("\"asked, waiting\"") == true)
    }
  }

  @Test("A decision holds while the amount does: with another one the discrepancy is open again, and counts")
  func changedAmount() async throws {
    try await NightSite.serve { site in
      func charge(_ total: String) throws {
        var lines = try site.folder.read("orders.csv").components(separatedBy: "\n")
        let header = try #require(lines.first).components(separatedBy: ",")
        let (status, column) = (
          try #require(header.firstIndex(of: "status")), try #require(header.firstIndex(of: "total"))
        )
        let place = try #require(
          lines.firstIndex { line in line.components(separatedBy: ",").dropFirst(status).first == "paid" })
        var cells = lines[place].components(separatedBy: ",")
        cells[column] = total
        lines[place] = cells.joined(separator: ",")
        try site.folder.write("orders.csv", lines.joined(separator: "\n"))
      }
      try charge("90001")
      try await site.run().expect(1)
      let items = try #require(
        try JSONSerialization.jsonObject(with: Data(try await decide(site, ["list", "--format", "json"]).output.utf8))
          as? [[String: Any]])
      let id = try #require(items.first?["discrepancy_id"] as? String)
      #expect(items.count == 1 && items.first?["type"] as? String == "amount_mismatch", "\(items)")
      try site.folder.write("filled.csv", "discrepancy_id,status,note\n\(id),write-off,a rounding\n")
      #expect(try await decide(site, ["import", "filled.csv", "--by", "anna"]).status == 0)
      try await site.run("report").expect(0)
      #expect(try row(id, site)["state"] == "written_off")

      try charge("90002")
      try await site.run().expect(1)
      let open = try row(id, site)
      #expect(["new", "persisting"].contains(open["state"]))
      for words in ["written off by anna on ", "open again: the difference was"] {
        #expect(open["line"]?.contains(words) == true, "\(open)")
      }
      #expect(
        try await decide(site, ["import", "filled.csv"]).output.hasSuffix("1 decision recorded\n"),
        "the file asks for it anew")
    }
  }

  @Test("A note of several lines, with escapes or a formula's first sign comes back from the workbook as it is")
  func oddNotes() async throws {
    try await NightSite.serve(faults: 3) { site in
      _ = try await site.run()
      let items = try #require(
        try JSONSerialization.jsonObject(with: Data(try await decide(site, ["list", "--format", "json"]).output.utf8))
          as? [[String: Any]])
      let ids = items.compactMap { $0["discrepancy_id"] as? String }
      try #require(ids.count >= 3)
      for (id, note) in zip(ids, ["two\nlines\tand a tab ", "_x0041_ stays", "=1+1; a \"quote\", a comma"]) {
        #expect(try await decide(site, ["note", id, "--text", note]).status == 0)
      }
      _ = try await site.run("report")
      for file in ["reconciliation.xlsx", "discrepancies.csv"] {
        let read = try await decide(site, ["import", "output/\(site.range())/\(file)"])
        #expect(read.output == "nothing to change\n", "\(file): \(read.output)\(read.errors)")
      }
    }
  }

  @Test("What does not fit is listed with its cell and reason, and what fits is recorded")
  func importRefused() async throws {
    try await NightSite.serve(faults: 2) { site in
      _ = try await site.run()
      let listed = try await decide(site, ["list", "--format", "json"])
      let items = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
      let id = try #require(items.first?["discrepancy_id"] as? String)
      let cases = [
        (
          "discrepancy_id,status\n\(id),done\n",
          "filled.csv:2, status: \"done\" is none of acknowledge, resolve, write-off, reopen"
        ),
        (
          "discrepancy_id,owner\n\(id),ben\nd_0000000000000000,ben\n",
          "d_0000000000000000 is not among the discrepancies of the last run"
        ),
        ("discrepancy_id,owner\n\(id),ben\n\(id),cleo\n", "is repeated"),
        ("owner,note\nben,x\n", "discrepancy_id"),
        ("discrepancy_id,owner\n,ben\n", "filled.csv:2, owner is filled in, and discrepancy_id names no discrepancy"),
        (
          "discrepancy_id,owner\nORD-1,ben\n",
          "discrepancy_id holds \"ORD-1\", which is no discrepancy's id: those begin with d_"
        ),
        ("discrepancy_id,owner\n\(id),\"ben\n", "filled.csv"),
        (
          "discrepancy_id;owner\n\(id);ben\n",
          "filled.csv: semicolons stand between its columns; save it with commas, or import the workbook itself"
        ),
        ("", "the file is empty"), ("\u{0}\u{1}\u{2}", "the file ends within its header row"),
        ("\u{0}\u{1}\u{2}\n", "the column discrepancy_id is missing"),
        (
          "discrepancy_id,owner\n\(id),\(String(repeating: "x", count: 300_000))\n",
          "filled.csv:2: the row is longer than 256 KiB"
        ),
      ]
      for (text, words) in cases {
        try site.folder.write("filled.csv", text)
        let refused = try await decide(site, ["import", "filled.csv"])
        #expect(refused.status == 64 && refused.errors.contains(words), "\(refused.errors)")
      }
      try site.folder.write("foreign.xlsx", "not a workbook")
      #expect(
        try await decide(site, ["import", "foreign.xlsx"]).errors.contains(
          "foreign.xlsx is no workbook that can be read"))
      let recorded = try site.folder.read("landing/decisions.jsonl").split(separator: "\n")
      #expect(
        recorded.count == 1 && recorded[0].contains("\"action\":\"assign\"") && recorded[0].contains(id), "\(recorded)")
      let story = try await CommandRun(
        ["explain", id, "--resources", NightSite.checkout], in: site.folder.path)
      #expect(
        story.output.contains("Decisions\n") && story.output.contains("assign by ")
          && story.output.contains("filled.csv: ben"), "\(story.output)")
    }
  }

  @Test("A word that nothing can have is refused, and an empty list before any run says that there was none")
  func words() async throws {
    try await NightSite.serve(orders: 20) { site in
      let early = try await decide(site, ["list"])
      #expect(
        early.status == 0 && early.errors.contains("nothing has been reconciled yet"), "\(early.output)\(early.errors)")
      for (option, word) in [("--type", "amount_mismach"), ("--state", "open"), ("--severity", "bad")] {
        let refused = try await decide(site, ["list", option, word])
        #expect(
          refused.status == 64 && refused.errors.contains("\(option) \(word): expected one of"), "\(refused.errors)")
      }
    }
  }
}
