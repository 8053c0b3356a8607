import HTTP
import JSON
import Payments

/// What `doctor` checks of a Cash App client: where its files are, and, where the API is configured, the key, its
/// scopes, its expiry and the clock.
extension CashApp {
  package func examine() async -> [Diagnostic] {
    await examineFiles() + examineAPI()
  }

  private func examineFiles() async -> [Diagnostic] {
    do {
      let source = try source()
      let listing = try await source.list(known: [])
      let files = listing.files.compactMap { CashAppFileName($0.name, clientID: configuration.clientID) }
      let ours = files.filter { $0.clientID == configuration.clientID }
      var findings = [
        Diagnostic(.good, "\(name): the settlement files can be listed, \(ours.count) of this client's")
      ]
      if let newest = ours.compactMap(\.day).max() {
        findings.append(Diagnostic(.good, "\(name): the newest settlement file is of \(newest)"))
      } else {
        findings.append(
          Diagnostic(
            .warning,
            "\(name): no settlement file of \(configuration.clientID) is there; check client_id and the delivery"))
      }
      if files.count > ours.count {
        findings.append(
          Diagnostic(
            .warning, "\(name): \(files.count - ours.count) settlement files are another client's and not read"))
      }
      let gaps = CashAppBatch.all(listing.files.map(\.name), clientID: configuration.clientID).compactMap(\.gap)
      findings += await (gaps + source.faults(of: listing.files) + [listing.problem].compactMap { $0 }).map {
        Diagnostic(.bad, "\(name): \($0)")
      }
      return findings
    } catch {
      return [Diagnostic(.bad, "\(name): \(error)")]
    }
  }

  private func examineAPI() async -> [Diagnostic] {
    guard let api else {
      return [Diagnostic(.good, "\(name): no API key is configured; states between two settlements are not known")]
    }
    var findings: [Diagnostic] = []
    for stream in CashAppStream.lists where stream != .apiKeys {
      do {
        let response = try await api.get(stream.path, [("limit", "1")], for: stream, attempts: 2)
        if stream == CashAppStream.lists.first {
          findings.append(Diagnostic(.good, "\(name): Cash App accepts the API key"))
          findings += Diagnostic.clock(name, of: "Cash App", response.date, now: waiting.now())
        }
        findings.append(Diagnostic(.good, "\(name): \(stream.rawValue) can be read"))
      } catch {
        findings.append(Diagnostic(.bad, error.sentence))
        if error.kind == .credentials { return findings }
      }
    }
    return findings + [await key(api)]
  }

  /// Keys expire 30 days after they were created.
  private func key(_ api: CashAppAPI) async -> Diagnostic {
    do {
      let path = "\(CashAppStream.apiKeys.path)/\(api.access.keyID)"
      let response = try await api.get(path, for: .apiKeys, what: "the API key", attempts: 2)
      let text = try? JSONParser().parse(response.body) { root in
        let key = root[CashAppStream.apiKeys.single]
        return try (key.kind == .object ? key : root)["expires_at"].string()
      }
      guard let text, let end = try? Instant.parse(text) else {
        return Diagnostic(.warning, "\(name): the API key's answer does not say when it ends")
      }
      let days = (end - waiting.now()) / 86_400
      let isNear = end - waiting.now() < 7 * 86_400
      return isNear
        ? Diagnostic(
          .bad, "\(name): the API key ends at \(Instant.text(end)); make a new one and set key_id and secret")
        : Diagnostic(.good, "\(name): the API key ends in \(days) days")
    } catch {
      return Diagnostic(.warning, "\(error.sentence); without it nobody warns before the key ends")
    }
  }
}
