import Foundation
import Marketplace
import TestSupport
import Testing

/// The binary away from its build folder, and what people add to it by folders of their own.
@Suite("Folders that travel and folders that are added", .onItsOwnThread, .serialized)
struct UserFolderTests {
  @Test("An installed copy runs from another working directory, the checkout out of sight")
  func installed() async throws {
    try await NightSite.serve(orders: 20) { site in
      let prefix = try TemporaryFolder()
      let files = FileManager.default
      for folder in ["bin", "share/crossfoot"] {
        try files.createDirectory(atPath: "\(prefix.path)/\(folder)", withIntermediateDirectories: true)
      }
      let binary = "\(prefix.path)/bin/crossfoot"
      try files.copyItem(atPath: try CommandRun.binary.path, toPath: binary)
      for part in ["sql", "reports"] {
        try files.copyItem(atPath: "\(NightSite.checkout)/\(part)", toPath: "\(prefix.path)/share/crossfoot/\(part)")
      }
      let arguments = ["run", "--config", "\(site.folder.path)/crossfoot.yml"] + site.days()
      let ended = try await Self.hidden(binary, arguments)
      #expect(ended.status == 0 && ended.output.hasPrefix("clean, "), "\(ended.output)\(ended.errors)")
      #expect(try site.lines("order_matches.csv").count >= 20)
      try files.removeItem(atPath: "\(prefix.path)/share/crossfoot/reports")
      let bare = try await Self.hidden(binary, arguments)
      #expect(bare.status == 78)
      #expect(
        bare.errors
          == "crossfoot: the folder with sql and reports is neither at \(prefix.path)/share/crossfoot "
          + "nor above the binary; name it with --resources\n"
      )
    }
  }

  /// Runs from `/`; as root in a name space of its own, in which an empty folder is before the checkout.
  private static func hidden(_ binary: String, _ arguments: [String]) async throws -> CommandRun {
    let environment = ["STRIPE_API_KEY": NightSite.key]
    guard geteuid() == 0 else {
      return try await CommandRun(arguments, binary: binary, in: "/", environment: environment)
    }
    let hide = "mount -t tmpfs -o size=4k tmpfs \"$0\" && ! test -e \"$0/Package.swift\" && exec \"$@\""
    return try await CommandRun(
      ["--mount", "/bin/sh", "-c", hide, NightSite.checkout, binary] + arguments, binary: "/usr/bin/unshare", in: "/",
      environment: environment)
  }

  @Test("The check of docs/extending.md, word for word, reports")
  func documentedCheck() async throws {
    let document = try String(contentsOfFile: NightSite.checkout + "/docs/extending.md", encoding: .utf8)
    let example = try #require(
      document.components(separatedBy: "```sql\n").dropFirst().first?.components(separatedBy: "```").first)
    try await NightSite.serve(orders: 60) { site in
      try await site.run().expect(0)
      let before = try site.published()
      try site.folder.write("our-checks/large_refund.sql", example.replacing("10000", with: "100"))
      try site.configure(further: "checks: [./our-checks]\n")
      let ended = try await site.run("run", ["--no-pull", "--fail-on", "medium"])
      #expect(ended.status == 1, "\(ended.errors)")
      let rows = try site.lines("discrepancies.csv")
      #expect(!rows.isEmpty && rows.allSatisfy { $0.contains(",large_refund,medium,new,stripe,") }, "\(rows)")
      #expect(rows.allSatisfy { $0.contains(" USD; above 1.00 USD a second person should have agreed.") }, "\(rows)")
      for name in ["entries.csv", "fund_flows.csv", "order_matches.csv"] {
        #expect(try site.published()[name] == before[name])
      }
      try site.configure(further: "checks: [./our-checks]\nseverity: {large_refund: ignore}\n")
      try await site.run("run", ["--no-pull", "--fail-on", "low"]).expect(0)
      try site.configure(further: "checks: [./our-checks]\nseverity: {large_refunds: ignore}\n")
      let slip = try await site.run("run", ["--no-pull"])
      #expect(
        slip.status == 78
          && slip.errors.contains("severity.large_refunds: unknown key; did you mean \"large_refund\"?"),
        "\(slip.errors)")
    }
  }

  /// A check that is broken, and what is said of it.
  static let brokenChecks: [(text: String, said: String)] = [
    ("select 1\n", "its head comment does not begin with the explanation in one sentence"),
    ("-- Something.\nselect 1\n", "its head comment has no line \"-- Suggested action: …\""),
    (
      "-- Something.\n--\n-- Suggested action: Act.\n-- Severity: awful\nselect 1\n",
      "its head comment has no line \"-- Severity: critical|high|medium|low\""
    ),
    (
      "-- Something.\n--\n-- Suggested action: Act.\n-- Severity: low\nselect nothing from nowhere\n",
      "the statement failed: "
    ),
    ("-- Something.\n--\n-- Suggested action: Act.\n-- Severity: low\nselekt 1\n", "the statement failed: "),
    (
      "-- Something.\n--\n-- Suggested action: Act.\n-- Severity: low\nselect 1 as moment\n",
      "its result lacks the column subject, provider"
    ),
    (
      "-- Something.\n--\n-- Suggested action: Act.\n-- Severity: low\n-- Rests on: ledger refund\nselect 1 as "
        + "moment\n",
      "its head comment names \"refund\" after \"Rests on:\"; expected \"nothing\", or some of ledger, payments, "
        + "refunds, "
    ),
    (
      "-- Something.\n--\n-- Suggested action: Act.\n-- Severity: low\n-- Rests on: nothing\n-- Also reads: nothing "
        + "refunds\nselect 1 as moment\n",
      "its head comment names \"nothing\" after \"Also reads:\"; expected \"nothing\", or some of "
    ),
    (
      "-- Something.\n--\n-- Suggested action: Act.\n-- Severity: low\n-- Rests on: nothing\n"
        + "select m.moment, 'order ' || min(o.order_id) as subject, '' as provider, '' as account, '' as order_id, '' "
        + "as payment_id, '' as record_id,\n"
        + "  '' as currency, null as expected_minor, null as actual_minor, m.instant - 1 as since\n"
        + "from moment m cross join customer_order o cross join (select 1 as copy union all select 2) c\n"
        + "where m.moment = 1 group by m.moment, m.instant, c.copy\n",
      "its result has two rows for the subject \"order "
    ),
  ]

  @Test("A broken check: 78 with its file, before anything is published", arguments: 0..<brokenChecks.count)
  func brokenCheck(row: Int) async throws {
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let before = (site.link(), try site.published())
      try site.folder.write("our-checks/broken_one.sql", Self.brokenChecks[row].text)
      try site.configure(further: "checks: [our-checks]\n")
      let ended = try await site.run("run", ["--no-pull"])
      #expect(ended.status == 78 && ended.output.isEmpty, "\(ended.output)")
      #expect(
        ended.errors.hasPrefix(
          "crossfoot: \(site.folder.path)/our-checks/broken_one.sql: \(Self.brokenChecks[row].said)"),
        "\(ended.errors)")
      #expect(try site.link() == before.0 && site.published() == before.1)
    }
  }

  /// Statements that a check must not run, and where the refusal says they stand.
  static let hostileChecks: [(text: String, said: String)] = [
    ("delete from ledger_row\n", ":5: found delete, expected one query that only reads"),
    ("\nselect 1;\n\ndelete from ledger_row\n", ":8: found a second statement, expected one query that only reads"),
    ("pragma writable_schema = on\n", ":5: found pragma, expected one query that only reads"),
    ("attach database 'crossfoot.db' as other\n", ":5: found attach, expected one query that only reads"),
    ("select\n  load_extension('x')\n", ":6: found load_extension(), expected one query that only reads"),
    (
      "select 1 as moment, hex(zeroblob(300000000)) as subject\n",
      ":5: the query took more than 128 MiB of memory, which is its limit"
    ),
  ]

  @Test(
    "A check that writes or takes too much: 78 with file and line, the store and the publication as they were",
    arguments: 0..<hostileChecks.count)
  func hostileCheck(row: Int) async throws {
    let hostile = Self.hostileChecks[row]
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let before = (site.link(), try site.published())
      try site.folder.write(
        "our-checks/own.sql", "-- Something.\n--\n-- Suggested action: Act.\n-- Severity: low\n" + hostile.text)
      try site.configure(further: "checks: [our-checks]\n")
      let ended = try await site.run("run", ["--no-pull"])
      #expect(ended.status == 78 && ended.output.isEmpty, "\(ended.status) \(ended.output)")
      #expect(
        ended.errors.hasPrefix("crossfoot: \(site.folder.path)/our-checks/own.sql\(hostile.said)"), "\(ended.errors)")
      #expect(try site.link() == before.0 && site.published() == before.1)
      try site.configure()
      try await site.run("run", ["--no-pull"]).expect(0)
      #expect(try site.published() == before.1, "the store is what it was")
    }
  }

  @Test("A check with the name of one of ours, and a folder that is not there: 78")
  func twinCheck() async throws {
    try await NightSite.serve(orders: 20) { site in
      try site.folder.write(
        "our-checks/missing_payment.sql", "-- Twin.\n--\n-- Suggested action: Act.\n-- Severity: low\nselect 1\n")
      try site.configure(further: "checks: [our-checks]\n")
      let twin = try await site.run()
      #expect(twin.status == 78 && site.link() == nil)
      #expect(
        twin.errors
          == "crossfoot: \(site.folder.path)/our-checks/missing_payment.sql: "
          + "there is a check of this name already, \(NightSite.checkout)/sql/checks/missing_payment.sql; rename the "
          + "file\n",
        "\(twin.errors)")
      try site.configure(further: "checks: [nowhere]\n")
      let nowhere = try await site.run()
      #expect(
        nowhere.status == 78 && nowhere.errors.contains("\(site.folder.path)/nowhere: no such folder"),
        "\(nowhere.errors)")
    }
  }

  @Test("A report of one's own is a file and a sheet beside the others")
  func ownReport() async throws {
    try await NightSite.serve(orders: 20) { site in
      let query =
        "-- How many orders there are.\nselect o.status, count(*) as orders from customer_order o "
        + "group by o.status order by o.status\n"
      try site.folder.write("our-reports/order_states/query.sql", query)
      try site.folder.write(
        "our-reports/order_states/layout.yml",
        Self.layout(sheet: "Order states", position: 95, column: "status", format: "word")
          + "  - {name: orders, header: Orders, format: integer, width: 9, definition: \"How many.\"}\n")
      try site.configure(further: "reports: [./our-reports]\n")
      let ended = try await site.run()
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(try site.folder.read("output/\(site.range())/order_states.csv").hasPrefix("status,orders\n"))
      #expect(try site.lines("order_states.csv").contains { $0.hasPrefix("fulfilled,") || $0.hasPrefix("paid,") })
      #expect(try site.folder.read("output/\(site.range())/run.json").contains("\"order_states.csv\""))
    }
  }

  /// A report that is broken: its query, the column its layout names, and what is said of it.
  static let brokenReports: [(query: String, column: String, said: String)] = [
    ("select 1 as n; select 2 as n\n", "n", "query.sql:1: a report is one statement; another begins here"),
    ("select 1 as n\n", "m", "layout.yml:6: m: the query yields no column m"),
    ("select n\nfrom nowhere\n", "n", "query.sql:2: the database refused the query: no such table: nowhere\n"),
    ("-- Own.\ndelete from entry\n", "n", "query.sql:2: found delete, expected one query that only reads"),
    ("with n as (select 1 as n)\ninsert into entry select n from n\n", "n", "query.sql:"),
  ]

  @Test("A broken report: 78 with its file, before anything is published", arguments: 0..<brokenReports.count)
  func brokenReport(row: Int) async throws {
    let broken = Self.brokenReports[row]
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let before = (site.link(), try site.published())
      try site.folder.write("our-reports/broken_one/query.sql", broken.query)
      try site.folder.write(
        "our-reports/broken_one/layout.yml", Self.layout(sheet: "Broken", position: 99, column: broken.column))
      try site.configure(further: "reports: [our-reports]\n")
      let ended = try await site.run("run", ["--no-pull"])
      #expect(ended.status == 78 && ended.output.isEmpty, "\(ended.output)")
      #expect(
        ended.errors.hasPrefix("crossfoot: \(site.folder.path)/our-reports/broken_one/\(broken.said)"),
        "\(ended.errors)")
      #expect(try site.link() == before.0 && site.published() == before.1)
    }
  }

  /// A layout with one column.
  static func layout(sheet: String, position: Int, column: String, format: String = "integer") -> String {
    """
    title: \(sheet)
    description: "A report of somebody's own."
    goes_to: both
    sheet: {name: \(sheet), position: \(position)}
    columns:
      - {name: \(column), header: Own, format: \(format), width: 12, definition: "What it says."}

    """
  }
}
