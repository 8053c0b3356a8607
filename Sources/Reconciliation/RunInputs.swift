import Payments
import Reports
import Settings
import Storage

/// Fills the tables that give the SQL its inputs: snapshots, days, policy, tolerance, rate cards.
struct RunInputs {
  let database: any Database
  let settings: Settings
  let range: ReportRange
  let calendar: BusinessCalendar
  /// The providers whose captures are known from settlement files alone.
  let settledLater: Set<String>
  /// By provider and currency, the amount steps that are larger than one minor unit.
  let amountSteps: [String: [String: Int64]]

  func store() throws {
    try storeMoments()
    try storeDays()
    try storePolicy()
    try storeTolerance()
    try storeAmountSteps()
    try storeRateCards()
  }

  private func storeMoments() throws {
    try database.empty("moment")
    for (moment, instant) in [range.startsAt, range.endsAt].enumerated() {
      try database.execute(
        "insert into moment (moment, instant) values ($1, $2)", [.integer(Int64(moment)), .integer(instant)])
    }
  }

  private func storeDays() throws {
    try database.empty("business_day")
    var day = range.firstDay
    var ordinal: Int64 = 0
    while day <= range.lastDay {
      let bounds = calendar.bounds(of: day)
      try database.execute(
        "insert into business_day (day, ordinal, starts_at, ends_at) values ($1, $2, $3, $4)",
        [.text(day.description), .integer(ordinal), .integer(bounds.startsAt), .integer(bounds.endsAt)])
      day = day.advanced(by: 1)
      ordinal += 1
    }
  }

  private func storePolicy() throws {
    try database.empty("policy")
    for entry in settings.providers {
      let policy = entry.policy
      try database.execute(
        """
        insert into policy (provider, refund_reverses_transfer, refund_returns_application_fee, capture_within,
          expiry_warning,
          order_paid_within, settle_within, approval_within, duplicate_refund_within, proportional_minor,
            provider_fee_minor,
          capture_known_within, report_due_within)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """,
        [
          .text(entry.name), .integer(policy.refundReversesTransfer ? 1 : 0),
          .integer(policy.refundReturnsApplicationFee ? 1 : 0),
          .integer(policy.captureWithin), .integer(policy.expiryWarning), .integer(policy.orderPaidWithin),
          .integer(policy.settleWithin),
          .integer(policy.approvalWithin), .integer(policy.duplicateRefundWithin),
          .integer(settings.tolerance.proportional),
          .integer(settings.tolerance.providerFee),
          .integer(policy.orderPaidWithin + (settledLater.contains(entry.name) ? policy.settleWithin : 0)),
          .integer(policy.reportDueWithin),
        ])
    }
  }

  private func storeTolerance() throws {
    try database.empty("tolerance")
    for currency in Currency.all {
      try database.execute(
        "insert into tolerance (currency, amount_minor) values ($1, $2)",
        [.text(currency.code), .integer(settings.tolerance.amount(in: currency.code))])
    }
  }

  private func storeAmountSteps() throws {
    try database.empty("amount_step")
    for (provider, steps) in amountSteps.sorted(by: { $0.key < $1.key }) {
      for (currency, step) in steps.sorted(by: { $0.key < $1.key }) {
        try database.execute(
          "insert into amount_step (provider, currency, step_minor) values ($1, $2, $3)",
          [.text(provider), .text(currency), .integer(step)])
      }
    }
  }

  /// Each card applies from its day until the next one of the same provider, currency and method begins.
  private func storeRateCards() throws {
    try database.empty("rate_card")
    let groups = Dictionary(grouping: settings.rateCards) { [$0.provider, $0.currency, $0.method ?? ""] }
    for (key, cards) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let starts = cards.map { card in
        card.from.flatMap { BusinessDay($0) }.map { calendar.bounds(of: $0).startsAt } ?? 0
      }
      for (card, start) in zip(cards, starts) {
        let percent = try ExactDecimal(card.percent)
        let fixed = try Money.parse(card.fixed, Currency(code: card.currency))
        try database.execute(
          """
          insert into rate_card (provider, currency, method, from_at, until_at, percent_part, percent_whole,
            fixed_minor)
          values ($1, $2, $3, $4, $5, $6, $7, $8)
          """,
          [
            .text(key[0]), .text(key[1]), .text(key[2]), .integer(start),
            .integer(starts.filter { $0 > start }.min() ?? .max),
            .integer(percent.unscaled), .integer(try percent.whole(extraDigits: 2)), .integer(fixed.amountMinor),
          ])
      }
    }
  }
}
