import ArgumentParser
import Foundation

/// Who got what on every payment, what it cost, which orders do not tie, and a proof that nothing is left over.
@main
struct Crossfoot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossfoot",
    abstract: "Reconciles payment providers with orders, every night, to the cent.",
    discussion: """
      Start with `crossfoot demo`, then `crossfoot init`, `crossfoot doctor` and `crossfoot run`.

      Exit status: 0 clean · 1 discrepancies at or above --fail-on · 2 something could not be read in full · 64 usage \
      · 65 an order source refused · 69 no provider reached · 70 internal error · 74 cannot write · 75 another run \
      holds the lock · 77 credentials refused · 78 configuration.
      """,
    version: Version.text,
    subcommands: [
      Run.self, Pull.self, Report.self, Explain.self, Discrepancies.self, CheckCommand.self, Export.self, Status.self,
      Doctor.self,
      Verify.self, ClosePeriod.self, ReopenPeriod.self, DiffPeriod.self, BundlePeriod.self, Rebuild.self, Prune.self,
      Erase.self, Init.self,
      Demo.self,
    ])

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // Output is for the user and the group, whatever the shell's umask: files 0640, folders 0750, or less.
    _ = umask(umask(0o027) | 0o027)
    do {
      var command = try parseAsRoot()
      try await perform(&command)
    } catch {
      end(with: error)
    }
  }

  private static func perform(_ command: inout any ParsableCommand) async throws {
    if var asynchronous = command as? any AsyncParsableCommand {
      try await asynchronous.run()
    } else {
      try command.run()
    }
  }

  /// Prints the error on standard error and exits with its status; help and version are not errors.
  private static func end(with error: any Error) -> Never {
    if exitCode(for: error) != .failure || error is ExitCode { exit(withError: error) }
    let failure = Failure(error)
    Terminal.complain(failure.message)
    Foundation.exit(failure.status.rawValue)
  }
}

/// The version that `--version` and `run.json` show.
enum Version {
  static let text = "0.1.0"
}
