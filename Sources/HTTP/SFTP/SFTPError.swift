/// Why a folder on an SFTP server cannot be used, and what to do. Contains neither a key nor its path.
package enum SFTPError: Error, Equatable {
  /// What is wrong with `settlement_url`.
  case address(String)
  /// What is wrong with `settlement_key`.
  case key(String)
  /// `settlement_known_hosts` cannot be read.
  case knownHosts
  /// The server's key is not among the known hosts.
  case unknownHost(host: String, port: String)
  /// The server presents another key than the known one.
  case changedHost(host: String)
  /// The server has no key of a kind that is listed for it in the known hosts, or that libssh2 supports.
  case noCommonKind(host: String)
  /// The server does not accept our key.
  case denied(host: String)
  /// The folder or file does not exist.
  case missing(String)
  /// The user may not read the folder or file.
  case forbidden(String)
  /// No connection, or it broke, up to the last attempt.
  case unreachable(host: String, reason: String, attempts: Int)
  /// The file ended before its length, up to the last attempt.
  case cut(String, attempts: Int)
  /// The run's deadline came before an answer; `cause` is the last error, if a request was made.
  case deadlineReached(String, cause: String?)
  /// The downloaded data cannot be written.
  case disk(reason: String)
}

extension SFTPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .address(let fault): "settlement_url: \(fault); expected sftp://user@host/path"
    case .key(let fault): "settlement_key: the file \(fault)"
    case .knownHosts:
      "settlement_known_hosts: the file cannot be read; see that the path is right and the user who runs this may "
        + "read it"
    case .unknownHost(let host, let port):
      "\(host): its host key is not in settlement_known_hosts, so nothing was asked; print it with `ssh-keyscan -p "
        + "\(port) \(host)`, compare the "
        + "fingerprint (`ssh-keygen -lf`) with what the server's operator says, then add the line"
    case .changedHost(let host):
      "\(host): its host key is not the one in settlement_known_hosts, so nothing was asked; ask the server's "
        + "operator whether it was changed, and only then replace the line"
    case .noCommonKind(let host):
      "\(host): it offers no host key of a kind that settlement_known_hosts has for it and libssh2 can use; take its "
        + "Ed25519 or ECDSA key, compared with what the server's operator says"
    case .denied(let host):
      "\(host): it does not accept the key for this user; have the public half of settlement_key installed there, or "
        + "correct the user in settlement_url"
    case .missing(let what): "\(what) is not there; correct the path in settlement_url, or have it created"
    case .forbidden(let what): "\(what) may not be read by this user; have the server's operator allow it"
    case .unreachable(let host, let reason, let attempts):
      "\(host): no answer over SFTP in \(attempts) attempt\(attempts == 1 ? "" : "s") (\(reason)); see that host and "
        + "port are right and nothing blocks the way"
    case .cut(let what, let attempts):
      "\(what): it ended before its length in \(attempts) attempt\(attempts == 1 ? "" : "s"); it may still be being "
        + "written: run again later"
    case .deadlineReached(let what, let cause):
      "\(what): the run's deadline was reached" + (cause.map { "; before: \($0)" } ?? "")
    case .disk(let reason):
      "the file cannot be kept while it is read: \(reason); free some space in the folder for temporary files"
    }
  }

  /// Whether nothing at all came back, so that the provider counts as unreachable.
  package var isUnreachable: Bool {
    if case .unreachable = self { true } else { false }
  }

  /// Whether our own credentials were refused.
  package var isDenied: Bool {
    if case .denied = self { true } else { false }
  }
}
