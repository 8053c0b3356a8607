import Payments

/// A change to a closed period, as booked in the open period.
package struct JournalAdjustment: Sendable {
  package var period: String
  package var provider: String
  /// The platform's account; empty where it is a connected account's balance.
  package var account: String
  package var connectedAccount: String
  package var currency: String
  /// A column of roll_forward.csv.
  package var figure: String
  package var changeMinor: Int64
  package var recordID: String
  package var paymentID: String
  package var orderIDs: String

  package init(
    period: String, provider: String, account: String, connectedAccount: String, currency: String, figure: String,
    changeMinor: Int64, recordID: String, paymentID: String, orderIDs: String
  ) {
    (self.period, self.provider, self.account, self.currency) = (period, provider, account, currency)
    (self.connectedAccount, self.figure, self.changeMinor) = (connectedAccount, figure, changeMinor)
    (self.recordID, self.paymentID, self.orderIDs) = (recordID, paymentID, orderIDs)
  }

  /// The party whose balance it changes.
  var party: String { connectedAccount.isEmpty ? "platform" : "connected:\(connectedAccount)" }

  /// Its movement, dated the first open day: against customer, provider or bank where the figure identifies the owner
  /// of the money, otherwise against an account of its own, which the other side of a transfer clears.
  func entry(day: String, _ accounts: JournalAccounts) throws(MoneyError) -> JournalEntry {
    let own = accounts.account(party: party, provider: provider, account: account, currency: currency)
    let against =
      switch (connectedAccount.isEmpty, figure) {
      case (true, "captured"), (true, "refunded"), (true, "disputed"):
        accounts.account(party: "customer", provider: provider, account: account, currency: currency)
      case (true, "provider_fees"):
        accounts.account(party: "provider", provider: provider, account: account, currency: currency)
      case (true, "paid_out"):
        accounts.account(party: "bank", provider: provider, account: account, currency: currency)
      default: accounts.priorPeriod(currency: currency)
      }
    let isGain = changeMinor >= 0
    let money = Money(amountMinor: isGain ? changeMinor : 0 &- changeMinor, currency: try Currency(code: currency))
    return JournalEntry(
      day: day, from: isGain ? against : own, to: isGain ? own : against, money: money,
      kind: "adjustment of \(period) (\(figure))", entryID: "", paymentID: paymentID, orderIDs: orderIDs,
      recordID: recordID, payoutID: "", period: period)
  }
}
