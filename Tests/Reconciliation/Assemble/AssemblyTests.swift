import Payments
import Testing

@testable import Reconciliation

@Suite("From one provider's records to its fund flows")
struct AssemblyTests {
  /// A row of one posting.
  private func add(
    _ row: LedgerRecord, _ kind: EntryKind, _ from: Role = .customer, _ to: Role = .platform,
    in records: inout ProviderRecords
  ) {
    var row = row
    (row.currency, row.postings) = ("EUR", records.postings.count..<records.postings.count + 1)
    records.postings.append(
      PostingRecord(kind: kind, from: from, to: to, currency: "EUR", amountMinor: Int64(row.amountMinor.magnitude)))
    records.rows.append(row)
  }

  private func payment(_ id: Text) -> PaymentRecord {
    PaymentRecord(
      paymentID: id, isCaptured: true, currency: "EUR", amountMinor: 1000, capturedMinor: 1000, createdAt: 1,
      landedFile: 1)
  }

  private func link(_ assembly: Assembly, _ row: Int) -> String {
    guard let link = assembly.links[row] else { return "-" }
    return "\(link.kind.rawValue) \(link.recordID ?? "-") \(link.paymentID ?? "-")"
  }

  @Test("A row goes to its record by the surest rule that finds one (S01, S07, S11, S16, S28b)")
  func links() {
    var records = ProviderRecords(provider: "p")
    records.payments = [payment("P")]
    records.refunds = [RefundRecord(refundID: "R", paymentID: "I", status: "succeeded", rowID: "refund")]
    records.intents = [IntentRecord(intentID: "I", status: "succeeded", latestPaymentID: "P")]
    records.transfers = [TransferRecord(transferID: "T", paymentID: "P", connectedAccount: "acct", rowID: "transfer")]
    records.reversals = [ReversalRecord(reversalID: "V", transferID: "T", rowID: "reversal")]
    records.commissions = [CommissionRecord(feeID: "F", paymentID: "P", connectedAccount: "acct", rowID: "fee")]
    records.disputes = [DisputeRecord(disputeID: "D", paymentID: "P", status: "lost")]
    records.disputeRows = [("dispute", "D")]
    let lines: [(id: Text, source: Text?, kind: EntryKind, expected: String)] = [
      ("capture", "P", .capture, "payment P P"), ("refund", "R", .refund, "refund R P"),
      ("adjustment", "R", .refundFailure, "refund R P"),
      ("transfer", "P", .transfer, "transfer T P"), ("reversal", "T", .transferReversal, "transfer_reversal V P"),
      ("later", "T", .transfer, "transfer T P"), ("fee", "F", .applicationFee, "application_fee F P"),
      ("dispute", "P", .dispute, "dispute D P"),
      ("unread", "X", .capture, "payment X X"), ("alone", "Y", .fee, "-"),
    ]
    for line in lines {
      add(LedgerRecord(rowID: line.id, sourceID: line.source, amountMinor: 1000, bookedAt: 5), line.kind, in: &records)
    }
    let assembly = Assembly(records, instants: [0, 10])
    for (index, line) in lines.enumerated() { #expect(link(assembly, index) == line.expected, "\(line.id)") }
    #expect(assembly.unresolved.isEmpty)
  }

  @Test("A row that names what is no payment belongs to the payment of the row that it names, or to none (P05, P19)")
  func looseRows() {
    var records = ProviderRecords(provider: "p")
    records.payments = [payment("P")]
    add(
      LedgerRecord(rowID: "sale", sourceID: "X", amountMinor: 1000, bookedAt: 5, paymentID: "P", recordKind: .payment),
      .capture, in: &records)
    add(
      LedgerRecord(rowID: "conversion", amountMinor: 1000, bookedAt: 5, paymentID: "X", recordKind: .other), .fx,
      in: &records)
    add(
      LedgerRecord(rowID: "hold", amountMinor: 1000, bookedAt: 5, paymentID: "Y", recordKind: .other), .reserve,
      in: &records)
    let assembly = Assembly(records, instants: [0, 10])
    #expect((0..<3).map { link(assembly, $0) } == ["payment P P", "other X P", "other Y -"])
  }

  /// `transfer` names a payment, an order or a group; payments carry references. Expected: `transfer payment rule`.
  @Test(
    "Transfers find their payment",
    arguments: [
      Case("S01-destination-charge-with-application-fee", "source=P2", "P2 source"),
      Case("S27-separate-transfers-beyond-the-charge", "order=O1", "P1 order"),
      Case("S27-separate-transfers-beyond-the-charge", "group=G1", "P1 group"),
      Case("S27-separate-transfers-beyond-the-charge", "order=O9 group=G1", "P1 group"),
      Case("S27-separate-transfers-beyond-the-charge", "order=O2", "-"),
      Case("S30-transfer-of-one-cent", "order=O9", "-"),
    ])
  func transfers(_ line: Case) {
    let words = Words(line.parts[0])
    var records = ProviderRecords(provider: "p")
    records.payments = [payment("P2"), payment("P1"), payment("P3")]
    records.payments[0].createdAt = 2
    records.references = [
      ReferenceRecord(ownerID: "P1", name: "metadata.order_id", value: "O1", landedFile: 1),
      ReferenceRecord(ownerID: "P1", name: "transfer_group", value: "G1", landedFile: 1),
      ReferenceRecord(ownerID: "P2", name: "number", value: "O1", orderRank: 1, landedFile: 1),
      ReferenceRecord(ownerID: "P3", name: "number", value: "O2", orderRank: 1, landedFile: 0),
    ]
    records.transfers = [
      TransferRecord(
        transferID: "T", paymentID: words.text("source"), transferGroup: words.text("group"),
        orderReference: words.text("order"))
    ]
    let found = Assembly(records, instants: [0, 10]).transfers.first
    #expect(found.map { "\($0.paymentID) \($0.rule.rawValue)" } ?? "-" == line.expected)
  }

  @Test("A destination charge with an application fee leaves every party its own, and nothing over (S01)")
  func flow() throws {
    var records = ProviderRecords(provider: "p")
    records.payments = [payment("P")]
    let rows: [(Text, Int64, EntryKind, Role, Role)] = [
      ("capture", 1000, .capture, .customer, .platform), ("cost", -59, .fee, .platform, .provider),
      ("transfer", -1000, .transfer, .platform, .connected), ("fee", 123, .applicationFee, .connected, .platform),
    ]
    for (id, amount, kind, from, to) in rows {
      add(
        LedgerRecord(rowID: id, amountMinor: amount, bookedAt: 5, paymentID: "P", connectedAccount: "acct"), kind, from,
        to, in: &records)
    }
    let bundle = try #require(Assembly(records, instants: [5, 10]).bundles.first)
    #expect(bundle.flows[0].isEmpty)
    let flow = try #require(bundle.flows[1].first)
    #expect(
      [flow.platform, flow.connected, flow.provider, flow.customer, flow.other].map(\.minor) == [64, 877, 59, -1000, 0])
    #expect(flow.isInRange && flow.hasCapture && flow.gross.minor == 1000)
  }

