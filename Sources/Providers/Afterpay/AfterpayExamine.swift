import HTTP
import JSON

/// What `doctor` asks Afterpay: the credentials, the clock, the disputes, the folder of the settlement exports.
extension Afterpay {
  package func examine() async -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    do {
      let response = try await api.get(.configuration, what: "configuration", attempts: 2)
      findings.append(
        DoctorFinding(.good, "\(name): Afterpay accepts the credentials of merchant \(configuration.merchantID)"))
      findings.append(contentsOf: clock(response) + currency(response))
      findings.append(await disputes())
    } catch {
      findings.append(DoctorFinding(.bad, error.sentence))
    }
    return findings + examineSettlements()
  }

  /// More than a minute off, a watermark would claim what is not there yet.
  private func clock(_ response: HTTPResponse) -> [DoctorFinding] {
    guard let theirs = response.date else { return [] }
    let skew = api.now() - theirs
    guard abs(skew) > 60 else { return [DoctorFinding(.good, "\(name): this machine's clock agrees with Afterpay's")] }
    let words = skew > 0 ? "ahead of" : "behind"
    return [
      DoctorFinding(
        .bad, "\(name): this machine's clock is \(abs(skew)) s \(words) Afterpay's; let it follow a time server")
    ]
  }

  /// The account's limits name its currency.
  private func currency(_ response: HTTPResponse) -> [DoctorFinding] {
    let found = try? JSONParser().parse(response.body) { root in
      try root["maximumAmount"]["currency"].optionalString() ?? root["minimumAmount"]["currency"].optionalString()
    }
    guard let theirs = found ?? nil, theirs.uppercased() != configuration.currency else { return [] }
    return [
      DoctorFinding(
        .bad,
        "\(name): the account is in \(theirs), the configuration says \(configuration.currency); correct its currency")
    ]
  }

  private func disputes() async -> DoctorFinding {
    do {
      _ = try await api.get(.disputes, [("offset", "0"), ("limit", "1")], what: "disputes", attempts: 2)
      return DoctorFinding(.good, "\(name): disputes can be read")
    } catch  where error.kind == .missing {
      return DoctorFinding(.good, "\(name): Afterpay offers no disputes to this account")
    } catch {
      return DoctorFinding(.bad, error.sentence)
    }
  }
}
