import Payments
import Testing

@testable import Reconciliation

@Suite("Which observations are one event")
struct EventTests {
  /// Expected: the amount of each event that counts.
  @Test(
    "Observations that count",
    arguments: [
      Case(
        "A16-notifications-as-they-come", "webhook captured C1 1000 @2; settlement captured C1 1000 @3", "1000 1000"),
      Case(
        "A18c-settlement-and-platform-know-one-payment",
        "settlement captured P 1000 @2; api captured S1 900 @2 secondary=yes", "1000"),
      Case(
        "A18a-a-split-its-refund-and-the-sellers-payout",
        "api captured S1 900 @2 part=a; api captured S1 100 @2 part=b", "1000"),
      Case(
        "A18c-settlement-and-platform-know-one-payment", "api captured S1 1000 @2; api captured S1 900 @2 part=a",
        "1000"),
      Case("paypal-a-sale-is-denied-after-it-was-booked", "settlement captured P 0 @2", ""),
      Case(
        "AP06-refund-before-and-after-settlement",
        "api captured P 1000 @1; settlement captured s1 1000 @3 secondary=yes", "1000"),
      Case("AP17b-orphan-settlement", "settlement captured s2 1000 @3 secondary=yes", "1000"),
      Case("AP18-cross-border", "api captured shown 1000 @1", "1100"),
    ])
  func selection(_ line: Case) throws {
    var selection = EventSelection()
    (selection.exactNetRows, selection.duplicateRows) = (["s1", "s2"], ["s1"])
    selection.presentments[.init(paymentID: "P", recordID: "shown")] = Presentment(
      paymentID: "P", recordID: "shown", rowID: "r", currency: "USD", amountMinor: 1100)
    let events = try selection.events(of: try Observation.list(line.parts))
    #expect(events.map { String($0.amountMinor) }.joined(separator: " ") == line.expected)
  }

  /// Expected: `captureID amount @captured/confirmed`, `!` for one that was taken back, `?` where no capture of it is
  /// reported, `*` where it is settled.
  @Test(
    "Captures of a payment",
    arguments: [
      Case(
        "A04-partial-captures", "webhook captured C1 400 @2; webhook captured C2 600 @3", "C1 400 @2/2, C2 600 @3/3"),
      Case(
        "A29-a-capture-waits-for-its-report", "webhook captured C1 1000 @2; settlement captured C1 990 @5",
        "C1 990 @5/2 *"),
      Case(
        "paypal-a-refunded-sale-keeps-its-date", "restated captured P 1000 @9; api captured P 1000 @2", "P 1000 @9/2"),
      Case(
        "paypal-a-refunded-sale-keeps-its-date", "restated captured P 1000 @9; webhook captured P 1000 @2",
        "P 1000 @2/2"),
      Case(
        "CA-one-payment-captured-in-two-batches",
        "settlement captured P#B1 1000 @2; settlement captured P#B2 1000 @3; api captured P 1000 @1",
        "B2 1000 @3/3 *, P 1000 @2/1 *"),
      Case(
        "A33-rows-that-are-alike-or-name-no-modification",
        "settlement captured P/1 500 @3; settlement captured P/2 500 @4; webhook captured C1 500 @2",
        "P/1 500 @3/2 *, P/2 500 @4/4 *"),
      Case(
        "A33-rows-that-are-alike-or-name-no-modification", "settlement captured P/1 500 @3; webhook captured C1 400 @2",
        "C1 400 @2/2, P/1 500 @3/3 *"),
      Case("A31-a-capture-that-fails-and-was-never-told", "webhook capture_failed C1 1000 @4", "C1 1000 @4/4 !?"),
      Case(
        "A31-a-capture-that-fails-and-was-never-told", "webhook captured C1 1000 @2; webhook capture_failed C1 1000 @4",
        "C1 1000 @2/2, C1 1000 @4/4 !"),
      Case("A24-authorised-and-not-captured", "webhook authorised A1 1000 @1", ""),
    ])
  func captures(_ line: Case) throws {
    let found = CapturePairing.captures(of: "P", try Observation.list(line.parts)).map { capture in
      let marks = (capture.isSettled ? "*" : "") + (capture.isFailure ? "!" : "") + (capture.isAlone ? "?" : "")
      return "\(capture.captureID) \(capture.amountMinor) @\(capture.capturedAt)/\(capture.confirmedAt)"
        + (marks.isEmpty ? "" : " \(marks)")
    }
    #expect(found.joined(separator: ", ") == line.expected)
  }

  @Test("The feed of the highest precedence is the first of the evidence, whatever came first")
  func evidence() throws {
    let line =
      "api captured P 1000 @1; restated captured P 1000 @9; settlement captured P 1000 @5; webhook captured P 1000 @2"
    let capture = try #require(CapturePairing.captures(of: "P", try Observation.list(Case("", line, "").parts)).first)
    #expect(capture.evidence == [.settlement, .webhook, .restated, .api])
  }

  /// Expected: `row=refund`.
  @Test(
    "A refund's row that names the payment only",
    arguments: [
      Case(
        "CA-refund-of-the-api-alone",
        "settlement succeeded e1 500 @3 payment=P record=P; webhook succeeded e2 500 @2 payment=P record=R1", "P=R1"),
      Case(
        "A33-rows-that-are-alike-or-name-no-modification",
        "settlement succeeded e1 500 @3 payment=P record=P/1; settlement succeeded e2 500 @4 payment=P record=P/2; "
          + "webhook succeeded e3 500 @2 payment=P record=R1",
        "P/1=R1"),
      Case(
        "A07-refund-told-and-settled-or-not",
        "settlement succeeded e1 500 @3 payment=P record=P; webhook succeeded e2 400 @2 payment=P record=R1", ""),
      Case(
        "C05-partial-refunds",
        "settlement succeeded e1 500 @3 payment=P record=R1; webhook succeeded e2 500 @2 payment=P record=R2", ""),
    ])
  func refundNames(_ line: Case) throws {
    let names = RecordNames.refunds(try Observation.list(line.parts, subject: .refund))
    #expect(names.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") == line.expected)
  }

  @Test("A dispute that a row names by its payment goes by the first id that its provider gave it")
  func disputeNames() throws {
    let line =
      "webhook opened e1 500 @3 payment=P record=D2; api opened e2 500 @2 payment=P record=D1; "
      + "settlement opened e3 500 @1 payment=P record=P"
    #expect(RecordNames.disputes(try Observation.list(Case("", line, "").parts, subject: .dispute)) == ["P": "D1"])
  }
}
