import HTTP
import Settings

/// Whether a receiver can be reached, as far as can be seen without sending a message.
package struct Examination: Sendable, Equatable {
  package let isGood: Bool
  /// What was found, and what to do; contains no address beyond its host, and no password.
  package let sentence: String
}

extension Connecting {
  /// Connects as for a message, certificate included; for a mail server it also logs in. One attempt.
  package func examine(_ entry: AlertEntry) async -> Examination {
    switch entry.channel {
    case .slack(let url): await examine(url, entry.caFile, label: "slack")
    case .webhook(let url, _), .service(let url, _, _): await examine(url, entry.caFile, label: "webhook")
    case .email(let url, let username, let password, let from, let to):
      await examine(
        Email(
          url: url, username: username, password: password, from: from, to: to, caFile: entry.caFile,
          policy: policy(entry.retry), connecting: self))
    }
  }

  /// The same for an address of `heartbeat`, identified by its key.
  package func examine(pingURL url: Secret, _ label: String = "heartbeat.ping_url") async -> Examination {
    await examine(url, nil, label: label)
  }

  private func examine(_ url: Secret, _ caFile: String?, label: String) async -> Examination {
    let policy = RetryPolicy(attempts: 1, timeout: timeout, connectTimeout: min(timeout, .seconds(10)))
    guard let address = ReceiverAddress(url.revealed),
      let client = try? HTTPClient(
        baseURL: address.host, retry: policy, caFile: caFile, connections: 1, waiting: waiting, logger: logger)
    else { return Examination(isGood: false, sentence: Post.badAddress(label)) }
    do {
      try await client.connect(label: label)
      return Examination(isGood: true, sentence: "\(label): \(address.host) accepts a connection; nothing was sent")
    } catch {
      return Examination(isGood: false, sentence: Post.words(error))
    }
  }

  private func examine(_ mail: Email) async -> Examination {
    guard mail.hasAddresses else { return Examination(isGood: false, sentence: Email.badAddresses) }
    do throws(SMTPError) {
      let client = try mail.makeClient()
      try await client.examine()
      let login = mail.username == nil ? "asks for no password" : "takes username and password"
      return Examination(isGood: true, sentence: "email: \(mail.url) uses TLS and \(login); nothing was sent")
    } catch {
      return Examination(isGood: false, sentence: "email: \(error)")
    }
  }
}
