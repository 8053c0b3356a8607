import Files

/// What is read of a balance platform's reports (docs/providers/adyen.md sections 1.4 and 2.7); everything else,
/// including names and bank accounts of sellers, is not landed.
///
/// Reports spell their columns differently (`BalancePlatform`, `Balance Platform`; `Booking Date`, `Booking date`):
/// names are compared without case and spaces.
enum AdyenPlatformColumns {
  /// The accounting report: every booking on every balance account.
  static let accounting: [Column] =
    shared + [
      .optional("payment_currency"), .optional("amount"), .optional("original_currency"), .optional("original_amount"),
      .optional("psp_modification_psp_reference"), .optional("platform_payment_interchange"),
      .optional("platform_payment_scheme_fee"),
      .optional("platform_payment_markup"), .optional("platform_payment_commission"),
      .optional("platform_payment_cost_currency"),
    ]

  /// The payout report: what each payout of a balance account pays.
  static let payouts: [Column] = shared + [.required("rolling_balance"), .optional("payout_date")]

  private static let shared: [Column] = [
    .required("balance_platform"), .required("balance_account", or: "balance_account_id"), .required("transfer_id"),
    .required("transaction_id"), .optional("category"), .required("status"), .required("type"),
    .required("booking_date"),
    .required("currency"), .required("balance_pc"), .optional("booking_date_time_zone"), .optional("value_date"),
    .optional("value_date_time_zone"), .optional("reference"), .optional("description"),
    .optional("counterparty_balance_account_id"),
    .optional("psp_payment_merchant_reference"), .optional("psp_payment_psp_reference"),
  ]
}
