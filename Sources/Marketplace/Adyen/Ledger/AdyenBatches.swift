/// A settlement batch: its rows, those of the account among them, come to zero.
struct AdyenBatch {
  let number: Int
  let closesAt: Int64
  let rows: [AdyenRow]
  /// The text of its last row: what the bank statement will show; nil without a payout.
  let payoutReference: String?
}

/// How the batches of an account are made: one a day, closed in the night, paid out on working days.
///
/// Fees, deposits, carried balances and the payout are rows of their own; a fault is an amount that is put in here.
struct AdyenBatches {
  let account: AdyenAccount
  /// The range's first instant.
  let startsAt: Int64
  /// What is wrong with a batch, by its number.
  var faults: [Int: AdyenBatchFault] = [:]

  /// When the batch of that place, from 0, is closed: ten past one at night, UTC.
  func closesAt(_ place: Int) -> Int64 {
    startsAt + Int64(place + 1) * Season.day + 4_200
  }

  /// The place of the batch that a row is booked in. Captures wait a day for their money, everything else is booked at
  /// once.
  func place(of row: AdyenRow) -> Int {
    let ready = row.createdAt + (row.type.hasPrefix("Settled") ? Season.day : 0)
    return max(0, Int((ready - startsAt - 4_200 + Season.day - 1) / Season.day) - 1)
  }

  /// Every batch that was closed before an instant.
  func closed(before instant: Int64, _ rows: [AdyenRow]) -> [AdyenBatch] {
    let booked = Dictionary(grouping: rows, by: place(of:))
    var batches: [AdyenBatch] = []
    var carried: Int64 = account.isReordered ? 0 : 12_345
    var paid: AdyenBatch?
    for place in 0..<max(0, Int((instant - closesAt(0) + Season.day - 1) / Season.day)) {
      let batch = batch(place, booked[place] ?? [], carried: &carried, bounced: paid)
      batches.append(batch)
      if batch.payoutReference != nil { paid = batch }
    }
    return batches
  }

  private func batch(_ place: Int, _ booked: [AdyenRow], carried: inout Int64, bounced: AdyenBatch?) -> AdyenBatch {
    let (number, closesAt) = (account.firstBatch + place, closesAt(place))
    let fault = faults[number]
    var rows = booked.sorted {
      $0.createdAt != $1.createdAt ? $0.createdAt < $1.createdAt : $0.modification < $1.modification
    }
    func add(_ type: String, _ text: String, _ net: Int64, _ reference: String = "") {
      guard net != 0 else { return }
      let row = AdyenRow(type, at: closesAt - 300, payment: nil, modification: text, net: net)
      row.modificationReference = reference
      rows.append(row)
    }
    let opening = carried + (fault == .carryBroken ? 100 : 0)
    add("Balancetransfer", "Balancetransfer", opening, "Balancetransfer from batch \(number - 1)")
    if case .payoutBounced = fault {
      add("BankInstructionReturned", bounced?.payoutReference ?? "", -(bounced?.paid ?? 0))
    }
    if case .unknownRow(let type, let amount) = fault { add(type, "Something new", amount) }
    accountRows(place, sum: rows.reduce(0) { $0 + $1.net }).forEach { add($0.type, $0.text, $0.net) }
    // A batch is never empty: on a quiet day a fee alone is in it.
    if rows.isEmpty { add("Fee", "Transaction Fees", -11) }
    let sum = rows.reduce(0) { $0 + $1.net }
    guard sum > 0, !isWeekend(closesAt) else {
      carried = sum
      add(
        account.isReordered ? "BalanceTransfer" : "Balancetransfer", "Balancetransfer", -sum,
        "Balancetransfer to batch \(number + 1)")
      return AdyenBatch(number: number, closesAt: closesAt, rows: rows, payoutReference: nil)
    }
    carried = 0
    let text = "TX\(6_350_000_000 + number * 97)XT batch \(number), \(account.name)"
    add("MerchantPayout", text, -(sum + (fault == .payoutOff ? -1 : 0)))
    return AdyenBatch(number: number, closesAt: closesAt, rows: rows, payoutReference: text)
  }

  /// Rows of no payment: monthly fees, an invoice in two parts, a deposit that leaves nothing to pay out, a reserve.
  private func accountRows(_ place: Int, sum: Int64) -> [(type: String, text: String, net: Int64)] {
    switch place {
    case 1: [("Fee", "Transaction Fees February      2026", -110 - sum.magnitudeShare)]
    case 2:
      [
        ("InvoiceDeduction", "Invoice NL202602000123 Discounts and additional costs (1/2)", -350),
        ("InvoiceDeduction", "Invoice NL202602000123 Discounts and additional costs (2/2)", 125),
      ]
    case 3: account.isReordered ? [("DepositCorrection", "Deposit Correction", -abs(sum) - 12_345)] : []
    case 4: [("ReserveAdjustment", "Reserve Adjustment", 1_000), ("DepositCorrection", "DepositCorrection", -4_000)]
    default: []
    }
  }

  private func isWeekend(_ instant: Int64) -> Bool {
    let weekday = (instant / Season.day + 4) % 7
    return weekday == 0 || weekday == 6
  }
}

/// What can be wrong with a batch as a whole.
enum AdyenBatchFault: Equatable {
  /// The payout is a cent short.
  case payoutOff
  /// It opens with another balance than the one before it handed on.
  case carryBroken
  /// The bank sent the payout before back.
  case payoutBounced
  /// A row of a type that nobody knows.
  case unknownRow(String, Int64)
}

extension AdyenBatch {
  /// What it pays out, signed as its row: negative.
  var paid: Int64 { rows.last { $0.type == "MerchantPayout" }?.net ?? 0 }
}

extension Int64 {
  /// A thousandth of the magnitude.
  fileprivate var magnitudeShare: Int64 { Int64(magnitude) / 1_000 }
}
