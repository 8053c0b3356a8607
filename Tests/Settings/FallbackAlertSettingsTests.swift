import Foundation
import Testing

@testable import Settings

@Suite("Who is alerted of a refused configuration")
struct FallbackAlertSettingsTests {
  private static let alerts = """
    reporting: {time_zone: Europe/Amsterdam}
    landing: {directory: raw}
    heartbeat: {textfile: crossfoot.prom}
    alerts:
      - {kind: slack, url: "${SLACK_URL}"}
      - {kind: webhook, url: "https://example.com/hook", minimum_severity: low}
    """

  @Test("A mistake elsewhere leaves receivers, heartbeat, landing zone and time zone")
  func elsewhere() throws {
    let fixture = try SettingsFixture(
      "providers: none\n" + Self.alerts, environment: ["SLACK_URL": "https://hooks.slack.com/services/T/B/x"])
    #expect(fixture.complaint().contains("providers"))
    let audible = try #require(FallbackAlertSettings(fixture.path, environment: fixture.environment))
    #expect(audible.alerts.count == 2 && audible.timeZone == "Europe/Amsterdam")
    #expect(audible.landing.hasSuffix("/raw") && audible.heartbeat.textfile?.hasSuffix("/crossfoot.prom") == true)
  }

  @Test(
    "A receiver with a mistake of its own is not guessed at: an unset variable, an unknown key, a severity that is none"
  )
  func own() throws {
    for (old, new) in [
      ("", ""), ("minimum_severity: low", "minimum_severty: low"), ("minimum_severity: low", "minimum_severity: some"),
    ] {
      let fixture = try SettingsFixture(old.isEmpty ? Self.alerts : Self.alerts.replacing(old, with: new))
      let audible = try #require(FallbackAlertSettings(fixture.path, environment: [:]))
      #expect(audible.alerts.count == (old.isEmpty ? 1 : 0), "\(new)")
    }
  }

  @Test("Without YAML, or without a landing zone that is known, no one is alerted")
  func nobody() throws {
    let landings = ["directry: raw", "directory: \"${RAW}\""].map { Self.alerts.replacing("directory: raw", with: $0) }
    for text in ["alerts: ["] + landings {
      let fixture = try SettingsFixture(text)
      #expect(FallbackAlertSettings(fixture.path, environment: [:]) == nil)
    }
    #expect(FallbackAlertSettings("/nowhere/crossfoot.yml", environment: [:]) == nil)
  }
}
