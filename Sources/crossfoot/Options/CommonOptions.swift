import ArgumentParser
import Logging

/// The options of every command on real records.
struct CommonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration. Default: ./crossfoot.yml, then /etc/crossfoot/crossfoot.yml.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "run, pull and doctor ask only this provider; discrepancies list, check, explain and status show only it. Can "
        + "be given several times.",
      valueName: "name"))
  var provider: [String] = []

  @Option(help: ArgumentHelp("The folder with sql and reports. Default: beside the binary.", valueName: "folder"))
  var resources: String?

  @OptionGroup(title: "Output") var logging: LoggingOptions

  /// For commands that neither contact nor show single providers.
  func warnThatProvidersAreNotChosen() {
    guard !provider.isEmpty else { return }
    Terminal.complain("warning: --provider has no effect here; this command is about every provider")
  }
}

/// The options for log output.
struct LogOptions: ParsableArguments {
  @Option(help: "The format of log lines on standard error.")
  var logFormat: LogFormat = .text

  @Flag(help: "Print nothing on success.")
  var quiet = false

  @Flag(help: "Log every step.")
  var verbose = false

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }

  /// Starts logging: warnings only when not interactive, so that cron has nothing to mail after a good night.
  func begin() {
    let level: Logger.Level = verbose ? .debug : quiet ? .error : Terminal.showsProgress ? .info : .warning
    Logs.begin(format: logFormat, level: level)
  }
}

/// The amount and format of the output.
struct LoggingOptions: ParsableArguments {
  @Option(help: "The format of the result on standard output.")
  var format: OutputFormat = .text

  @OptionGroup var logs: LogOptions

  @Flag(help: "Print the full summary, also when standard output is no terminal.")
  var summary = false

  var quiet: Bool { logs.quiet }

  func validate() throws {
    if quiet && summary { throw ValidationError("--quiet and --summary exclude each other.") }
  }

  func begin() { logs.begin() }
}

/// The shape of a result.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  case text, json
}

extension LogFormat: ExpressibleByArgument {}
