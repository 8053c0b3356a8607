import HTTP
import JSON
import Landing
import Payments

/// A payment provider account as the nightly run sees it: records to pull, and a reader for what was pulled.
///
/// A provider is one folder and one line in `ProviderList`. Its files carry its name followed by the name of the part,
/// which is the same in every folder; a provider has the parts that it needs:
/// - `Configuration`: the keys that it reads. `Examine`: what `doctor` checks.
/// - `Pull`: this protocol. `Stream`: the folders of its landing zone and the subjects that rely on each.
/// - An API: `API` sends requests, `ErrorBody` interprets refusals, `Fields` is the allow-list of what lands;
///   `PullWindow`, `PullSession`, `PullPage`, `PullRecord` and `FetchQueue` are the window of a pull, its state, its
///   pages and records, and what it still has to fetch; further `Pull…` files read one list each.
/// - Delivered files: `FileRules` define what a file is and which of its rows and columns land.
/// - `Read` turns landed lines into nouns, further `Read…` files one kind each; `PostingRules` map a ledger row to its
///   movement; `Amount` and the like parse the provider's amounts and dates.
///
/// The parts that all providers share are beside this file: `ProviderFailure`, `ProviderHTTP`, `PullHistory`,
/// `StreamWriter` and `LandedLine` for APIs; `FileStream`, `FileSource`, `FileRound` and `FileWriter` for delivered
/// files; `RecordReader`, `Cell` and `PostingBuilder` for readers. A provider depends neither on the store nor on other
/// providers.
package protocol Provider: Sendable {
  /// The configured name, as it is in every report.
  var name: String { get }
  /// The subjects of checks that rely on each stream of the landing zone, e.g. `transfers` and `ledger` for a list of
  /// transfers.
  var streams: [StreamDescription] { get }
  /// Pulls the records of a range into the landing zone; never throws for a single stream: each stream reports its
  /// outcome.
  func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome
  /// How far the provider's API may lag, in seconds: records younger than this at the time of a pull may be missing.
  var lag: Int64 { get }
  /// Whether captures are known from settlement files alone: a missing one is then claimed only once it should have
  /// been settled.
  var learnsCapturesFromSettlement: Bool { get }
  /// The smallest step of its amounts in minor units, by currency, where it is more than one; the provider rounds to
  /// it.
  var amountSteps: [String: Int64] { get }
  /// A reader for this provider's landed lines; `account` is filled in from landed records.
  func makeReader() -> any RecordReader
  /// The settings by which its reader understands a line, each as text. Where one of them changes, everything that was
  /// read is read again.
  var readingSettings: [String] { get }
  /// What has to be fixed before a nightly run can succeed, one finding per line; queries the provider, changes
  /// nothing.
  func examine() async -> [Diagnostic]
}

extension Provider {
  package var learnsCapturesFromSettlement: Bool { false }
  package var amountSteps: [String: Int64] { [:] }
}

/// One stream of a provider and the subjects whose claims rely on it.
package struct StreamDescription: Sendable {
  /// The name of the stream's folder in the landing zone.
  package var name: String
  /// Values of `known.subject`: ledger, payments, refunds, transfers, fees, disputes, payouts, balances.
  package var subjects: [String]
  /// Subjects that rely on other streams and that this one also reports: if it was not read, none of their records is
  /// claimed missing.
  package var alsoReports: [String]
  /// The kind of its records, where they can change after they were read: those that earlier nights left open are
  /// requested again.
  package var holds: OpenRecord?

  /// Records that it does not have to fetch twice, because they cannot change once read.
  package var settles: SettledRecord?
  /// A folder or a series of files: its watermark is its newest settlement date or batch, and a later date is not a
  /// gap.
  package var isFolder: Bool
  /// Claims on its subjects do not also wait for the ledger: webhooks, and the states that an API reports.
  package var isIndependent: Bool
  /// Whether a row older than the watermark counts as late; false where a later file may legitimately contain older
  /// dates.
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

/// Kinds of records that change after they were created: each has a statement in sql/open that finds those that still
/// can.
package enum OpenRecord: String, Sendable, CaseIterable {
  case payments, intents, refunds, disputes, payouts
  /// Payments that a settlement lists and that the provider's API has not reported.
  case settledPayments = "settled-payments"
}

/// Kinds of records that never change once read: each has a statement in sql/open that finds those already read.
package enum SettledRecord: String, Sendable, CaseIterable {
  case itemisedPayouts = "itemised-payouts"
}

/// What a nightly run requests of a provider: the range to report, the clock, and what earlier nights left open.
package struct PullOrder: Sendable {
  /// The reported range, half-open, Unix seconds UTC.
  package var rangeFrom: Int64
  package var rangeTo: Int64
  /// The time of the pull: the only reading of the wall clock.
  package var now: Int64
  /// Ids of records that can still change, by stream; they are read again.
  package var open: [String: [String]]
  /// Whether a record has landed before, by stream and id.
  package var isKnown: @Sendable (_ stream: String, _ id: String) -> Bool
  /// Reports the progress of a stream, for a terminal.
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
  /// What made the whole provider unavailable, if anything did.
  package enum Refusal: Sendable, Equatable {
    /// The credentials were refused (401): exit 77 when this is so for every provider.
    case credentials
    /// Nothing could be reached: exit 69 when this is so for every provider.
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
  /// Why it is incomplete, in a sentence for people: what happened, the request id, what to do.
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
