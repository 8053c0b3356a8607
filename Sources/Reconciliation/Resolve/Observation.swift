import Payments

/// A report of one feed about a payment, a refund or a dispute.
struct Observation: Sendable {
  var account: Text = ""
  var subject: EventSubject
  var recordID: Text
  var paymentID: Text?
  /// The same id from several feeds: they report one event.
  var eventID: Text
  var state: EventState
  var feed: EventFeed
  var currency: Text = ""
  var amountMinor: Int64 = 0
  var happenedAt: Int64 = 0
  /// When an authorisation lapses, or by when a dispute must be answered.
  var untilAt: Int64?
  var method: Text?
  var intentID: Text?
  var detail: Text?
  /// Identifies one of several parts (splits) whose amounts add up; empty: the whole, which comes first.
  var part: Text = ""
  /// Whether it counts only if nothing else reports the record.
  var isSecondary = false
  var landedFile: Int64 = 0
  var landedLine: Int64 = 0
}

extension EventFeed {
  /// Which feed takes precedence where several report one event, the smallest first. The only place that defines it.
  ///
  /// - Settlement: the provider's books, where the money is.
  /// - Webhook: sent at the event, with its own date.
  /// - Restated: a money row that was redated later; its amount is right, its date is later than the event.
  /// - API: the newest state, which may leave out what led to it.
  var precedence: Int {
    switch self {
    case .settlement: 0
    case .webhook: 1
    case .restated: 2
    case .api: 3
    }
  }

  /// The same for refunds and disputes, which no provider restates: feeds other than settlement and webhook are equal.
  var statusPrecedence: Int { min(precedence, EventFeed.restated.precedence) }
}

extension EventState {
  /// Which state of a refund counts among those of one instant, the largest: a failure undoes a success.
  var refundRank: Int {
    switch self {
    case .pending: 1
    case .succeeded: 2
    default: 3
    }
  }

  /// Which state of a dispute counts among those of one instant, the largest: it was opened before it was decided.
  var disputeRank: Int {
    switch self {
    case .inquiry: 1
    case .opened: 2
    case .won: 3
    case .closed: 4
    default: 5
    }
  }

  /// The status of a dispute whose newest event this is.
  var disputeStatus: Text { self == .opened ? "open" : Text(rawValue) }
}
