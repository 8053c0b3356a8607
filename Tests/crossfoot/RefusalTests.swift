import Foundation
import Marketplace
import TestSupport
import Testing

/// Runs that publish nothing: the status, the sentence, and that the former publication stays as it was.
@Suite("A run that publishes nothing", .onItsOwnThread, .serialized)
struct RefusalTests {
  /// A change to the configuration, and what is said of it.
  static let mistakes: [(from: String, to: String, said: String)] = [
    (
      "providers:\n", "providers: [\n",
      "crossfoot: crossfoot.yml:15, column 3: this is not YAML: did not find expected node content (while parsing a "
        + "flow node)\n"
    ),
    ("order_reference:", "order_refrence:", "crossfoot: crossfoot.yml:"),
    (
      "attempts: 2", "attempts: many", "providers[0].retry.attempts: expected a whole number, found the text \"many\"\n"
    ),
  ]

  @Test(
    "A mistake in the configuration: 78 with file, line, key path and the nearest key", arguments: 0..<mistakes.count)
  func configuration(row: Int) async throws {
    let mistake = Self.mistakes[row]
    try await NightSite.serve(orders: 20) { site in
      try site.configure { $0.replacing(mistake.from, with: mistake.to) }
      let ended = try await site.run()
      #expect(ended.status == 78 && ended.output.isEmpty)
      #expect(ended.errors.contains(mistake.said), "\(ended.errors)")
      #expect(site.endpoint.requests.isEmpty && site.link() == nil)
    }
  }

