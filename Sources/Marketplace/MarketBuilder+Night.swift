/// What the endpoint and the order system show at the end of a night.
extension MarketBuilder {
  /// Everything that is new or different since the night before.
  func night(after before: Market.Night?) -> Market.Night {
    let known = Dictionary(uniqueKeysWithValues: (before?.objects ?? []).map { ($0.id, $0.json) })
    let rendering = Rendering(moment: plan.end(of: night) + Season.hour)
    let objects = ledger.served(rendering).filter { known[$0.id] != $0.json }
    let sorted = objects.sorted { $0.created != $1.created ? $0.created < $1.created : $0.id < $1.id }
    let payouts = Dictionary(uniqueKeysWithValues: ledger.payouts.filter { $0.night == night }.map { ($0.id, $0.lines) })
    return Market.Night(objects: sorted, payouts: payouts, orders: ordersText, orderRefunds: orderRefundsText)
  }

  /// `orders.csv` as the order system writes it tonight (contracts.md section 3), with a column that nobody asked for.
  private var ordersText: String {
    var text =
      "order_id,placed_at,status,currency,total,provider,tender,seller_account,application_fee,payment_references,channel\n"
    for order in orders.sorted(by: { $0.placedAt != $1.placedAt ? $0.placedAt < $1.placedAt : $0.id < $1.id }) {
      text += [
        order.id, Moment.text(order.placedAt), order.status, order.currency.uppercased(),
        Tender.text(order.total, order.currency),
        order.provider ?? "", order.tender.map { Tender.text($0, order.currency) } ?? "", order.seller ?? "",
        order.fee.map { Tender.text($0, order.currency) } ?? "", order.references.joined(separator: " "), "web",
      ].joined(separator: ",")
      text += "\n"
    }
    return text
  }

  /// `order_refunds.csv`.
  private var orderRefundsText: String {
    var text = "refund_id,order_id,refunded_at,currency,amount,payment_reference\n"
    for refund in orderRefunds where refund.night <= night {
      text += [
        refund.id, refund.orderID, Moment.text(refund.refundedAt), refund.currency.uppercased(),
        Tender.text(refund.amount, refund.currency), refund.reference ?? "",
      ].joined(separator: ",")
      text += "\n"
    }
    return text
  }
}

extension StripeLedger {
  /// Every object that can be seen by now, serialised.
  func served(_ rendering: Rendering) -> [ServedObject] {
    let night = night
    var objects = intents.filter { $0.night <= night }.map(rendering.served)
    objects += charges.filter { $0.night <= night }.map(rendering.served)
    objects += rows.filter { $0.night <= night }.map(rendering.served)
    objects += refunds.filter { $0.night <= night }.map(rendering.served)
    objects += disputes.filter { $0.night <= night }.map(rendering.served)
    objects += payouts.filter { $0.night <= night }.map(rendering.served)
    for transfer in transfers where transfer.night <= night {
      objects.append(rendering.served(transfer))
      objects += transfer.reversals.filter { $0.night <= night }.map(rendering.served(reversal:))
    }
    for fee in fees where fee.night <= night {
      objects.append(rendering.served(fee))
      objects += fee.refunds.filter { $0.night <= night }.map(rendering.served(feeRefund:))
    }
    return objects
  }
}

/// An instant as text, without a calendar of anybody else's.
enum Moment {
  /// RFC 3339 in UTC, e.g. `2026-03-01T00:00:00Z`.
  static func text(_ instant: Int64) -> String {
    let (day, second) = (Int(instant / 86_400), Int(instant % 86_400))
    let (year, month, date) = civil(day)
    return "\(year)-\(two(month))-\(two(date))T\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }

  /// The date alone.
  static func date(_ instant: Int64) -> String {
    String(text(instant).prefix(10))
  }

  /// Days since 1970 as a date of the Gregorian calendar (Howard Hinnant's `civil_from_days`).
  private static func civil(_ day: Int) -> (Int, Int, Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func two(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
