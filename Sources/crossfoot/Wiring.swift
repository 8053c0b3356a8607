import Logging
import Providers
import Settings

/// Where the commands meet the rooms: every call from the command line into the night stands here, and nowhere else.
enum Wiring {
  /// The kinds of providers that a configuration may name.
  static var providerKinds: [String] { ["stripe"] }

  /// Makes a provider of its entry in the configuration.
  ///
  /// - Throws: `SettingsError` for keys of its own that are wrong or unknown.
  static func makeProvider(_ entry: ProviderEntry) throws -> any Provider {
    throw Failure(.internalError, "providers are not wired yet")
  }

  /// The night: pull, read, reconcile, report, alert.
  static func run(_ order: RunOrder, at workplace: Workplace) async throws -> ExitStatus {
    throw Failure(.internalError, "run is not wired yet")
  }

  /// The first stage alone.
  static func pull(_ range: DayRange, isNamedRange: Bool, now: Int64, output: LoggingOptions, at workplace: Workplace)
    async throws
    -> ExitStatus
  {
    throw Failure(.internalError, "pull is not wired yet")
  }

  /// The reports again.
  static func report(_ order: RunOrder, at workplace: Workplace) async throws -> ExitStatus {
    throw Failure(.internalError, "report is not wired yet")
  }

  /// The story of one id.
  static func explain(_ id: String, asOf: Int64?, output: LoggingOptions, at workplace: Workplace) async throws -> ExitStatus {
    throw Failure(.internalError, "explain is not wired yet")
  }

  /// Where things stand.
  static func status(output: LoggingOptions, at workplace: Workplace) async throws -> ExitStatus {
    throw Failure(.internalError, "status is not wired yet")
  }

  /// Opens the store as `doctor` does: a sentence when it cannot be used.
  static func examineStore(_ workplace: Workplace) -> DoctorFinding {
    DoctorFinding(.warning, "the store is not examined yet")
  }

  /// The synthetic marketplace and a night against it; discrepancies are the point of it, so it ends with 0 when the night ran.
  static func demo(_ order: DemoOrder) async throws {
    throw Failure(.internalError, "demo is not wired yet")
  }
}
