import Files

/// The columns of a settlement detail report that are read, and so the only ones that are landed (providers/adyen.md section 2.1).
///
/// Shopper, card and terminal columns, and the metadata a merchant adds, are left out: no report needs them, and they can name a person.
enum AdyenColumns {
  static let settlement: [Column] = [
    .required("merchant_account"), .required("psp_reference"), .required("merchant_reference"), .required("creation_date"),
    .required("type"), .required("modification_reference"), .required("gross_currency"), .required("gross_debit_gc"),
    .required("gross_credit_gc"), .required("exchange_rate"), .required("net_currency"), .required("net_debit_nc"),
    .required("net_credit_nc"), .required("commission_nc"), .required("markup_nc"), .required("scheme_fees_nc"),
    .required("interchange_nc"), .required("batch_number"),
    .optional("payment_method"), .optional("time_zone"), .optional("modification_merchant_reference"),
    .optional("booking_date"), .optional("booking_date_time_zone"), .optional("merchant_order_reference"),
  ]
}

extension AdyenColumns {
  static let account = place("merchant_account")
  /// What a spreadsheet turns into powers of ten.
  static let references = [place("psp_reference"), place("modification_reference"), place("merchant_reference")]
  /// Local times, and where their zones stand.
  static let moments = [
    (place("creation_date"), place("time_zone")), (place("booking_date"), place("booking_date_time_zone")),
  ]

  private static func place(_ key: String) -> Int { settlement.firstIndex { $0.key == key } ?? 0 }
}
