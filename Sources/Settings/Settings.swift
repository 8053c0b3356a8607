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
  /// By discrepancy type; only the checks know which types exist: see `checkSeverity`.
  package let severity: [String: Severity]
  /// The place of each of them in the file.
  let severityPlaces: [String: SettingsPlace]
  /// Further folders of checks, absolute.
  package let checks: [String]
  /// Further folders of reports, absolute.
  package let reports: [String]
  /// The number of rows at which a detail sheet is cut.
  package let workbookMaximumRows: Int64
  /// Templates with `{id}`, by provider name.
  package let dashboards: [String: String]
  package let heartbeat: Heartbeat
  /// Named ranges to be closed, in order; none: calendar months.
  package let periods: [PeriodEntry]
  /// Account names of the journal.
  package let journal: [String: String]
  let journalPlaces: [String: SettingsPlace]
  /// Identical for the same meaning, without secrets: its hash is in `run.json`.
  package let canonicalText: String
  /// The values as written, with variables resolved.
  let value: SettingsValue

  /// The folder and the days of the reports.
  package struct Reporting: Sendable, Equatable {
    /// An IANA name; it determines where days begin.
    package var timeZone: String
    /// The folder of the publications, absolute.
    package var output: String
    /// The address under which people open that folder, without a trailing `/`, for links in alerts.
    package var url: String?
    /// The additional currency for totals, ISO 4217, and the absolute path of the CSV file of its rates; both or none.
    package var currency: String?
    package var rates: String?
  }

  /// The database.
  package struct Store: Sendable, Equatable {
    /// `sqlite:/absolute/path` or `postgresql://…`, which may contain a password.
    package var url: Secret
    /// The same without a password.
    package var shown: String { Address.shown(url.revealed) }
  }

  /// The raw records.
  package struct Landing: Sendable, Equatable {
    /// Absolute.
    package var directory: String
    /// Seconds after which `crossfoot prune` removes landed files; nil: never.
    package var retention: Int64?
  }

  /// Heartbeats for a monitor.
  package struct Heartbeat: Sendable, Equatable {
    /// A file in the Prometheus text format, absolute.
    package var textfile: String?
    /// An address to request after a run.
    package var pingURL: Secret?
    /// An address to request when a run begins.
    package var startPingURL: Secret?
  }

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - path: the file, as messages refer to it.
  ///   - environment: the values for `${NAME}`.
  ///   - providerKinds: the kinds in the Providers module.
  ///   - connects: whether providers, order sources or receivers of alerts are contacted; if not, their credentials may
  ///     be missing.
  ///   - configure: creates a provider from an entry; a `SettingsError` that it throws is reported together with all
  ///     other mistakes.
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
    // A provider that cannot be created would be missing from every figure.
    problems += refused
    if !problems.isEmpty { throw SettingsError(problems) }
    return settings
  }

  /// Rejects names of accounts that no journal can use.
  ///
  /// - Parameter mistake: what is wrong with a name below a key; nil: nothing.
  /// - Throws: `SettingsError`.
  package func checkJournal(_ mistake: (_ name: String, _ key: String) -> String?) throws {
    let problems = journal.sorted { $0.key < $1.key }.compactMap { key, name -> SettingsProblem? in
      let provider = key.split(separator: ".").dropFirst().first.map(String.init)
      let isUnknown = provider.map { name in !providers.contains { $0.name == name } } ?? false
      let sentence = mistake(name, key) ?? (isUnknown ? "no provider is named \"\(provider ?? "")\" here" : nil)
      return sentence.flatMap { sentence in journalPlaces[key].map { .objection($0, sentence: sentence) } }
    }
    if !problems.isEmpty { throw SettingsError(problems) }
  }

  /// Rejects a severity for a type that no check has: a typing error would otherwise have no effect and go unnoticed.
  ///
  /// - Parameter types: those of the built-in checks and of the team's own.
  /// - Throws: `SettingsError`.
  package func checkSeverity(types: [String]) throws {
    let problems = severityPlaces.filter { !types.contains($0.key) }.map { type, place in
      SettingsProblem.unknownKey(place, nearest: NearestKey.of(type, among: types), known: types)
    }
    if !problems.isEmpty { throw SettingsError(problems) }
  }
}
