import Payments

/// Each capture that a provider reports for a payment, once, however many feeds report it. A capture that was taken
/// back later is listed separately.
struct Capture: Sendable, Equatable {
  var paymentID: Text
  var captureID: Text
  /// Whether it was taken back.
  var isFailure: Bool
  var currency: Text
  /// In presentment currency, above zero.
  var amountMinor: Int64
  /// From the feed with the highest precedence.
  var capturedAt: Int64
  /// The earliest report of it.
  var confirmedAt: Int64
  /// Whether a settlement row reports it.
  var isSettled: Bool
  /// Whether it was taken back while no capture of the payment is reported.
  var isAlone: Bool
  /// The feeds that reported it, first the one that gave amount and date.
  var evidence: [EventFeed] = []
}

/// Determines the captures of one payment from the observations that count.
struct CapturePairing {
  /// The rules, surest first.
  enum Rule: CaseIterable {
    case sameEvent, firstRowOfPayment, sameAmount

    var reason: String {
      switch self {
      case .sameEvent:
        "feeds that give one id to it report one capture; the feed of the highest precedence gives amount and date"
      case .firstRowOfPayment:
        "a row that names the payment only is the capture that an API reports by that id; further rows go by theirs"
      case .sameAmount:
        "a row that names the payment only is the capture of its amount that another feed names and no row does"
      }
    }
  }

  private struct Report {
    var event: Observation
    var captureID: Text
  }

  /// A capture after the first two rules.
  private struct Draft {
    var capture: Capture
    var account: Text
    /// Whether it has no id besides the payment's.
    var isNameless: Bool
    var side = Side.neither
  }

  /// The side on which the last rule may pair it.
  private enum Side { case neither, nameless, named }

  private struct Amount: Hashable {
    var isFailure: Bool
    var currency: Text
    var amountMinor: Int64
  }

  /// The captures of a payment, in the order of their ids.
  ///
  /// - Parameter events: the payment's events; those other than captures are skipped.
  static func captures(of paymentID: Text, _ events: [Observation]) -> [Capture] {
    let captures = events.filter { $0.state == .captured || $0.state == .captureFailed }
    guard !captures.isEmpty else { return [] }
    var drafts = drafts(of: paymentID, named(captures, paymentID))
    takeSides(&drafts)
    return paired(drafts).map(\.capture).sorted {
      ($0.captureID, $0.isFailure ? 1 : 0) < ($1.captureID, $1.isFailure ? 1 : 0)
    }
  }

  /// Gives an id to events that are named by payment and row (`payment#row`): the first is the capture with the
  /// payment's own id, each further one has the id of its row.
  private static func named(_ events: [Observation], _ paymentID: Text) -> [Report] {
    var hasFirst: Set<EventState> = []
    return events.sorted { $0.precedes($1) }.map { event in
      guard let row = event.eventID.rest(after: paymentID, "#") else {
        return Report(event: event, captureID: event.eventID)
      }
      return Report(event: event, captureID: hasFirst.insert(event.state).inserted ? paymentID : row)
    }
  }

  private struct Identity: Hashable {
    var captureID: Text
    var state: EventState
  }

  private static func drafts(of paymentID: Text, _ reports: [Report]) -> [Draft] {
    let isAlone = reports.allSatisfy { $0.event.state == .captureFailed }
    let groups = Dictionary(grouping: reports) { Identity(captureID: $0.captureID, state: $0.event.state) }
    return groups.map { identity, reports in
      let events = reports.map(\.event).sorted {
        ($0.feed.precedence, $0.happenedAt, $0.eventID) < ($1.feed.precedence, $1.happenedAt, $1.eventID)
      }
      let first = events[0]
      let capture = Capture(
        paymentID: paymentID, captureID: identity.captureID, isFailure: identity.state == .captureFailed,
        currency: first.currency,
        amountMinor: first.amountMinor, capturedAt: first.happenedAt,
        confirmedAt: events.map(\.happenedAt).min() ?? first.happenedAt,
        isSettled: events.contains { $0.feed == .settlement }, isAlone: isAlone, evidence: events.map(\.feed))
      let isNameless = identity.captureID == paymentID || identity.captureID.isNamed(after: paymentID, "/")
      return Draft(capture: capture, account: first.account, isNameless: isNameless)
    }
  }

  /// Marks what the last rule may pair: a settlement row, and a capture that another feed names but no row of its
  /// account reports.
  private static func takeSides(_ drafts: inout [Draft]) {
    for isFailure in [false, true] {
      let rows = drafts.filter { $0.capture.isFailure == isFailure && $0.capture.isSettled && $0.isNameless }
      let account = rows.map(\.account).max()
      for index in drafts.indices where drafts[index].capture.isFailure == isFailure {
        drafts[index].side = side(of: drafts[index], account)
      }
    }
  }

  /// - Parameter account: the account of the rows that name only the payment; nil: there are none.
  private static func side(of draft: Draft, _ account: Text?) -> Side {
    if draft.isNameless { return draft.capture.isSettled ? .nameless : .neither }
    return !draft.capture.isSettled || account.map { $0 != draft.account } == true ? .named : .neither
  }

  /// Pairs the first row of an amount with the first named capture of that amount, and so on. The pair is one capture,
  /// with the row's id and the earlier report's date.
  private static func paired(_ drafts: [Draft]) -> [Draft] {
    var result = drafts.filter { $0.side == .neither }
    let groups = Dictionary(grouping: drafts.filter { $0.side != .neither }) {
      Amount(isFailure: $0.capture.isFailure, currency: $0.capture.currency, amountMinor: $0.capture.amountMinor)
    }
    for group in groups.values {
      let ordered = group.sorted {
        ($0.capture.confirmedAt, $0.capture.captureID) < ($1.capture.confirmedAt, $1.capture.captureID)
      }
      var rows = ordered.filter { $0.side == .nameless }
      let named = ordered.filter { $0.side == .named }
      for (place, other) in named.enumerated() where place < rows.count {
        rows[place].capture.confirmedAt = min(rows[place].capture.confirmedAt, other.capture.confirmedAt)
        rows[place].capture.evidence += other.capture.evidence
      }
      result += rows + named.dropFirst(rows.count)
    }
    return result
  }
}

extension Observation {
  /// Ordered by the date of the event, then by its id, then by the feed's precedence.
  func precedes(_ other: Observation) -> Bool {
    (happenedAt, eventID, feed.precedence) < (other.happenedAt, other.eventID, other.feed.precedence)
  }
}
