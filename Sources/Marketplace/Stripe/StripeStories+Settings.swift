extension StripeStories {
  var settings: AccountSettings {
    let cards = FeeRate.cards.map {
      """
        - provider: \(account.name)
          currency: \($0.currency.uppercased())
          method: card
          percent: \($0.basisPoints / 100).\($0.basisPoints % 100 / 10)
          fixed: \(Tender.text($0.fixed, $0.currency))
          from: 2026-01-01
      """
    }
    let provider = """
        - name: \(account.name)
          kind: stripe
          api_key: {key}
          base_url: {base_url}
          order_reference: [metadata.order_id, payment_intent]
      """
    return AccountSettings(provider: provider, rateCards: cards)
  }
}
