import Foundation

/// The whole configuration, typed: docs/contract.md section 2.
package struct Settings: Sendable {
  /// The file it was read from, absolute.
  package let file: String
  package let reporting: Reporting
  package let store: Store
  package let landing: Landing
  package let orders: [OrderSourceEntry]
  /// In the order of the file.
  package let providers: [ProviderEntry]
  package let policy: Policy
  package let tolerance: Tolerance
  package let rateCards: [RateCard]
  package let alerts: [AlertEntry]
  /// By discrepancy type; whether a type exists is known to the checks: `checkSeverity` asks them.
  package let severity: [String: Severity]
  /// Where each of them stands.
  let severityPlaces: [String: SettingsPlace]
  /// Further folders of checks, absolute.
  package let checks: [String]
  /// Further folders of reports, absolute.
  package let reports: [String]
  /// Rows of a detail sheet before it is cut.
  package let workbookMaximumRows: Int64
  /// Templates with `{id}`, by provider name.
  package let dashboards: [String: String]
  package let heartbeat: Heartbeat
  /// Named ranges that are closed, in their order; none: calendar months.
  package let periods: [PeriodEntry]
  /// Account names of the journal.
  package let journal: [String: String]
  /// The same for the same meaning, without secrets: its hash is in `run.json`.
  package let canonicalText: String
  /// What was written, its variables resolved.
  let value: SettingsValue

  /// Where and in which days the reports are made.
  package struct Reporting: Sendable, Equatable {
    /// An IANA name; days are cut there.
    package var timeZone: String
    /// The folder of the publications, absolute.
    package var output: String
    /// Where people open that folder, without a `/` at its end: alerts lead there.
    package var url: String?
    /// The currency that totals are shown in once more, ISO 4217, and the absolute path of the CSV file of
    /// its rates; both or none.
    package var currency: String?
    package var rates: String?
  }

  /// The database.
  package struct Store: Sendable, Equatable {
    /// `sqlite:/absolute/path` or `postgresql://…`, which may hold a password.
    package var url: Secret
    /// The same without a password.
    package var shown: String { Address.shown(url.revealed) }
  }

  /// The raw records.
  package struct Landing: Sendable, Equatable {
    /// Absolute.
    package var directory: String
    /// Seconds after which `crossfoot prune` lets landed files go; nil: never.
    package var retention: Int64?
  }

  /// Signs of life for a monitor.
  package struct Heartbeat: Sendable, Equatable {
    /// A file in the Prometheus text format, absolute.
    package var textfile: String?
    /// An address to ask for after a run.
    package var pingURL: Secret?
    /// An address to ask for when a run begins.
    package var startPingURL: Secret?
  }

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - path: the file, as messages shall name it.
  ///   - environment: what `${NAME}` takes.
  ///   - providerKinds: the kinds in the Providers module.
  ///   - connects: whether providers, order sources or receivers of alerts are asked; else their credentials need not
  ///   be there.
  ///   - configure: makes a provider of an entry; what it throws as `SettingsError` is reported together with
  ///   everything else.
  /// - Throws: `SettingsError` with all mistakes.
  package static func load(
    _ path: String, environment: [String: String] = ProcessInfo.processInfo.environment, providerKinds: [String],
    connects: Bool = true, configure: (ProviderEntry) throws -> Void = { _ in }
  ) throws -> Settings {
    let document = try Document(path, environment: environment)
    let providerNodes = document.root.separateNodes("providers")
    let settings = Settings(document, providerNodes: providerNodes, providerKinds: providerKinds)
    var problems = document.problems
    var refused: [SettingsProblem] = []
    for entry in settings.providers {
      do { try configure(entry) } catch let error as SettingsError { refused += error.problems }
    }
    problems += document.root.drain(unknownKeys: true) + providerNodes.flatMap { $0.drain(unknownKeys: false) }
    if !connects {
      let nodes = [document.root] + providerNodes
      let unused = UnusedCredentials(paths: nodes.reduce(into: []) { $0.formUnion($1.credentialPaths) })
      problems = unused.dropped(from: problems)
    }
    // A provider that cannot be made would be missing from every figure.
    problems += refused
    if !problems.isEmpty { throw SettingsError(problems) }
    return settings
  }

  /// Refuses a severity for a type that no check has: after a slip of the pen it would have no effect, and nothing
  /// would say so.
  ///
  /// - Parameter types: those of our checks and of the team's own.
  /// - Throws: `SettingsError`.
  package func checkSeverity(types: [String]) throws {
    let problems = severityPlaces.filter { !types.contains($0.key) }.map { type, place in
      SettingsProblem.unknownKey(place, nearest: NearestKey.of(type, among: types), known: types)
    }
    if !problems.isEmpty { throw SettingsError(problems) }
  }
}
