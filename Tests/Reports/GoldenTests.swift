import Foundation
import Testing
import TestSupport

@testable import Reports

/// The reports of a small night, byte for byte, on every engine.
@Suite struct GoldenTests {
  static let reports = [
    "fund_flows", "fee_breakdown", "order_matches", "discrepancies", "connected_accounts", "payouts", "entries",
    "quarantine",
  ]

  /// With CROSSFOOT_RECORD=1 the files are written anew, and the test fails once.
  @Test(arguments: TestStore.all)
  func `the night gives these files to the byte`(engine: TestStore) throws {
    try Night.store(engine) { database in
      try Night.folder { folder in
        try Night.write(database, into: folder)
        for report in Self.reports {
          let golden = "\(Night.fixtures)/\(report).csv"
          let found = try Night.text("\(folder)/\(report).csv")
          if ProcessInfo.processInfo.environment["CROSSFOOT_RECORD"] == "1" {
            try found.write(toFile: golden, atomically: true, encoding: .utf8)
            Issue.record("\(report).csv was recorded anew")
          }
          try #expect(found == Night.text(golden), "\(report).csv")
        }
      }
    }
  }

  @Test(arguments: TestStore.all)
  func `every query runs and yields the columns of its layout`(engine: TestStore) throws {
    try Night.store(engine) { database in try Night.run().catalogue.examine(in: database, range: Night.range) }
  }

  @Test func `the columns are those of the contract`() throws {
    let contract = [
      "fund_flows": """
      provider, account, payment_id, order_id, charge_type, connected_account, captured_at, status, \
      presentment_currency, presentment_amount, currency, gross, refunded, disputed, transferred, transfer_reversed, \
      application_fee, application_fee_refunded, provider_fee, platform_net, connected_net, customer_net, \
      provider_net, other_net
      """,
      "fee_breakdown":
        "provider, account, payment_id, order_id, record_id, fee_type, description, currency, amount, booked_at",
      "order_matches": """
      order_id, order_status, currency, order_total, provider, account, payment_id, match_status, rule, captured, \
      refunded, \
      order_refunded, difference, tender, group_id
      """,
      "discrepancies": """
      discrepancy_id, type, severity, state, provider, account, order_id, payment_id, record_id, currency, expected, \
      actual, difference, first_seen, last_seen, age_days, owner, explanation, suggested_action, decision, note
      """,
      "connected_accounts": """
      provider, connected_account, currency, payments, gross, refunded, transferred, transfer_reversed, \
      application_fee, application_fee_refunded, connected_net, open_disputes, open_discrepancies
      """,
      "payouts": """
      provider, account, payout_id, currency, amount, created_at, arrival_on, status, entries, entries_total, \
      difference, bank_reference
      """,
      "entries": """
      entry_id, provider, account, payment_id, order_id, kind, from_party, to_party, currency, amount, \
      presentment_currency, presentment_amount, exchange_rate, booked_at, available_at, payout_id, record_id
      """,
      "quarantine": "source, location, record_id, reason",
      "roll_forward": """
      scope, provider, account, connected_account, currency, opening, captured, refunded, disputed, provider_fees, \
      transferred, transfer_reversed, application_fees, exchange, reserves, adjustments, paid_out, other, closing, \
      stated_opening, stated_closing, difference
      """,
      "closing_items": """
      scope, provider, account, connected_account, currency, kind, payment_id, order_id, record_id, amount, \
      since, age_days
      """,
      "prior_period_adjustments": """
      period, learned_at, provider, account, connected_account, currency, payment_id, order_id, record_id, reason, \
      figure, before, after, change
      """,
    ]
    let reports = try ReportCatalogue(folders: [Night.reports]).reports.filter { $0.destination != .sheet }
    #expect(Set(reports.map(\.name)) == Set(contract.keys))
    for report in reports {
      // Further columns may be behind those of the contract.
      let columns = report.columns.filter(\.destination.includesCSV).map(\.name).joined(separator: ", ") + ", "
      #expect(columns.hasPrefix((contract[report.name] ?? "?") + ", "), "\(report.name)")
    }
  }
}
