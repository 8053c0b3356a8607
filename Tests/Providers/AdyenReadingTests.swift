import Foundation
import Payments
import TestSupport
import Testing

@testable import Providers

@Suite("Reading Adyen's settlement detail reports") struct AdyenReadingTests {
  /// A batch of random rows that pays out what they come to.
  private func batch(seed: UInt64) -> AdyenBatch {
    var chance = SeededGenerator(seed: seed)
    var batch = AdyenBatch(1)
    var sum: Int64 = 0
    for number in 0..<Int.random(in: 1...60, using: &chance) {
      let sign: Int64 = Bool.random(using: &chance) ? 1 : -1
      let types =
        sign > 0
        ? ["Settled", "RefundedReversed", "ChargebackReversed"]
        : ["Refunded", "Chargeback", "SecondChargeback", "CaptureFailed"]
      let fees = (0..<4).map { _ in Int64.random(in: 0...300, using: &chance) }
      let gross = sign * Int64.random(in: 1...100_000, using: &chance)
      let net = gross - fees.reduce(0, +)
      sum += net
      batch.add(
        types.randomElement(using: &chance) ?? "Settled", "PSP\(number % 20)", "MOD\(number)", gross: gross, net: net,
        fees: fees)
    }
    for type in [
      "Fee", "InvoiceDeduction", "DepositCorrection", "ReserveAdjustment", "Balancetransfer", "MiscCosts", "FooBar",
    ] {
      let net = Int64.random(in: -5000...5000, using: &chance)
      sum += net
      batch.add(type, "", "words of \(type)", net: net)
    }
    batch.add("MerchantPayout", "", "TX1XT batch 1, AcmeNL", net: -sum)
    return batch
  }

  @Test("a batch sums to zero, row by row with its postings, whatever is in it", arguments: 1...25) func sums(seed: Int)
    throws
  {
    let (nouns, refused) = try AdyenNouns.reading(batch(seed: UInt64(seed)).text)
    #expect(refused.isEmpty && nouns.netMinor == 0 && nouns.postedMinor == 0, "seed \(seed)")
    for (row, postings) in nouns.rows {
      let posted = postings.reduce(Int64(0)) { $0 + ($1.to == .platform ? $1.amountMinor : -$1.amountMinor) }
      #expect(
        posted == row.netMinor && row.amountMinor - row.feeMinor == row.netMinor && row.feeSumMinor == row.feeMinor,
        "seed \(seed): \(row.rowID)")
    }
    #expect(Set(nouns.rows.map(\.row.rowID)).count == nouns.rows.count)
    #expect(
      nouns.rows.filter { $0.row.payoutID != nil }.count == nouns.rows.count - 1
        && nouns.words.map(\.word) == ["FooBar"])
  }

  @Test("order, case, spaces, marks, line ends, unknown and repeated columns change nothing", arguments: 1...10)
  func columns(seed: Int) throws {
    var chance = SeededGenerator(seed: UInt64(seed))
    let batch = batch(seed: UInt64(seed))
    let plain = try AdyenNouns.reading(batch.text).nouns.fingerprint
    let places = AdyenBatch.header.split(separator: ",").indices.shuffled(using: &chance)
    let names = AdyenBatch.header.split(separator: ",").map(String.init)
    var lines = [
      places.map { Bool.random(using: &chance) ? names[$0].uppercased() : " \(names[$0]) " } + [
        "Shopper Name", "Net Currency",
      ]
    ]
    for row in batch.rows { lines.append(places.map { row[$0] } + ["Jenny, Rosen", ""]) }
    let text =
      "\u{feff}" + lines.map { $0.map(AdyenBatch.quoted).joined(separator: ",") }.joined(separator: "\r\n") + "\r\n"
    let (nouns, refused) = try AdyenNouns.reading(text)
    #expect(refused.isEmpty && nouns.fingerprint == plain, "seed \(seed)")
    #expect(!nouns.fingerprint.joined().contains("Jenny"))
  }

  @Test("rows that are alike are numbered, and the same again in another file") func alike() throws {
    var batch = AdyenBatch(7)
    for _ in 0..<3 { batch.add("Fee", "", "Transaction Fees July      2026", net: -100) }
    let first = try AdyenNouns.reading(batch.text).nouns.rows.map(\.row.rowID)
    #expect(first == (1...3).map { "AcmeNL/7/fee/Transaction-Fees-July-2026/\($0)" })
    #expect(
      try AdyenNouns.reading(batch.text, "settlement_detail_report_batch_7_20260708.csv").nouns.rows.map(\.row.rowID)
        == first)
  }

  @Test("the direction is that of the columns, never of the type") func direction() throws {
    var batch = AdyenBatch(1)
    batch.add("Settled", "PSP1", "CAP1", gross: 1000, currency: "INR", rate: "0.011", net: -3, fees: [0, 4, 0, 10])
    batch.add("Refunded", "PSP2", "RF2", gross: 500, net: 500)
    let nouns = try AdyenNouns.reading(batch.text).nouns
    #expect(
      nouns.rows[0].postings.map { "\($0.kind) \($0.from) \($0.to) \($0.amountMinor)" }
        == ["capture customer platform 11", "fee platform provider 4", "fee platform provider 10"])
    #expect(
      nouns.rows[1].postings.map { "\($0.kind) \($0.from) \($0.to) \($0.amountMinor)" } == [
        "refundFailure customer platform 500"
      ])
    #expect(nouns.events.map { "\($0.state) \($0.amountMinor) \($0.currency)" } == ["captured 1000 INR"])
  }

  @Test("a row that does not add up is posted with its stated net, and what is left open is an adjustment")
  func broken() throws {
    var batch = AdyenBatch(1)
    batch.add("Settled", "PSP1", "CAP1", gross: 8000, currency: "GBP", rate: "1.1734", net: 9340, fees: [0, 11, 4, 19])
    let nouns = try AdyenNouns.reading(batch.text).nouns
    #expect(nouns.broken.map { [$0.expectedMinor, $0.actualMinor] } == [[9353, 9340]])
    #expect(
      nouns.rows[0].postings.map { "\($0.kind) \($0.amountMinor)" } == [
        "capture 9387", "fee 11", "fee 4", "fee 19", "adjustment 13",
      ])
    #expect(nouns.postedMinor == 9340)
  }

  @Test("rows of another account are not read, and one row that cannot be read costs no other") func others() throws {
    var batch = AdyenBatch(1)
    batch.add("Settled", "PSP1", "CAP1", gross: 1000, net: 1000)
    var theirs = AdyenBatch(1, account: "AcmeDE")
    theirs.add("Settled", "PSP2", "CAP2", gross: 1000, net: 1000)
    let their = theirs.text.split(separator: "\n")[1]
    let wrong = batch.text.split(separator: "\n")[1].replacing("PSP1", with: "PSP3").replacing(",10.00,", with: ",ten,")
    let (nouns, refused) = try AdyenNouns.reading(batch.text + their + "\n" + wrong + "\n")
    #expect(nouns.rows.map(\.row.paymentID) == ["PSP1"])
    #expect(
      refused.map(\.location) == ["settlement_detail_report_batch_1.csv:4"] && refused.map(\.recordID) == ["PSP3"])
  }
}
