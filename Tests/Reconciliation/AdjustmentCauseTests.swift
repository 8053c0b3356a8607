import Testing

@testable import Reconciliation

@Suite("Why a closed period's figure changed")
struct AdjustmentCauseTests {
  /// What is found → the reason that `prior_period_adjustments.csv` names; the seal rests on the landed files up to
  /// 100.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var wasSealed = true
    var isThere = true
    var counts = true
    var firstLanded: Int64 = 50
    var newestChange: Int64 = 50
    var configuration = false
    var version = false
    let reason: Adjustment.Reason
  }

  @Test(arguments: [
    Case(
      testDescription: "a row that landed after the seal", wasSealed: false, firstLanded: 120, newestChange: 120,
      reason: .lateRecord),
    Case(testDescription: "the row came back different", newestChange: 120, reason: .changedRecord),
    Case(
      testDescription: "a transfer got another destination: where the row goes now", wasSealed: false,
      newestChange: 120, reason: .changedRecord),
    Case(
      testDescription: "the same under another configuration: the record is what can be looked up",
      newestChange: 120, configuration: true, version: true, reason: .changedRecord),
    Case(
      testDescription: "a row that counts no more, since another record of its payment came", counts: false,
      newestChange: 120, reason: .withdrawnRecord),
    Case(testDescription: "a row that is made from others and made no more", isThere: false, reason: .withdrawnRecord),
    Case(testDescription: "nothing came after the seal", configuration: true, version: true, reason: .configuration),
    Case(testDescription: "nothing came, and the rules are the same", version: true, reason: .version),
    Case(
      testDescription: "another configuration leaves a row out", counts: false, configuration: true,
      reason: .configuration),
  ])
  func `a record is named as the cause before configuration and version`(line: Case) {
    let cause = AdjustmentCause(
      wasSealed: line.wasSealed, isThere: line.isThere, counts: line.counts, firstLanded: line.firstLanded,
      newestChange: line.newestChange)
    let reason = cause.reason(
      sealedAt: 100, isOtherConfiguration: line.configuration, isOtherVersion: line.version)
    #expect(reason == line.reason)
  }
}
