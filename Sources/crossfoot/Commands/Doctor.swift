import ArgumentParser
import Foundation
import Providers
import Settings

/// What could spoil the next night, found before it begins.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Check configuration, credentials and their permissions, store, landing zone, receivers of alerts, clock and "
      + "disk.",
    discussion: """
      Sends a request to each provider and connects to the receivers of alerts without sending a message. \
      Nothing is changed. The exit status is 0 when nothing is bad, else that of a run with this problem.
      """
  )

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let findings: [DiagnosticLine]
    do {
      findings = try await Self.examine(try CommandContext(common))
    } catch let error as SettingsError {
      findings = error.problems.map { DiagnosticLine(.configuration, Diagnostic(.bad, $0.description)) }
    }
    try Self.show(findings, common.logging)
    try Self.status(findings).end()
  }

  private static func examine(_ workplace: CommandContext) async throws -> [DiagnosticLine] {
    let now = Int64.now
    var findings = ConfigurationExamination.findings(workplace, now: now)
    findings += await OrderExamination.findings(workplace, now: now)
    for provider in workplace.chosen {
      let found = await provider.examine()
      findings += found.map { DiagnosticLine(.credentials, $0) }
    }
    findings.append(DiagnosticLine(.store, StoreExamination.finding(workplace)))
    findings += FolderExamination.findings(workplace.settings)
    findings += await AlertExamination.findings(workplace.settings)
    let witnesses = [Resources.binary, workplace.settings.file, workplace.settings.landing.directory]
    findings.append(DiagnosticLine(.clock, ClockExamination.finding(now: now, witnesses: witnesses)))
    return findings
  }

  private static func show(_ findings: [DiagnosticLine], _ output: LoggingOptions) throws {
    if output.format == .json { return try Terminal.printJSON(findings) }
    let isQuiet = output.quiet && !findings.contains { $0.grade == .bad }
    if !isQuiet { try Terminal.print(findings.map(\.line).joined(separator: "\n")) }
  }

  /// The status of the first failed subject.
  private static func status(_ findings: [DiagnosticLine]) -> ExitStatus {
    findings.first { $0.grade == .bad }?.subject.status ?? .clean
  }
}

/// A diagnostic with its subject.
struct DiagnosticLine: Encodable {
  /// What was checked, and how a run ends if it fails.
  enum Subject: String, Encodable {
    case configuration, credentials, orders, store, folders, alerts, clock

    var status: ExitStatus {
      switch self {
      case .configuration: .configuration
      case .credentials: .credentials
      case .orders: .orderSource
      case .store, .folders: .inputOutput
      case .clock: .internalError
      // A receiver that cannot be reached does not change the exit status.
      case .alerts: .clean
      }
    }
  }
  let subject: Subject
  let grade: Diagnostic.Grade
  let sentence: String

  init(_ subject: Subject, _ finding: Diagnostic) {
    self.subject = subject
    grade = finding.grade
    sentence = finding.sentence
  }

  /// `good     store          sqlite:/srv/crossfoot.db can be opened`.
  var line: String {
    let columns = [(grade.rawValue, 9), (subject.rawValue, 15)].map {
      $0.0.padding(toLength: $0.1, withPad: " ", startingAt: 0)
    }
    return columns.joined() + sentence
  }

  private enum CodingKeys: String, CodingKey { case subject, grade, sentence }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(subject, forKey: .subject)
    try container.encode(grade.rawValue, forKey: .grade)
    try container.encode(sentence, forKey: .sentence)
  }
}
