import HTTP
import JSON
import Landing
import Payments

/// A payment provider account as the night sees it: something to pull from, and a reader for what was pulled.
///
/// A provider is one folder and one line in `ProviderList`. Its files bear its name and, behind it, the same word for
/// the same part in every folder; a provider has the parts that it needs:
/// - `Configuration`: the keys that it reads. `Examine`: what `doctor` asks.
/// - `Pull`: this protocol. `Stream`: the folders of its landing zone and the subjects that rest on each.
/// - An API: `API` asks, `ErrorBody` says what a refusal means, `Fields` is the allow-list of what lands; `PullWindow`,
///   `PullSession`, `PullPage`, `PullRecord` and `FetchQueue` are what a pull asks for, keeps and still has to ask;
///   further `Pull…` files are one list each.
/// - Delivered files: `FileRules` say what a file is and which of its rows and columns land.
/// - `Read` turns landed lines into nouns, further `Read…` files one kind each; `PostingRules` say which movement a
///   ledger row is; `Amount` and the like are its way to write amounts and dates.
///
/// What all of them share is beside this file: `ProviderFailure`, `ProviderHTTP`, `PullHistory`, `StreamWriter` and
/// `LandedLine` for APIs; `FileStream`, `FileSource`, `FileRound` and `FileWriter` for delivered files; `RecordReader`,
/// `Cell` and `PostingBuilder` for readers. A provider knows neither the store nor the other providers.
package protocol Provider: Sendable {
  /// The configured name, as it is in every report.
  var name: String { get }
  /// What each stream of the landing zone lets the checks rest on, e.g. `transfers` and `ledger` for a list of
  /// transfers.
  var streams: [StreamDescription] { get }
  /// Brings the records of a range into the landing zone; never throws for one stream: each stream says how it went.
  func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome
  /// How far the provider's API may run behind, in seconds: what is younger at the time of a pull need not be there.
  var lag: Int64 { get }
  /// Whether captures are known from settlement files alone: then a missing one is claimed only once it should have
  /// been settled.
  var learnsCapturesFromSettlement: Bool { get }
  /// The step of its amounts in minor units, by currency, where it is more than one: what it rounds, it rounds to that.
  var amountSteps: [String: Int64] { get }
  /// A reader for this provider's landed lines; `account` is filled from what was landed.
  func makeReader() -> any RecordReader
  /// What is missing before a night can succeed, one finding a line; asks the provider, changes nothing.
  func examine() async -> [Diagnostic]
}

extension Provider {
  package var learnsCapturesFromSettlement: Bool { false }
  package var amountSteps: [String: Int64] { [:] }
}

/// One stream of a provider and the subjects whose claims rest on it.
package struct StreamDescription: Sendable {
  /// The name of the stream's folder in the landing zone.
  package var name: String
  /// Words of `known.subject`: ledger, payments, refunds, transfers, fees, disputes, payouts, balances.
  package var subjects: [String]
  /// Subjects that rest on other streams and that it also reports: where it was not read, nothing is claimed missing
  /// of them.
  package var alsoReports: [String]
  /// What its records are, where they can change after they were read: earlier nights' open ones are asked for again.
  package var holds: OpenRecord?

  /// What it need not bring twice, because it cannot change once it was read.
  package var settles: SettledRecord?
  /// A folder or a series of files: its watermark is its newest settlement date or batch, and what is due later is no
  /// gap.
  package var isFolder: Bool
  /// Claims on its subjects do not wait for the ledger as well: webhooks, and the states that an API reports.
  package var isIndependent: Bool
  /// Whether a row older than the watermark came late; not where a later file may rightly bring older dates.
  package var datesRows: Bool

  package init(
    _ name: String, _ subjects: [String], alsoReports: [String] = [], holds: OpenRecord? = nil,
    settles: SettledRecord? = nil, isFolder: Bool = false,
    isIndependent: Bool = false, datesRows: Bool = true
  ) {
    self.name = name
    self.subjects = subjects
    self.alsoReports = alsoReports
    self.holds = holds
    self.settles = settles
    self.isFolder = isFolder
    self.isIndependent = isIndependent
    self.datesRows = datesRows
  }
}

/// Kinds of records that change after they were made: each has a statement in sql/open that finds those that still can.
package enum OpenRecord: String, Sendable, CaseIterable {
  case payments, intents, refunds, disputes, payouts
  /// Payments that a settlement names and that the provider's API has not reported.
  case settledPayments = "settled-payments"
}

/// Kinds of records that never change once they were read: each has a statement in sql/open that finds those that were.
package enum SettledRecord: String, Sendable, CaseIterable {
  case itemisedPayouts = "itemised-payouts"
}

/// What a night asks of a provider: the range it will report, the clock, and what earlier nights have left open.
package struct PullOrder: Sendable {
  /// The reported range, half-open, Unix seconds UTC.
  package var rangeFrom: Int64
  package var rangeTo: Int64
  /// The moment of the pull: the only place where the wall clock enters.
  package var now: Int64
  /// Ids of records that can still change, by stream; they are read again.
  package var open: [String: [String]]
  /// Whether a record was landed before, by stream and id.
  package var isKnown: @Sendable (_ stream: String, _ id: String) -> Bool
  /// Says how far a stream is, for a terminal.
  package var progress: @Sendable (_ stream: String, _ objects: Int) -> Void

  package init(
    rangeFrom: Int64, rangeTo: Int64, now: Int64, open: [String: [String]] = [:],
    isKnown: @escaping @Sendable (String, String) -> Bool = { _, _ in false },
    progress: @escaping @Sendable (String, Int) -> Void = { _, _ in }
  ) {
    self.rangeFrom = rangeFrom
    self.rangeTo = rangeTo
    self.now = now
    self.open = open
    self.isKnown = isKnown
    self.progress = progress
  }
}

/// How a provider's pull went, stream by stream.
package struct PullOutcome: Sendable {
  /// What kept the whole provider away, if anything did.
  package enum Refusal: Sendable, Equatable {
    /// The credentials were refused (401): exit 77 when every provider does.
    case credentials
    /// Nothing could be reached: exit 69 when no provider could.
    case unreachable
  }
  package var streams: [StreamOutcome]
  package var refusal: Refusal?

  package init(streams: [StreamOutcome], refusal: Refusal? = nil) {
    self.streams = streams
    self.refusal = refusal
  }
}

/// How one stream's pull went.
package struct StreamOutcome: Sendable {
  package var stream: String
  package var objects: Int
  package var isComplete: Bool
  /// A sentence for people when it is not complete: what happened, the request id, what to do.
  package var reason: String?

  package init(stream: String, objects: Int, isComplete: Bool, reason: String? = nil) {
    self.stream = stream
    self.objects = objects
    self.isComplete = isComplete
    self.reason = reason
  }
}

/// One result of `doctor`.
package struct Diagnostic: Sendable {
  package enum Grade: String, Sendable { case good, warning, bad }
  package var grade: Grade
  package var sentence: String

  package init(_ grade: Grade, _ sentence: String) {
    self.grade = grade
    self.sentence = sentence
  }
}
