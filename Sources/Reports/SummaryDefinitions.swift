extension SummarySheet {
  /// What the columns of the first sheet say, one sentence each, for the sheet of definitions.
  static let definitions: [(heading: String, meaning: String)] = [
    (
      "Verdict",
      "clean: everything was read and nothing is open; discrepancies: something is; incomplete: something could not be read in full."
    ),
    (
      "Control",
      "ties out where the entries change the balance by what the provider's own rows say; on top for every line at once."
    ),
    ("Captured", "What customers paid in the range, less payments that failed afterwards."),
    ("Refunded", "What went back to customers in the range, less refunds that failed."),
    ("Disputed", "What disputes took in the range, less what they gave back."),
    ("Provider fees", "What the provider charged in the range, less what it gave back."),
    ("Transferred", "What went to connected accounts in the range, less what came back."),
    ("Commission", "Application fees collected in the range, less those returned."),
    ("Kept", "What is left of all this with the platform."),
    ("Paid out", "What went to the bank in the range, less what came back or was paid in."),
    ("Exchange", "What exchanging balances took from the balance, or added to it."),
    ("Reserves", "What the provider released from reserves, less what it put into them."),
    ("Adjustments", "Corrections of the balance by the provider that are no fees."),
    ("Unclassified", "Rows of the provider for which there is no posting rule yet."),
    (
      "Balance change",
      "Kept less paid out, plus exchange, reserves, adjustments and unclassified rows: what the entries change the balance by."
    ),
    ("Provider's rows", "What the provider's own rows of the range add up to, on a path that passes no posting rule."),
    ("Open", "Discrepancies that hold at the range's end: new ones, and those that held before it."),
    ("Decided", "Discrepancies that were acknowledged or written off."),
    ("Resolved", "Discrepancies that held at the range's start and are gone at its end."),
    ("Tender", "What the orders were to pay through the provider, up to the range's end."),
    ("Explained", "The sum of what the open discrepancies of the tie-out differ by."),
    ("Pending", "What is not due yet, or cannot be known yet."),
    ("In tolerance", "Differences that the configured tolerance lets pass."),
    ("Residual", "What none of these explains; anything but zero is critical."),
  ]
}
