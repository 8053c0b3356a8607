/// What PayPal shows of an account at the end of a night, and its entry in `crossfoot.yml`.
extension PayPalStories {
  static let secret = "market-paypal-secret"

  func show() -> AccountState {
    let refreshed = plan.end(of: night) + 2_400
    let rendering = PayPalRendering(account: account.id)
    let rows = ledger.rows.filter { $0.night <= night && $0.at <= refreshed }.sorted {
      $0.at != $1.at ? $0.at < $1.at : $0.id < $1.id
    }
    let disputes = ledger.disputes.filter { $0.night <= night }.sorted {
      $0.at != $1.at ? $0.at > $1.at : $0.id > $1.id
    }
    var objects = objects(rendering)
    for dispute in disputes {
      objects["/v1/customer/disputes/\(dispute.id)"] = rendering.dispute(dispute, isWhole: true)
    }
    let site = PayPalSite(
      account: account.id, clientID: "market-\(account.name)", clientSecret: Self.secret, refreshedAt: refreshed,
      rows: rows.map {
        PayPalSite.Row(
          at: $0.at, currency: $0.currency, effect: $0.effect, isAffecting: $0.isAffecting, isHold: $0.isHold,
          json: rendering.row($0))
      },
      disputes: disputes.map {
        PayPalSite.Dispute(
          at: $0.at, updatedAt: $0.updatedAt, state: $0.state, summary: rendering.dispute($0, isWhole: false))
      },
      objects: objects, misstatements: night > 1 && misstatement != 0 ? ["usd": misstatement] : [:])
    return AccountState(site: site)
  }

  private func objects(_ rendering: PayPalRendering) -> [String: String] {
    var objects: [String: String] = [:]
    let captures = ledger.captures.filter { $0.night <= night }
    let authorisations = ledger.authorisations.filter { $0.row.night <= night }
    let refunds = ledger.refunds.filter { $0.row.night <= night }
    for capture in captures { objects["/v2/payments/captures/\(capture.id)"] = rendering.capture(capture) }
    for made in authorisations { objects["/v2/payments/authorizations/\(made.id)"] = rendering.authorisation(made) }
    for refund in refunds { objects["/v2/payments/refunds/\(refund.id)"] = rendering.refund(refund) }
    let captured = Dictionary(grouping: captures, by: \.order)
    let authorised = Dictionary(grouping: authorisations, by: \.order)
    let refunded = Dictionary(grouping: refunds, by: \.capture.order)
    for order in Set(captured.keys).union(authorised.keys) {
      objects["/v2/checkout/orders/\(order)"] = rendering.order(
        order, captures: captured[order] ?? [], authorisations: authorised[order] ?? [], refunds: refunded[order] ?? [])
    }
    return objects
  }

  var settings: AccountSettings {
    let cards = PayPalRate.cards.map {
      """
        - provider: \(account.name)
          currency: \($0.currency.uppercased())
          percent: \($0.basisPoints / 100).\($0.basisPoints % 100 / 10)
          fixed: \(Tender.text($0.fixed, $0.currency))
          from: 2026-01-01
      """
    }
    let provider = """
        - name: \(account.name)
          kind: paypal
          client_id: market-\(account.name)
          client_secret: \(Self.secret)
          base_url: {base_url}
          order_reference: [custom_id, invoice_id, order]
      """
    return AccountSettings(provider: provider, rateCards: cards)
  }
}
