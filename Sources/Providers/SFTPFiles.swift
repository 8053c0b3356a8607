import Files
import HTTP
import Logging

/// A folder on an SFTP server, configured by `settlement_url`, `settlement_key` and `settlement_known_hosts`.
///
/// A file that was landed in full is not fetched again as long as the server lists it with the same length and date;
/// any other file is fetched, and its content decides.
package struct SFTPFiles: FileSource {
  private let client: SFTPClient

  /// - Parameters:
  ///   - url: `sftp://user@host[:port]/path`.
  ///   - key: the path of a private key, Ed25519 or ECDSA, without a passphrase.
  ///   - knownHosts: the path of a file in OpenSSH's format; a server that is not in it is not contacted.
  /// - Throws: `SFTPError` for what is wrong with the three, before any connection is made.
  package init(url: String, key: String, knownHosts: String, retry: RetryPolicy, waiting: Waiting, logger: Logger)
    throws(SFTPError)
  {
    client = try SFTPClient(url: url, key: key, knownHosts: knownHosts, retry: retry, waiting: waiting, logger: logger)
  }

  package func list(known: [ImportedFile]) async throws -> FileListing {
    let files = try await client.list().filter { DeliveredName.isWhole($0.name) }
    return FileListing(files: files.map { ListedFile(name: $0.name, stamp: $0.stamp) })
  }

  package func fetch(_ file: ListedFile, into folder: String) async throws -> String {
    let path = folder + "/" + file.name
    try await client.download(file.name, to: path)
    return path
  }
}
