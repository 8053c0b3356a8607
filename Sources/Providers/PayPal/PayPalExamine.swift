import HTTP
import JSON
import Payments

/// What `doctor` checks at PayPal: the credentials, each permission, the clock, and how far its report reaches.
extension PayPal {
  package func examine() async -> [Diagnostic] {
    do {
      let token = try await api.tokens.current()
      var findings = [Diagnostic(.good, "\(name): PayPal accepts the credentials")]
      findings.append(contentsOf: Diagnostic.clock(name, of: "PayPal", token.date, now: waiting.now()))
      findings.append(await report(token))
      let now = waiting.now()
      findings.append(await permission(.balances, [("as_of_time", Instant.text(now - configuration.lag))]))
      findings.append(
        await permission(.disputes, [("page_size", "1"), ("update_time_after", Instant.text(now - 86_400))]))
      return findings
    } catch {
      return [Diagnostic(.bad, error.sentence)]
    }
  }

  /// Whether Transaction Search is enabled, and how old PayPal's report is.
  private func report(_ token: PayPalTokens.Token) async -> Diagnostic {
    if !token.scopes.isEmpty && !token.scopes.contains(where: { $0.hasSuffix("/reporting/search/read") }) {
      let failure = ProviderFailure.featureOff(
        "\(name) reporting", .reporting, "the token lacks the scope reporting/search/read")
      return Diagnostic(.bad, failure.sentence)
    }
    let now = waiting.now()
    let piece = PayPalPiece(from: now - configuration.lag - 86_400, to: now - configuration.lag)
    do {
      let query = PayPalSession.query(piece, .reporting, 1) + [("page", "1")]
      let response = try await api.get(PayPalStream.reporting.path, query, for: .reporting)
      let page = try PayPalPage(response) { _ in PayPalRecord(key: "", line: []) }
      guard let refreshed = page.refreshedAt, now - refreshed > configuration.lag else {
        return Diagnostic(.good, "\(name): reporting can be read")
      }
      return Diagnostic(
        .warning,
        "\(name): PayPal's report ends \(now - refreshed) s ago, at \(Instant.text(refreshed)), later than its `lag`; "
          + "what is younger is pending"
      )
    } catch {
      let failure = ProviderFailure(error, asking: "\(name) reporting")
      return Diagnostic(failure.kind == .notServed ? .warning : .bad, failure.sentence)
    }
  }

  private func permission(_ stream: PayPalStream, _ query: [(String, String)]) async -> Diagnostic {
    do {
      _ = try await api.get(stream.path, query, for: stream)
      return Diagnostic(.good, "\(name): \(stream.rawValue) can be read")
    } catch {
      return Diagnostic(.bad, error.sentence)
    }
  }
}
