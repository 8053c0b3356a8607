import HTTP

/// What `doctor` checks at Stripe: the key, each stream's permission, the clock.
extension Stripe {
  package func examine() async -> [Diagnostic] {
    do {
      let response = try await api.get("/v1/balance", for: .balances, attempts: 2)
      let streams = StripeStream.lists(connect: configuration.connect)
      var findings = [Diagnostic(.good, "\(name): Stripe accepts the API key")]
      if configuration.mayWrite {
        findings.append(
          Diagnostic(
            .warning,
            "\(name): api_key is a secret key, which can write; use a restricted key (rk_…) with Read permissions"))
      }
      findings.append(contentsOf: Diagnostic.clock(name, of: "Stripe", response.date, now: waiting.now()))
      for stream in streams { findings.append(contentsOf: await permission(stream)) }
      findings.append(contentsOf: await account())
      return findings
    } catch {
      return [Diagnostic(.bad, error.sentence)]
    }
  }

  private func permission(_ stream: StripeStream) async -> [Diagnostic] {
    do {
      _ = try await api.get(stream.path, [("limit", "1")], for: stream, attempts: 2)
      return [Diagnostic(.good, "\(name): \(stream.rawValue) can be read")]
    } catch {
      return [Diagnostic(.bad, error.sentence)]
    }
  }

  private func account() async -> [Diagnostic] {
    guard configuration.account == nil else { return [] }
    do {
      _ = try await api.get("/v1/account", for: .account, attempts: 1)
      return []
    } catch {
      return [Diagnostic(.warning, "\(error.sentence); or set `account` of \(name) in the configuration")]
    }
  }
}
