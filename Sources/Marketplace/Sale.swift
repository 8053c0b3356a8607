/// An order of the platform, as the order system knows it. Amounts in minor units, instants Unix seconds UTC.
final class OrderRecord {
  let id: String
  let placedAt: Int64
  var status = "paid"
  var currency: String
  var total: Int64
  var tender: Int64?
  var provider: String?
  var seller: String?
  var fee: Int64?
  var references: [String] = []
  /// False where another order source than the shop's files delivers it.
  var isInShop = true
  /// The night from which the order system delivers it.
  let night: Int

  init(id: String, placedAt: Int64, currency: String, total: Int64, night: Int) {
    self.id = id
    self.placedAt = placedAt
    self.currency = currency
    self.total = total
    self.night = night
  }
}

/// A refund as the order system records it.
struct OrderRefundRecord {
  let id: String
  let orderID: String
  let refundedAt: Int64
  let currency: String
  let amount: Int64
  let reference: String?
  let night: Int
}

/// An order and the payment made for it.
final class Sale {
  let order: OrderRecord
  let payment: PaymentRecord
  let terms: Terms

  init(order: OrderRecord, payment: PaymentRecord, terms: Terms) {
    self.order = order
    self.payment = payment
    self.terms = terms
  }
}

/// How an order and its payment know of each other.
enum Link: CaseIterable {
  case both
  case metadata
  case intent
  case charge

  var isInMetadata: Bool { self == .both || self == .metadata }
}

/// The part of the range in which a story may begin.
enum Season {
  /// Everything that waits for a grace of days falls due inside the range.
  case early
  /// Anywhere that leaves two days for what happens next.
  case middle
  /// Between two offsets in seconds before the range's end.
  case beforeEnd(ClosedRange<Int64>)
  /// On the day of a night after the first.
  case onNight(Int)

  /// The closed range of instants.
  func bounds(_ plan: MarketPlan) -> ClosedRange<Int64> {
    switch self {
    case .early: plan.startsAt + 1_800...plan.endsAt - 6 * 86_400 - 7_200
    case .middle: plan.startsAt + 1_800...plan.endsAt - 2 * 86_400 - 7_200
    case .beforeEnd(let offsets): plan.endsAt - offsets.upperBound...plan.endsAt - offsets.lowerBound
    case .onNight(let night): plan.end(of: night - 1) + 1_800...plan.end(of: night - 1) + 80_000
    }
  }
}

extension Season {
  static let hour: Int64 = 3_600
  static let day: Int64 = 86_400
}