  @Test("A payment whose sums need more than 64 bits is left out with its reason, and the rest is derived")
  func overflow() {
    var records = ProviderRecords(provider: "p")
    records.payments = [payment("P"), payment("Q")]
    for id: Text in ["one", "two"] {
      add(LedgerRecord(rowID: id, sourceID: "P", amountMinor: .max, bookedAt: 5), .capture, in: &records)
    }
    add(LedgerRecord(rowID: "three", sourceID: "Q", amountMinor: 1000, bookedAt: 5), .capture, in: &records)
    let assembly = Assembly(records, instants: [0, 10])
    #expect(assembly.unresolved.map(\.recordID) == ["P"] && assembly.unresolved[0].reason.contains("64-bit"))
    #expect(assembly.bundles.map(\.entries.count) == [0, 1])
    #expect(assembly.bundles[1].states.map { $0?.status } == [nil, .captured])
  }

  @Test(
    "References keep their configured order, the payment's own before its intent's; older versions' are void (S33)"
  )
  func references() throws {
    var records = ProviderRecords(provider: "p")
    var owner = payment("P")
    owner.intentID = "I"
    records.payments = [owner]
    records.intents = [IntentRecord(intentID: "I", status: "succeeded", landedFile: 2)]
    records.references = [
      ReferenceRecord(ownerID: "I", name: "metadata.order", value: "O1", orderRank: 1, landedFile: 2),
      ReferenceRecord(ownerID: "P", name: "metadata.old", value: "O0", orderRank: 1, landedFile: 0),
      ReferenceRecord(ownerID: "P", name: "metadata.order", value: "O1", orderRank: 1, landedFile: 1),
      ReferenceRecord(ownerID: "P", name: "transfer_group", value: "G", landedFile: 1),
    ]
    let bundle = try #require(Assembly(records, instants: [0, 10]).bundles.first)
    let found = bundle.references.map { "\($0.value) \($0.orderRank.map(String.init) ?? "-")" }
    #expect(found == ["P -", "I -", "O1 2", "G -"])
  }

  @Test("Texts are equal and ordered by their bytes, as in the store")
  func texts() {
    #expect(Text("e\u{301}") != Text("\u{E9}") && Set([Text("e\u{301}"), Text("\u{E9}")]).count == 2)
    #expect(["b", "a", "B", "é"].map { Text($0) }.sorted().map(\.string) == ["B", "a", "b", "é"])
    #expect(Text("P#row").rest(after: "P", "#") == "row" && Text("Px#row").rest(after: "P", "#") == nil)
    #expect(Text("ChargeBACK").lowercased == "chargeback")
  }
}
