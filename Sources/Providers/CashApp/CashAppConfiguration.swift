import HTTP
import Settings

/// A configured Cash App client: where its settlement files are, and how its Network API is accessed, if at all.
package struct CashAppConfiguration: Sendable {
  /// Where the settlement files are delivered.
  package enum Settlement: Sendable {
    /// A folder on this machine, absolute path.
    case folder(String)
    /// `sftp://user@host:port/path`, with the private key for it and the file of trusted host keys.
    case sftp(url: String, key: String, knownHosts: String)
  }
  /// The configured name, as it is in every report.
  package var name: String
  /// The client that the files and the API belong to; files of another client are skipped.
  package var clientID: String
  package var settlement: Settlement
  /// Patterns of file names to skip in a folder on this machine.
  package var ignoredFiles: [String] = []
  /// Nil: the API is not used.
  package var access: CashAppAccess?
  /// How far the API lags, seconds.
  package var lag: Int64 = 0
  /// Attempts, waits and time limits of the delivery over SFTP.
  package var retry = RetryPolicy()

  /// A client whose files lie in a folder.
  package init(name: String, clientID: String, settlement: Settlement, access: CashAppAccess? = nil) {
    self.name = name
    self.clientID = clientID
    self.settlement = settlement
    self.access = access
  }

  /// The configuration of a provider entry of kind `cash_app`.
  ///
  /// - Throws: `SettingsError` with every mistake of the entry.
  package init(_ entry: ProviderEntry) throws {
    let node = entry.node
    let clientID = node.string("client_id")
    self.init(
      name: entry.name, clientID: clientID, settlement: Self.settlement(entry),
      access: CashAppAccess(entry, clientID: clientID))
    ignoredFiles = entry.ignored
    lag = entry.lag ?? lag
    retry = RetryPolicy(attempts: Int(entry.retry.attempts), waitAtMost: .seconds(entry.retry.waitAtMost))
    try node.finish()
  }

  /// Money is reported by settlement files alone, so one of the two places must be configured.
  private static func settlement(_ entry: ProviderEntry) -> Settlement {
    let node = entry.node
    let directory = node.optionalPath("settlement_directory")
    let url = node.optionalString("settlement_url").map { _ in node.url("settlement_url", schemes: ["sftp"]) }
    let (key, knownHosts) = (node.optionalPath("settlement_key"), node.optionalPath("settlement_known_hosts"))
    switch (directory, url) {
    case (let directory?, nil):
      if key != nil || knownHosts != nil {
        node.object(to: "settlement_directory", "settlement_key and settlement_known_hosts belong to settlement_url")
      }
      return .folder(directory)
    case (nil, let url?):
      if key == nil {
        node.object(
          to: "settlement_key", "missing; name the file of the private key, Ed25519 or ECDSA, that opens settlement_url"
        )
      }
      if knownHosts == nil {
        node.object(
          to: "settlement_known_hosts", "missing; name a file with the server's host key, as ~/.ssh/known_hosts has it")
      }
      return .sftp(url: url, key: key ?? "", knownHosts: knownHosts ?? "")
    case (.some, .some):
      node.object(to: "settlement_url", "settlement_directory is named as well; keep one of the two")
    case (nil, nil):
      node.object(
        to: "settlement_directory",
        "missing; name the folder that receives the settlement files, or settlement_url: sftp://user@host/path")
    }
    return .folder("")
  }
}
