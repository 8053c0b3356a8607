import Files

/// The columns of a settlement detail report that are read, and so the only ones that are landed
/// (docs/providers/adyen.md section 2.1).
///
/// Shopper, card and terminal columns, and the metadata a merchant adds, are left out: no report needs them, and they
/// can name a person.
enum AdyenColumns {
  /// Their names in landed lines and in Adyen's reports; a file without a required one is refused.
  private static let all: [(key: String, name: String, isRequired: Bool)] = [
    ("merchant_account", "Merchant Account", true), ("psp_reference", "Psp Reference", true),
    ("merchant_reference", "Merchant Reference", true), ("creation_date", "Creation Date", true),
    ("type", "Type", true),
    ("modification_reference", "Modification Reference", true), ("gross_currency", "Gross Currency", true),
    ("gross_debit_gc", "Gross Debit (GC)", true), ("gross_credit_gc", "Gross Credit (GC)", true),
    ("exchange_rate", "Exchange Rate", true), ("net_currency", "Net Currency", true),
    ("net_debit_nc", "Net Debit (NC)", true),
    ("net_credit_nc", "Net Credit (NC)", true), ("commission_nc", "Commission (NC)", true),
    ("markup_nc", "Markup (NC)", true),
    ("scheme_fees_nc", "Scheme Fees (NC)", true), ("interchange_nc", "Interchange (NC)", true),
    ("batch_number", "Batch Number", true), ("payment_method", "Payment Method", false),
    ("time_zone", "TimeZone", false),
    ("modification_merchant_reference", "Modification Merchant Reference", false),
    ("booking_date", "Booking Date", false),
    ("booking_date_time_zone", "Booking Date TimeZone", false),
    ("merchant_order_reference", "Merchant Order Reference", false),
  ]

  static let settlement: [Column] = all.map { $0.isRequired ? .required($0.name) : .optional($0.name) }
  /// The names of the columns in a landed line, in the same order.
  static let keys = all.map(\.key)

  /// Whether a first row that is incomplete was meant to be that of a settlement report: no other report has a batch
  /// and net amounts.
  static func looksLikeSettlement(_ heading: FileHeading) -> Bool {
    heading.has([.required("Batch Number")])
      && (heading.has([.required("Net Debit (NC)")]) || heading.has([.required("Net Credit (NC)")]))
  }

  static let account = place("merchant_account")
  /// Values that a spreadsheet would turn into powers of ten.
  static let references = [place("psp_reference"), place("modification_reference"), place("merchant_reference")]
  /// Local times, and the columns of their zones.
  static let moments = [
    (place("creation_date"), place("time_zone")), (place("booking_date"), place("booking_date_time_zone")),
  ]

  static let batch = place("batch_number")

  private static func place(_ key: String) -> Int { keys.firstIndex(of: key) ?? 0 }
}
