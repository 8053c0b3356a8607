import Foundation
import TestSupport
import Testing

@testable import crossfoot

@Suite("doctor refuses what the night refuses", .onItsOwnThread)
struct DoctorTests {
  /// What is wrong, what doctor says of it, and how it ends: as the night does.
  struct Trouble: Sendable, CustomStringConvertible {
    let description: String
    let says: String
    let status: Int32
    let isRefused: Bool
    let spoil: @Sendable (NightSite) throws -> Void
  }

  static let check = """
    -- Order {order_id} is odd.
    --
    -- Suggested action: Look at it.
    -- Severity: low
    select 0 as moment, '' as subject, '' as provider, '' as account, '' as order_id, '' as payment_id, '' as record_id,
      '' as currency, cast(null as integer) as expected_minor, cast(null as integer) as actual_minor, 0 as since
    from customer_order
    """

  static let troubles = [
    Trouble(description: "a heading without a required column", says: "required column", status: 65, isRefused: true) {
      try $0.folder.write("orders.csv", "order,sum\n1,2\n")
    },
    Trouble(description: "a check that lacks a column", says: "lacks the column since", status: 78, isRefused: false) {
      try add($0, "our-checks/odd.sql", check.replacing(", 0 as since", with: ""), "checks: [our-checks]")
    },
    Trouble(
      description: "a check whose sentence names nothing", says: "names in braces: ordr_id", status: 78,
      isRefused: false
    ) {
      try add($0, "our-checks/odd.sql", check.replacing("{order_id}", with: "{ordr_id}"), "checks: [our-checks]")
    },
    Trouble(description: "a check that is no SQL", says: "the statement failed", status: 78, isRefused: true) {
      try add(
        $0, "our-checks/odd.sql", check.replacing("from customer_order", with: "from customer_ordr"),
        "checks: [our-checks]")
    },
    Trouble(
      description: "a layout of a column that the query lacks", says: "the query yields no column b", status: 78,
      isRefused: true
    ) {
      try $0.folder.write("our-reports/odd/query.sql", "select 1 as a\n")
      let layout = "title: Odd\ndescription: x\ngoes_to: both\nsheet: {name: Odd, position: 99}\ncolumns:\n"
      try add(
        $0, "our-reports/odd/layout.yml", layout + "  - {name: b, header: B, format: word, width: 12, definition: x}\n",
        "reports: [our-reports]")
    },
    Trouble(description: "a file where the reports go", says: "is not a folder", status: 74, isRefused: true) {
      try $0.folder.write("output", "in the way")
    },
  ]

  @Test("and says so before it happens", arguments: troubles)
  func refused(_ trouble: Trouble) async throws {
    try await NightSite.serve(orders: 20) { site in
      try trouble.spoil(site)
      let examined = try await Self.doctor(site)
      let bad = examined.output.split(separator: "\n").filter { $0.hasPrefix("bad ") }
      #expect(
        examined.status == trouble.status && bad.contains { $0.contains(trouble.says) },
        "\(examined.output)\(examined.errors)")
      if trouble.isRefused { try await site.run().expect(trouble.status) }
    }
  }

  @Test("It passes what the night takes, names rows that would be refused, and leaves nothing behind")
  func passed() async throws {
    try await NightSite.serve(orders: 20) { site in
      try Self.add(
        site, "our-checks/odd.sql", Self.check, "checks: [our-checks]\nheartbeat: {textfile: orders.csv/crossfoot.prom}"
      )
      let good = try await Self.doctor(site)
      #expect(
        good.status == 0 && good.output.contains("checks, reports and layouts can be used"),
        "\(good.output)\(good.errors)")
      #expect(
        good.output.contains("heartbeat.textfile: \(site.folder.path)/orders.csv is not a folder"), "\(good.output)")
      try site.folder.write("orders.csv", try site.folder.read("orders.csv") + "broken,row\n")
      let warned = try await Self.doctor(site)
      #expect(warned.status == 0 && warned.output.contains("1 refused: orders.csv:"), "\(warned.output)")
      let names = try FileManager.default.contentsOfDirectory(atPath: site.folder.path)
      #expect(!names.contains("landing") && !names.contains("output") && !names.contains("crossfoot.db"), "\(names)")
    }
  }

  private static func doctor(_ site: NightSite) async throws -> CommandRun {
    try await CommandRun(
      ["doctor", "--resources", NightSite.checkout], in: site.folder.path,
      environment: ["STRIPE_API_KEY": NightSite.key])
  }

  private static func add(_ site: NightSite, _ path: String, _ text: String, _ line: String) throws {
    try site.folder.write(path, text)
    try site.configure(further: "\n\(line)\n")
  }
}
