import Foundation
import Providers
import Reconciliation
import Settings

/// Whether the configuration names what a run can use: checks, reports and layouts are examined as the run does.
enum ConfigurationExamination {
  static func findings(_ workplace: Workplace, now: Int64) -> [Finding] {
    let settings = workplace.settings
    let providers = workplace.providers.map(\.name).joined(separator: ", ")
    let named = DoctorFinding(.good, "\(settings.file): \(providers); days in \(settings.reporting.timeZone)")
    return [Finding(.configuration, named)] + definitions(workplace, now: now)
  }

  private static func definitions(_ workplace: Workplace, now: Int64) -> [Finding] {
    let problems: [String]
    do { problems = try Wiring.yesterday(workplace, now: now).examineDefinitions() } catch {
      problems = [Failure(error).message]
    }
    if problems.isEmpty {
      return [Finding(.configuration, DoctorFinding(.good, "checks, reports and layouts can be used"))]
    }
    return problems.map { Finding(.configuration, DoctorFinding(.bad, $0)) }
  }
}
