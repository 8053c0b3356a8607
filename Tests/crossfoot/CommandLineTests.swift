import Foundation
import Settings
import TestSupport
import Testing

@testable import crossfoot

@Suite("The command line", .onItsOwnThread)
struct CommandLineTests {
  /// Arguments, and the beginning of what standard error says; each ends with 64.
  static let misuses: [(arguments: [String], complaint: String)] = [
    (["frobnicate"], "Error: Unexpected argument 'frobnicate'"),
    (["run", "--bogus"], "Error: Unknown option '--bogus'"),
    (
      ["run", "--date", "2026-13-01"],
      "Error: The value '2026-13-01' is invalid for '--date <day>': \"2026-13-01\" is not a day"
    ),
    (["run", "--from", "2026-01-01"], "Error: --from and --to belong together."),
    (["run", "--from", "2026-01-02", "--to", "2026-01-01"], "Error: --to 2026-01-01 is before --from 2026-01-02."),
    (["run", "--date", "2026-01-02", "--to", "2026-01-03"], "Error: --date excludes --from and --to."),
    (["run", "--fail-on", "awful"], "Error: The value 'awful' is invalid for '--fail-on <fail-on>'."),
    (["run", "--quiet", "--summary"], "Error: --quiet and --summary exclude each other."),
    (
      ["report", "--as-of", "yesterday"],
      "Error: The value 'yesterday' is invalid for '--as-of <moment>': \"yesterday\" is no moment"
    ),
    (["explain"], "Error: Missing expected argument '<id>'"),
    (["demo", "--orders", "0"], "Error: --orders takes 1 to 2000000."),
    (["doctor", "--log-format", "xml"], "Error: The value 'xml' is invalid for '--log-format <log-format>'."),
  ]

  @Test("A misuse ends with 64 and says what was meant", arguments: misuses)
  func misuse(arguments: [String], complaint: String) throws {
    let ended = try CommandRun(arguments)
    #expect(ended.status == 64)
    #expect(ended.errors.hasPrefix(complaint))
    #expect(ended.output.isEmpty)
  }

  @Test("Help of every command and the version go to standard output and end with 0")
  func help() throws {
    for command in ["run", "pull", "report", "explain", "check", "status", "doctor", "init", "demo"] {
      let ended = try CommandRun([command, "--help"])
      #expect(ended.status == 0 && ended.output.hasPrefix("OVERVIEW: ") && ended.errors.isEmpty, "\(command)")
    }
    let version = try CommandRun(["--version"])
    #expect(version.status == 0 && version.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test("Without a configuration every command ends with 78 and says where one was looked for")
  func noConfiguration() throws {
    for arguments in [["run"], ["pull"], ["report"], ["explain", "ch_1"], ["status"], ["doctor"]] {
      let ended = try CommandRun(arguments)
      #expect(ended.status == 78, "\(arguments)")
      #expect(
        ended.errors.hasPrefix("crossfoot: no configuration at crossfoot.yml or /etc/crossfoot/crossfoot.yml;"),
        "\(arguments)")
    }
  }

  @Test("A wrong configuration ends with 78, every mistake on a line of its own, and no secret among them")
  func wrongConfiguration() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "crossfoot.yml", "providers:\n  - {name: s, kind: stripe, api_key: rk_live_x, conect: true}\nlandin: {}\n")
    let ended = try CommandRun(["run"], in: folder.path)
    #expect(ended.status == 78)
    #expect(
      ended.errors == """
        crossfoot: crossfoot.yml:2: providers[0].conect: unknown key; did you mean "connect"?
        crossfoot: crossfoot.yml:3: landin: unknown key; did you mean "landing"?

        """)
    let examined = try CommandRun(["doctor"], in: folder.path)
    #expect(examined.status == 78 && !(examined.output + examined.errors).contains("rk_live_x"))
  }

  @Test("init writes a configuration that stands, and overwrites nothing without --force")
  func initialise() throws {
    let folder = try TemporaryFolder()
    let first = try CommandRun(["init"], in: folder.path)
    #expect(first.status == 0)
    for name in [
      "crossfoot.yml", "crossfoot.crontab", "crossfoot.service", "crossfoot-failure.service", "crossfoot.timer",
    ] {
      #expect(FileManager.default.fileExists(atPath: folder.path + "/" + name), "\(name)")
      let written = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect((written[.posixPermissions] as? Int).map { $0 & 0o137 } == 0, "\(name) is for the user and the group")
    }
    let second = try CommandRun(["init"], in: folder.path)
    #expect(second.status == 74 && second.errors.contains("use --force to overwrite them"))
    #expect(try CommandRun(["init", "--force"], in: folder.path).status == 0)
    #expect(try CommandRun(["status"], in: folder.path).status == 0, "it asks nobody, so it needs no key")
    let unset = try CommandRun(["pull"], in: folder.path)
    #expect(unset.status == 78)
    #expect(
      unset.errors.hasSuffix(
        "providers[0].api_key: the environment variable STRIPE_API_KEY is not set; export it or write the value\n"))
    #expect(unset.errors.split(separator: "\n").count == 1)
  }

  @Test("The alerts, the heartbeat and the journal's names stand once they are no comment any more")
  func commentedExamples() throws {
    let lines = ConfigurationTemplate.text.components(separatedBy: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("# alerts:") })
    let last = try #require(lines[first...].firstIndex(of: ""))
    let journal = try #require(lines.first { $0.hasPrefix("# journal:") })
    let folder = try TemporaryFolder()
    let text = lines[..<first] + (lines[first..<last] + [journal]).map { String($0.dropFirst(2)) }
    try folder.write("crossfoot.yml", text.joined(separator: "\n") + "\n")
    let names = ["STRIPE_API_KEY", "WEBHOOK_SECRET", "SMTP_USER", "SMTP_PASSWORD", "PAGERDUTY_ROUTING_KEY"].map {
      ($0, "x")
    }
    let addresses = ["SLACK_WEBHOOK_URL", "PING_URL", "START_PING_URL"].map { ($0, "https://example.com/x") }
    let settings = try Settings.load(
      folder.path + "/crossfoot.yml", environment: Dictionary(uniqueKeysWithValues: names + addresses),
      providerKinds: Wiring.providerKinds
    ) { _ = try Wiring.makeProvider($0) }
    #expect(settings.alerts.count == 4 && settings.alerts[1].providers == ["stripe"])
    #expect(settings.heartbeat.textfile?.hasSuffix("/crossfoot.prom") == true && settings.heartbeat.pingURL != nil)
    #expect(settings.journal == ["platform": "1200 Assets:PSP"])
  }

  @Test("The crontab line and the systemd unit name the folder and a binary that exists")
  func initialisedPaths() throws {
    let folder = try TemporaryFolder()
    _ = try CommandRun(["init"], in: folder.path)
    let crontab = try folder.read("crossfoot.crontab")
    let binary = try #require(
      crontab.split(separator: "'").map(String.init).first { $0.hasSuffix("/crossfoot") && $0 != folder.path })
    #expect(FileManager.default.isExecutableFile(atPath: binary))
    #expect(
      try folder.read("crossfoot.service").contains(
        "ExecStart=\"\(binary)\" run --config \"\(folder.path)/crossfoot.yml\""))
  }
}
