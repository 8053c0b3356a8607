import Testing
import TestSupport

@testable import Providers

@Suite("What a record names is brought in") struct StripeNamedTests {
  private let old = dayEnd - 30 * day

  /// A destination charge of a month ago with everything that belongs to it, on the shelf.
  private func putOldFlow(_ shelf: StripeShelf, refunded: Int = 0, disputed: Bool = false) {
    shelf.put(
      "charges", "ch_old", created: old,
      [
        "amount": "1000", "amount_refunded": "\(refunded)", "disputed": "\(disputed)", "payment_intent": "\"pi_old\"",
        "balance_transaction": "\"txn_ch\"", "transfer": "\"tr_old\"", "application_fee": "\"fee_old\"",
        "transfer_group": "\"group_pi_old\"",
      ], keys: ["transfer_group": "group_pi_old"])
    shelf.put("payment_intents", "pi_old", created: old - 5, ["latest_charge": "\"ch_old\""])
    shelf.row("txn_ch", created: old, source: "ch_old")
    shelf.put(
      "transfers", "tr_old", created: old,
      ["source_transaction": "\"ch_old\"", "balance_transaction": "\"txn_tr\"", "destination_payment": "\"py_theirs\""])
    shelf.row("txn_tr", created: old, type: "transfer", source: "tr_old")
    shelf.put(
      "application_fees", "fee_old", created: old,
      ["originating_transaction": "\"ch_old\"", "charge": "\"py_theirs\"", "balance_transaction": "\"txn_fee\""])
    shelf.row("txn_fee", created: old, type: "application_fee", source: "fee_old")
  }

  @Test("a dispute of last month's charge brings the whole flow, and nothing of the connected side") func dispute()
    async throws
  {
    let night = try await StripeNight()
    putOldFlow(night.shelf, refunded: 400, disputed: true)
    night.shelf.put(
      "refunds", "re_old", created: old + day, ["charge": "\"ch_old\"", "balance_transaction": "\"txn_re\""],
      keys: ["charge": "ch_old"])
    night.shelf.row("txn_re", created: old + day, type: "refund", source: "re_old")
    night.shelf.put("disputes", "dp_1", created: dayEnd - 100, ["charge": "\"ch_old\"", "balance_transactions": "[]"])
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    #expect(try night.ids(.charges) == ["ch_old"])
    #expect(try night.ids(.paymentIntents) == ["pi_old"])
    #expect(try night.ids(.refunds) == ["re_old"])
    #expect(try night.ids(.transfers) == ["tr_old"])
    #expect(try night.ids(.applicationFees) == ["fee_old"])
    #expect(Set(try night.ids(.balanceTransactions)) == ["txn_ch", "txn_tr", "txn_fee", "txn_re"])
    #expect(!night.paths.contains { $0.contains("py_theirs") })
    let byID = night.paths.filter { $0.split(separator: "/").count == 3 }
    #expect(Set(byID).count == byID.count, "nothing is asked for twice: \(byID.sorted())")
  }

  @Test("with connect: false nothing is asked of transfers and fees") func withoutConnect() async throws {
    let night = try await StripeNight({ $0.connect = false }) { _, _ in nil }
    putOldFlow(night.shelf)
    night.shelf.put("disputes", "dp_1", created: dayEnd - 100, ["charge": "\"ch_old\""])
    night.shelf.row("txn_new", created: dayEnd - 50, type: "transfer", source: "tr_old")
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    #expect(try night.ids(.charges) == ["ch_old"])
    #expect(!night.paths.contains { $0.contains("transfers") || $0.contains("application_fees") })
    #expect(!outcome.streams.contains { $0.stream == "transfers" || $0.stream == "application_fees" })
  }

  @Test("a new ledger row brings the newest version of its source, known or not; a known one does not") func newRow()
    async throws
  {
    let night = try await StripeNight()
    putOldFlow(night.shelf)
    night.shelf.row("txn_back", created: dayEnd - 50, type: "transfer_refund", source: "tr_old")
    _ = try await night.pull()
    try night.learn()
    _ = try await night.pull(end: dayEnd, now: dayEnd + 1200)
    #expect(night.paths.filter { $0 == "/v1/transfers/tr_old" }.count == 1)
    night.shelf.row("txn_again", created: dayEnd + 50, type: "transfer_refund", source: "tr_old")
    _ = try await night.pull(end: dayEnd + day)
    #expect(night.paths.filter { $0 == "/v1/transfers/tr_old" }.count == 2)
  }

  @Test("records that were left open are read again by id") func open() async throws {
    let night = try await StripeNight()
    night.shelf.put("disputes", "dp_open", created: old)
    night.shelf.put("charges", "ch_held", created: old, ["captured": "false"])
    _ = try await night.pull(open: ["disputes": ["dp_open"], "charges": ["ch_held", "ch_gone"]])
    #expect(try night.ids(.disputes) == ["dp_open"] && night.ids(.charges) == ["ch_held"])
  }

  @Test("a named record that is not there is passed over") func missing() async throws {
    let night = try await StripeNight()
    night.shelf.put("refunds", "pyr_1", created: dayEnd - 9, ["charge": "\"py_theirs\""])
    let outcome = try await night.pull()
    #expect(outcome.incomplete == [])
    #expect(night.log.all.contains { $0.contains("charges py_theirs: there is no such object") })
  }

  @Test("a named record that cannot be read makes its stream incomplete") func unreadable() async throws {
    let night = try await StripeNight { asked, _ in asked.path == "/v1/charges/ch_old" ? .json("{}", status: 500) : nil
    }
    putOldFlow(night.shelf)
    night.shelf.put("disputes", "dp_1", created: dayEnd - 100, ["charge": "\"ch_old\""])
    #expect(try await night.pull().incomplete == ["charges"])
  }

  @Test("many records of one day come by their list") func bulk() async throws {
    let night = try await StripeNight()
    let noon = dayEnd - 3 * day - day / 2
    for number in 0..<250 {
      night.shelf.put(
        "charges", "ch_\(number)", created: noon + Int64(number), ["balance_transaction": "\"txn_\(number)\""])
      night.shelf.row("txn_\(number)", created: noon + Int64(number), source: "ch_\(number)", payout: "po_1")
    }
    night.shelf.put(
      "payouts", "po_1", created: dayEnd - 90, ["automatic": "true", "reconciliation_status": "\"completed\""])
    _ = try await night.pull()
    #expect(Set(try night.ids(.charges)).count == 250)
    #expect(try night.ids(.balanceTransactions).count == 250)
    #expect(!night.paths.contains { $0.hasPrefix("/v1/charges/") })
    #expect(night.server.asked.count < 40, "\(night.server.asked.count) requests")
  }

  @Test("an unlinked transfer brings the charges of its group") func group() async throws {
    let night = try await StripeNight()
    putOldFlow(night.shelf)
    night.shelf.put("transfers", "tr_late", created: dayEnd - 10, ["transfer_group": "\"group_pi_old\""])
    _ = try await night.pull()
    #expect(try night.ids(.charges) == ["ch_old"])
  }
}