  @Test("An unknown key: the nearest one is suggested")
  func unknownKey() async throws {
    try await NightSite.serve(orders: 20) { site in
      try site.configure { $0.replacing("order_reference:", with: "order_refrence:") }
      let line = try site.folder.read("crossfoot.yml").split(separator: "\n", omittingEmptySubsequences: false)
        .firstIndex { $0.contains("order_refrence") }.map { $0 + 1 }
      let ended = try await site.run()
      #expect(ended.status == 78)
      #expect(
        ended.errors
          == "crossfoot: crossfoot.yml:\(try #require(line)): providers[0].order_refrence: unknown key; "
          + "did you mean \"order_reference\"?\n"
      )
    }
  }

  @Test("A missing variable: 78 with its name")
  func missingVariable() async throws {
    try await NightSite.serve(orders: 20) { site in
      let ended = try await site.run(key: nil)
      #expect(ended.status == 78)
      #expect(
        ended.errors.hasSuffix(
          "providers[0].api_key: the environment variable STRIPE_API_KEY is not set; export it or write the value\n"),
        "\(ended.errors)")
      #expect(ended.errors.hasPrefix("crossfoot: crossfoot.yml:"))
    }
  }

  @Test("A file of orders without a required column: 65, before anything is pulled")
  func missingColumn() async throws {
    try await NightSite.serve(orders: 20) { site in
      try site.folder.write("orders.csv", try site.folder.read("orders.csv").replacing(",total,", with: ",sum,"))
      let ended = try await site.run()
      #expect(ended.status == 65)
      let place = "crossfoot: order source shop: \(site.folder.path)/orders.csv: "
      #expect(
        ended.errors.hasPrefix(
          place + "the required column total is missing; found order_id, placed_at, status, currency, sum, "),
        "\(ended.errors)")
      #expect(ended.errors.hasSuffix("; the header row names the columns, separated by commas, in UTF-8\n"))
      #expect(site.link() == nil)
    }
  }

  @Test("Orders that cannot be read: 65, and yesterday's publication stays")
  func unreadableOrders() async throws {
    try await NightSite.serve(orders: 20, nights: 2) { site in
      try await site.run().expect(0)
      let before = (site.link(), try site.published())
      try FileManager.default.removeItem(atPath: site.folder.path + "/orders.csv")
      let ended = try await site.run()
      #expect(ended.status == 65 && ended.output.isEmpty)
      #expect(
        ended.errors
          == "crossfoot: order source shop: \(site.folder.path)/orders.csv: cannot be read: No such file or directory; "
          + "see that the path is right and the file may be read\n"
      )
      try FileManager.default.createDirectory(
        atPath: site.folder.path + "/orders.csv", withIntermediateDirectories: true)
      let folder = try await site.run()
      #expect(
        folder.status == 65 && folder.errors.contains("/orders.csv: cannot be read: Is a directory"), "\(folder.errors)"
      )
      #expect(try site.link() == before.0 && site.published() == before.1)
    }
  }

  @Test("A key that is refused: 77 naming the provider, never the key")
  func wrongKey() async throws {
    try await NightSite.serve(orders: 20) { site in
      for arguments in [[], ["--verbose"], ["--log-format", "json"]] {
        let ended = try await site.run("run", arguments, key: "rk_live_zyxWVUtsrQPOnmlKJIhgf")
        #expect(ended.status == 77 && ended.output.isEmpty, "\(ended.errors)")
        #expect(
          ended.errors.contains(
            "crossfoot: every configured provider refused the credentials; nothing was published:\n"
              + "crossfoot:   stripe: provider stripe: Stripe refused the API key (status 401, request req_"
          ), "\(ended.errors)")
        #expect(ended.errors.contains("check its api_key in the configuration"))
      }
      #expect(site.link() == nil)
      try await site.run().expect(0, "the right key mends it")
    }
  }

  @Test("No provider can be reached: 69 with the reason")
  func unreachable() async throws {
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let before = (site.link(), try site.published())
      await site.endpoint.stop()
      let ended = try await site.run()
      #expect(ended.status == 69 && ended.output.isEmpty)
      #expect(
        ended.errors.contains("crossfoot: no configured provider could be reached; nothing was published:\n"),
        "\(ended.errors)")
      #expect(ended.errors.contains("127.0.0.1"), "\(ended.errors)")
      #expect(try site.link() == before.0 && site.published() == before.1)
      #expect(try await site.run("run", ["--no-pull"]).status != 69, "what has landed is still there")
    }
  }

  /// Arguments that make no sense, and what is said of them.
  static let mistakenUsage: [(arguments: [String], said: String)] = [
    (["run", "--date", "2026-02-30"], "\"2026-02-30\" is not a day; expected YYYY-MM-DD, as in 2026-01-31."),
    (["run", "--from", "2026-03-01"], "--from and --to belong together."),
    (["run", "--from", "2026-03-02", "--to", "2026-03-01"], "--to 2026-03-01 is before --from 2026-03-02."),
    (["run", "--date", "2026-03-01", "--to", "2026-03-01"], "--date excludes --from and --to."),
    (["run", "--date", "2999-01-01"], "the day 2999-01-01 has not begun; today is "),
    (["run", "--quiet", "--summary"], "--quiet and --summary exclude each other."),
    (["run", "--fail-on", "some"], "critical"),
    (["run", "--as-of", "yesterday"], "yesterday"),
    (["run", "--provider", "adyen"], "--provider adyen: not configured; configured are stripe"),
    (["run", "--nonsense"], "--nonsense"),
    (["nonsense"], "nonsense"),
    (["explain"], "<id>"),
  ]

  @Test("Usage errors: 64 and a sentence", arguments: 0..<mistakenUsage.count)
  func usage(row: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write("crossfoot.yml", "providers:\n  - {name: stripe, kind: stripe, api_key: \"${STRIPE_API_KEY}\"}\n")
    let ended = try await CommandRun(
      Self.mistakenUsage[row].arguments, in: folder.path, environment: ["STRIPE_API_KEY": NightSite.key])
    #expect(ended.status == 64 && ended.output.isEmpty, "\(ended.status)")
    #expect(ended.errors.contains(Self.mistakenUsage[row].said), "\(ended.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["crossfoot.yml"])
  }
}
