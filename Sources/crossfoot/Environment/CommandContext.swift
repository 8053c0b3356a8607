import Foundation
import Journal
import Logging
import Payments
import Providers
import Reconciliation
import Settings

/// What every command that works on real records needs: the configuration, the resources and the chosen providers.
struct CommandContext: Sendable {
  let settings: Settings
  let resources: Resources
  /// All configured providers, in the order of the configuration: the reports cover all of them.
  let providers: [any Provider]
  /// The providers to pull from: all, or those given by `--provider`.
  let chosen: [any Provider]
  let calendar: BusinessCalendar

  /// Reads the configuration and creates the providers.
  ///
  /// - Parameter connects: whether the command makes connections; if not, credentials may be missing.
  /// - Throws: `Failure` or `SettingsError`.
  init(_ options: CommonOptions, connects: Bool = true) throws {
    options.logging.begin()
    try self.init(
      configuration: try Self.configuration(options.config), asking: options.provider, connects: connects,
      resources: { try Resources.find(option: options.resources) })
  }

  /// The same for a configuration at a given path.
  init(
    configuration: String, asking names: [String] = [], connects: Bool = true, resources find: () throws -> Resources
  ) throws {
    var made: [any Provider] = []
    settings = try Settings.load(configuration, providerKinds: Wiring.providerKinds, connects: connects) { entry in
      made.append(try Wiring.makeProvider(entry))
    }
    resources = try find()
    // A folder that cannot be read is reported by the commands that need its checks.
    let checks = try? ([resources.sql + "/checks"] + settings.checks).flatMap { try SQLStatement.folder($0) }
    if let checks { try settings.checkSeverity(types: checks.map(\.name)) }
    try settings.checkJournal { JournalAccounts.mistake(in: $0, for: $1) }
    providers = made
    chosen = try Self.choose(names, among: made)
    guard let zone = TimeZone(identifier: settings.reporting.timeZone) else {
      throw Failure(.configuration, "reporting.time_zone: \(settings.reporting.timeZone) is not known here")
    }
    calendar = BusinessCalendar(timeZone: zone)
  }

  /// The usual places of the configuration, in the order in which they are tried.
  static let places = ["crossfoot.yml", "/etc/crossfoot/crossfoot.yml"]

  /// The given file, or the first of the usual places that exists.
  static func configuration(_ named: String?, places: [String] = Self.places) throws -> String {
    if let named { return named }
    if let found = places.first(where: FileManager.default.fileExists(atPath:)) { return found }
    throw Failure(
      .configuration,
      "no configuration at \(places.joined(separator: " or ")); `crossfoot init` writes one, --config names one")
  }

  private static func choose(_ names: [String], among made: [any Provider]) throws -> [any Provider] {
    for name in names where !made.contains(where: { $0.name == name }) {
      throw Failure(
        .usage, "--provider \(name): not configured; configured are \(made.map(\.name).joined(separator: ", "))")
    }
    return names.isEmpty ? made : made.filter { names.contains($0.name) }
  }
}

extension Int64 {
  /// The wall clock, Unix seconds: read once by a command and passed on.
  static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}
