/// Ordinary traffic, and what the client shows at the end of a night.
extension CashAppStories {
  func ordinarySale() {
    let season: Season = night > 1 ? .onNight(night) : .beforeEnd(2_400...plan.days * 86_400 - 1_800)
    let sale = sell(terms(season))
    guard dice.chance(12), sale.payment.at < plan.endsAt - 3 * Season.day else { return }
    refund(sale, part(sale, 20...100), at: sale.payment.at + dice.number(3_600...60_000))
  }

  func settle(_ quotas: [FaultType: Int]) {
    guard night == 1 else { return }
    let free = dice.shuffled(batches.closed(before: plan.endsAt, ledger.rows).dropFirst().map(\.id))
    for (turn, id) in free.prefix(quotas[.batchOutOfBalance, default: 0]).enumerated() {
      misstatements[id] = turn == 0 ? .activity : .opening
      plant(.batchOutOfBalance, [], records: [id], "a balance summary that its batch does not bear out")
    }
  }

  /// Every file so far. On the second night the newest batch of the first is delivered again, split differently and
  /// under another name.
  func show() -> AccountState {
    var files = CashAppFiles(clientID: account.id, night: night)
    files.misstatements = misstatements
    var shown: [String: String] = [:]
    let first = CashAppFiles(clientID: account.id, night: 1, misstatements: misstatements)
    for batch in batches.closed(before: plan.end(of: night), ledger.rows) {
      let told = ledger.disputes.filter { batches.cutOff(after: $0.changedAt) == batch.closesAt }
      shown.merge(first.files(batch)) { $1 }
      shown.merge(files.disputes(told, of: batch)) { $1 }
      guard night > 1, batch.closesAt < plan.endsAt else { continue }
      shown.merge(files.files(batch, madeAgainAt: plan.endsAt + Season.hour)) { $1 }
    }
    return AccountState(
      files: Dictionary(uniqueKeysWithValues: shown.map { ("\(account.name)-settlements/\($0.key)", $0.value) }))
  }

  var settings: AccountSettings {
    let provider = """
        - name: \(account.name)
          kind: cash_app
          client_id: \(account.id)
          settlement_directory: \(account.name)-settlements
      """
    let card = """
        - provider: \(account.name)
          currency: USD
          method: cash_app
          percent: \(CashAppLedger.basisPoints / 100).\(CashAppLedger.basisPoints % 100 / 10)
          fixed: \(Tender.text(CashAppLedger.fixed, "usd"))
          from: 2026-01-01
      """
    return AccountSettings(provider: provider, rateCards: [card])
  }
}
