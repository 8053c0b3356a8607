import HTTP
import JSON

/// What `doctor` checks at Afterpay: the credentials, the clock, the disputes, the folder of the settlement exports.
extension Afterpay {
  package func examine() async -> [Diagnostic] {
    var findings: [Diagnostic] = []
    do {
      let response = try await api.get(.configuration, what: "configuration", attempts: 2)
      findings.append(
        Diagnostic(.good, "\(name): Afterpay accepts the credentials of merchant \(configuration.merchantID)"))
      findings.append(
        contentsOf: Diagnostic.clock(name, of: "Afterpay", response.date, now: api.now()) + currency(response))
      findings.append(await disputes())
    } catch {
      findings.append(Diagnostic(.bad, error.sentence))
    }
    return findings + examineSettlements()
  }

  /// Whether the account's limits are in the configured currency.
  private func currency(_ response: HTTPResponse) -> [Diagnostic] {
    let found = try? JSONParser().parse(response.body) { root in
      try root["maximumAmount"]["currency"].optionalString() ?? root["minimumAmount"]["currency"].optionalString()
    }
    guard let theirs = found ?? nil, theirs.uppercased() != configuration.currency else { return [] }
    return [
      Diagnostic(
        .bad,
        "\(name): the account is in \(theirs), the configuration says \(configuration.currency); correct its currency")
    ]
  }

  private func disputes() async -> Diagnostic {
    do {
      _ = try await api.get(.disputes, [("offset", "0"), ("limit", "1")], what: "disputes", attempts: 2)
      return Diagnostic(.good, "\(name): disputes can be read")
    } catch  where error.kind == .missing {
      return Diagnostic(.good, "\(name): Afterpay offers no disputes to this account")
    } catch {
      return Diagnostic(.bad, error.sentence)
    }
  }
}
