/// What Afterpay shows of an account at the end of a night, and what `crossfoot.yml` says of it.
extension AfterpayStories {
  static let secret = "market-afterpay-secret"

  private var folder: String { "\(account.name)-settlements" }

  func show() -> AccountState {
    let rendering = AfterpayRendering(currency: ledger.currency, night: night)
    let payments = ledger.payments.filter { $0.night <= night }.sorted {
      $0.at != $1.at ? $0.at > $1.at : $0.id > $1.id
    }
    let disputes = ledger.disputes.filter { $0.night <= night }.sorted { $0.at > $1.at }
    let site = AfterpaySite(
      merchantID: account.id, secretKey: Self.secret, payments: payments.map(rendering.payment),
      disputes: disputes.map { ($0.id, $0.status, rendering.dispute($0)) }, currency: ledger.currency)
    // What was sold before the range was settled before it, in files that nobody keeps.
    let rows = ledger.settled.filter { $0.date >= plan.startsAt }
    let files = AfterpaySettlements(currency: ledger.currency, rows: rows).files(
      until: plan.end(of: night), isSecond: night > 1)
    return AccountState(
      site: site, files: Dictionary(uniqueKeysWithValues: files.map { ("\(folder)/\($0.key)", $0.value) }))
  }

  var settings: AccountSettings {
    let rate = AfterpayRate.basisPoints(ledger.currency)
    return AccountSettings(
      provider: """
          - name: \(account.name)
            kind: afterpay
            merchant_id: "\(account.id)"
            secret_key: \(Self.secret)
            currency: \(ledger.currency.uppercased())
            base_url: {base_url}
            settlement_directory: \(folder)
            settlement_date_format: \(ledger.currency == "aud" ? "dd/MM/yyyy" : "MM/dd/yyyy")
        """,
      rateCards: [
        """
          - provider: \(account.name)
            currency: \(ledger.currency.uppercased())
            percent: \(rate / 100).\(rate % 100)
            fixed: \(Tender.text(AfterpayRate.fixed, ledger.currency))
            from: 2026-01-01
        """
      ])
  }
}
