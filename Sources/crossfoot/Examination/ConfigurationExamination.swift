import Foundation
import Providers
import Reconciliation
import Settings

/// Whether a run can use what the configuration refers to: checks, reports and layouts are validated as in a run.
enum ConfigurationExamination {
  static func findings(_ workplace: CommandContext, now: Int64) -> [DiagnosticLine] {
    let settings = workplace.settings
    let providers = workplace.providers.map(\.name).joined(separator: ", ")
    let named = Diagnostic(.good, "\(settings.file): \(providers); days in \(settings.reporting.timeZone)")
    return [DiagnosticLine(.configuration, named)] + definitions(workplace, now: now)
  }

  private static func definitions(_ workplace: CommandContext, now: Int64) -> [DiagnosticLine] {
    let problems: [String]
    do { problems = try Wiring.yesterday(workplace, now: now).examineDefinitions() } catch {
      problems = [Failure(error).message]
    }
    if problems.isEmpty {
      return [DiagnosticLine(.configuration, Diagnostic(.good, "checks, reports and layouts can be used"))]
    }
    return problems.map { DiagnosticLine(.configuration, Diagnostic(.bad, $0)) }
  }
}
