import JSON
import Payments

/// Something that happened to a payment, as its `events` report it.
struct AfterpayEvent {
  let id: String
  let type: String
  let createdAt: Int64
  /// When an authorisation lapses.
  let expiresAt: Int64?
  let minor: Int64
}

/// An entry of a payment's `refunds`: a refund, or the counterpart of a void.
struct AfterpayRefund {
  let id: String
  let minor: Int64
  let refundedAt: Int64
  /// Unix milliseconds, to match it with the nearest void.
  let refundedAtMillisecond: Int64
}

/// A payment of the API with the totals of its parts (docs/providers/afterpay.md section 3).
struct AfterpayPayment {
  let id: String
  let isDeclined: Bool
  let createdAt: Int64
  let currency: Currency
  let originalMinor: Int64
  let openMinor: Int64
  let events: [AfterpayEvent]
  /// Refunds other than those that a void accounts for.
  let realRefunds: [AfterpayRefund]
  private let state: String

  init(_ record: JSONValue, _ reader: AfterpayReader) throws {
    id = try reader.text(record["id"])
    createdAt = try reader.instant(record["created"])
    state = try reader.optionalText(record["paymentState"]) ?? ""
    isDeclined = record["status"].isString("DECLINED")
    (originalMinor, currency) = try reader.amount(record["originalAmount"])
    openMinor = record["openToCaptureAmount"].isAbsent ? 0 : try reader.amount(record["openToCaptureAmount"]).minor
    let currency = currency
    func minor(_ value: JSONValue) throws -> Int64 {
      let (minor, own) = try reader.amount(value)
      guard own == currency else { throw MoneyError.twoCurrencies(currency.code, own.code) }
      return minor
    }
    var events: [AfterpayEvent] = []
    var voids: [(minor: Int64, atMillisecond: Int64)] = []
    for event in record["events"].elements {
      let type = try event["type"].string()
      let written = try event["created"].string()
      let createdAt = try event["created"].writtenInstant()
      let known = event["amount"].isAbsent || event["amount"]["amount"].isAbsent ? 0 : try minor(event["amount"])
      events.append(
        AfterpayEvent(
          id: try reader.optionalText(event["id"]) ?? "\(type.lowercased())-\(createdAt)", type: type,
          createdAt: createdAt,
          expiresAt: event["expires"].isAbsent ? nil : try reader.instant(event["expires"]), minor: known))
      if type == "VOIDED" || type == "EXPIRED" { voids.append((known, Self.millisecond(written, createdAt))) }
    }
    var refunds: [AfterpayRefund] = []
    for refund in record["refunds"].elements {
      let written = try refund["refundedAt"].string()
      let refundedAt = try refund["refundedAt"].writtenInstant()
      let refundID = try reader.optionalText(refund["refundId"]) ?? reader.optionalText(refund["id"])
      refunds.append(
        AfterpayRefund(
          id: refundID ?? "\(id)-\(refundedAt)", minor: try minor(refund["amount"]), refundedAt: refundedAt,
          refundedAtMillisecond: Self.millisecond(written, refundedAt)))
    }
    self.events = events
    realRefunds = Self.withoutVoids(refunds, voids)
  }

  /// A void is also listed in `refunds`: the entry of the same amount nearest to it, within five seconds, is not a
  /// refund. Each void accounts for one.
  private static func withoutVoids(
    _ refunds: [AfterpayRefund], _ voids: [(minor: Int64, atMillisecond: Int64)]
  ) -> [AfterpayRefund] {
    var rest = refunds
    for void in voids {
      func distance(_ place: Int) -> UInt64 { (rest[place].refundedAtMillisecond &- void.atMillisecond).magnitude }
      let near = rest.indices.filter { rest[$0].minor == void.minor && distance($0) <= 5_000 }
      if let place = near.min(by: { distance($0) < distance($1) }) { rest.remove(at: place) }
    }
    return rest
  }

  /// An instant with the milliseconds of its text.
  private static func millisecond(_ text: String, _ instant: Int64) -> Int64 {
    guard let point = text.firstIndex(of: ".") else { return instant &* 1_000 }
    let figures = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }.prefix(3)
    let padded = figures + String(repeating: "0", count: 3 - figures.count)
    return instant &* 1_000 &+ (Int64(padded) ?? 0)
  }

  private func sum(_ type: String) -> Int64 { events.filter { $0.type == type }.reduce(0) { $0 &+ $1.minor } }

  /// The capture of an immediate payment without an event for it: everything that was not voided.
  var impliedCaptureMinor: Int64? {
    guard state == "CAPTURED", openMinor == 0, !events.contains(where: { $0.type == "CAPTURED" }) else { return nil }
    let minor = originalMinor &- sum("VOIDED")
    return minor > 0 ? minor : nil
  }

  /// Approved, nothing captured, and no event with its time.
  var isAuthorisedWithoutEvent: Bool { events.isEmpty && impliedCaptureMinor == nil && openMinor > 0 }

  /// captured + open + voided where that differs from the original amount; nil where the payment is consistent.
  ///
  /// An expired authorisation releases whatever was left. Refunds beyond the capture have a check of their own.
  var inconsistency: Int64? {
    guard !events.isEmpty else { return nil }
    let explained = (impliedCaptureMinor ?? sum("CAPTURED")) &+ openMinor &+ sum("VOIDED")
    if explained == originalMinor { return nil }
    return events.contains { $0.type == "EXPIRED" } && explained < originalMinor ? nil : explained
  }

  /// When it last changed.
  var changedAt: Int64 { (events.map(\.createdAt) + [createdAt]).max() ?? createdAt }
}
