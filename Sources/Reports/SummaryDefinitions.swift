extension SummarySheet {
  /// The meaning of the columns of the first sheet, one sentence each, for the sheet of definitions.
  static let definitions: [(heading: String, meaning: String)] = [
    (
      "Verdict",
      "clean: all sources were read and nothing is open; discrepancies: at least one is open; incomplete: a source "
        + "could not be read in full."
    ),
    (
      "Control",
      "ties out where the entries change the balance by what the provider's own rows say; on top for every line at "
        + "once."
    ),
    ("Captured", "What customers paid in the range, less payments that failed afterwards."),
    ("Refunded", "Refunds to customers in the range, less refunds that failed."),
    ("Disputed", "Disputed amounts withdrawn in the range, less amounts returned."),
    ("Provider fees", "What went to the provider in the range: its fees and its rounding, less fees returned."),
    ("Transferred", "Transfers to connected accounts in the range, less reversals."),
    ("Commission", "Application fees collected in the range, less those returned."),
    ("Kept", "The sum of these: what remains with the platform."),
    ("Paid out", "Payouts in the range, less payouts returned and deposits from the bank."),
    ("Exchange", "The change of the balance by currency exchange."),
    ("Reserves", "Amounts released from reserves, less amounts put into them."),
    ("Adjustments", "Corrections of the balance by the provider, and fees that sellers bear."),
    ("Unclassified", "Rows of types without a posting rule, and fees for partners."),
    (
      "Balance change",
      "Kept less paid out, plus exchange, reserves, adjustments and unclassified rows: the change of the balance by "
        + "the entries."
    ),
    ("Provider's rows", "The sum of the provider's own rows of the range, computed without posting rules."),
    ("Open", "Discrepancies that are open at the range's end: new ones, and those carried forward."),
    ("Decided", "Discrepancies that were acknowledged or written off."),
    ("Resolved", "Discrepancies that were open at the range's start and are not at its end."),
    ("Tender", "The amounts that orders were due to pay through the provider, up to the range's end."),
    ("Explained", "The differences of the tie-out's open discrepancies, summed."),
    ("Pending", "Amounts that are not due yet, or cannot be determined yet."),
    ("In tolerance", "Differences within the configured tolerance."),
    ("Residual", "The unexplained remainder; anything but zero is critical."),
  ]
}
