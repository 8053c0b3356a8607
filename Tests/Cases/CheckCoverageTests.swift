import Foundation
import Marketplace
import Reconciliation
import TestSupport
import Testing

/// No check can be lost unnoticed: each has a file, each file a plant, each plant a harmless look-alike, and no other
/// file finds it.
@Suite("Check coverage", .onItsOwnThread, .serialized)
struct CheckCoverageTests {
  /// docs/discrepancies.md, its types in their order.
  static let catalogue = """
    missing_payment missing_order amount_mismatch currency_mismatch duplicate_payment ambiguous_match
      captured_after_cancel
    authorisation_uncaptured payment_failed_after_paid approval_stuck init_without_order duplicate_init_hash
    missing_refund unrecorded_refund refund_amount_mismatch over_refunded refund_failed refund_pending
      possible_duplicate_refund
    transfer_missing transfer_amount_mismatch wrong_destination over_transferred application_fee_missing
      application_fee_mismatch
    application_fee_capped refund_without_reversal under_reversed reversal_without_refund application_fee_not_returned
    application_fee_over_returned failed_refund_still_reversed failed_payment_not_reversed provider_fee_deviation
      fee_sum_mismatch
    fx_loss flow_out_of_balance unexplained_difference
    dispute_opened dispute_lost dispute_won_unreturned dispute_inquiry
    settlement_overdue payout_mismatch payout_failed batch_gap batch_out_of_balance settlement_row_broken
      unsettled_refund
    orphan_settlement balance_mismatch
    unknown_record_type record_changed late_record report_late credential_expiring
    """
  /// What would silence the rest of an account, or needs a clock beside the records: reported by stories, one of each.
  static let ofStories: Set = ["batch_gap", "report_late", "credential_expiring"]
  /// What no marketplace can plant, since it would be a defect of ours: ProofTests corrupts the store for them.
  static let ofDefects: Set = ["flow_out_of_balance", "unexplained_difference"]

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
  }

  private static func files() throws -> Set<String> {
    Set(try CheckDefinition.all([TestStore.repository + "/sql/checks"]).map(\.type))
  }

  @Test("every check of the catalogue has a file, and there are no others")
  func files() throws {
    #expect(try Self.files() == Self.words(Self.catalogue))
  }

  @Test(
    "every file has a plant at some account or a story, and the two that speak of our own defects have a corruption")
  func plants() throws {
    let planted = Set(AccountPlan.all.flatMap(\.types).map(\.rawValue))
    #expect(try Self.files() == planted.union(Self.ofDefects).union(Self.ofStories))
    #expect(Self.ofDefects.isSubset(of: Set(Corruption.all.flatMap(\.red).compactMap { $0["type"] })))
    let stories = try Story.files.map { try String(contentsOfFile: "\(Story.folder)/\($0)", encoding: .utf8) }
    for type in Self.ofStories { #expect(stories.contains { $0.contains("type: \(type)") }, "no story tells \(type)") }
  }

  @Test("over ten seeds every type is planted at least five times and has a look-alike")
  func seeds() throws {
    var plants: [FaultType: Int] = [:]
    var lookAlikes: Set<FaultType> = []
    for seed in MarketplaceTests.seeds {
      let market = try Market.generate(
        MarketPlan(seed: seed, orders: MarketplaceTests.orders, faults: MarketplaceTests.faults))
      for fault in market.planted { plants[fault.type, default: 0] += 1 }
      lookAlikes.formUnion(market.lookAlikes.flatMap(\.resembles))
    }
    let rare = FaultType.stripe.filter { plants[$0, default: 0] < 5 }
    #expect(rare.isEmpty, "planted less than five times: \(rare.map { "\($0.rawValue) \(plants[$0, default: 0])" })")
    let alone = FaultType.stripe.filter { !lookAlikes.contains($0) }
    #expect(alone.isEmpty, "nothing harmless looks like \(alone.map(\.rawValue))")
  }

  @Test("a check that is disabled turns the comparison with what was planted red, whichever it is")
  func disabled() async throws {
    let plan = MarketPlan(seed: 21, orders: 300, faults: 2 * FaultType.stripe.count)
    let market = try Market.generate(plan)
    let servers = try await MarketServers.start(market)
    defer { Task { await servers.stop() } }
    try await withStoryStore(.sqlite) { folder, url in
      var run = MarketNight(servers: servers, night: 1, folder: folder, storeURL: url)
      _ = try await run.publish()
      run = MarketNight(servers: servers, night: 2, folder: folder, storeURL: url)
      let place = try await run.publish()
      try run.compare(place)
      let whole = try open(place)
      run.pulls = false
      for type in FaultType.stripe.map(\.rawValue) {
        run.resources = try resources(in: folder, without: type)
        let place = try await run.publish()
        // Once, the marketplace's own comparison; for the rest the same in less words: what is gone was found by that
        // file alone.
        if type == FaultType.lateRecord.rawValue { withKnownIssue { try run.compare(place) } }
        compare(whole, try open(place), without: type)
      }
    }
  }

  /// What is gone is of that type, all of it; what is new is the residual of the control total.
  private func compare(_ whole: Set<String>, _ rest: Set<String>, without type: String) {
    let gone = whole.subtracting(rest)
    #expect(
      gone == whole.filter { $0.hasPrefix("\(type) ") } && !gone.isEmpty, "without \(type): gone are \(gone.sorted())")
    let new = rest.subtracting(whole)
    let isTerm = Self.termsOfControlTotal.contains(type)
    #expect(new.isEmpty != isTerm, "without \(type): new are \(new.sorted())")
    #expect(new.allSatisfy { $0.hasPrefix("unexplained_difference ") }, "without \(type): new are \(new.sorted())")
  }

  /// The findings whose absence the control total notices by itself.
  private static let termsOfControlTotal = words(
    """
    missing_payment missing_order amount_mismatch currency_mismatch duplicate_payment captured_after_cancel
    ambiguous_match payment_failed_after_paid init_without_order duplicate_init_hash
    """)

  private func open(_ place: String) throws -> Set<String> {
    let rows = try CSVTable("\(place)/discrepancies.csv").rows.filter { $0["state"] != "resolved" }
    return Set(rows.map { "\($0["type"] ?? "") \($0["discrepancy_id"] ?? "") \($0["difference"] ?? "")" })
  }

  /// A copy of the resources that lacks one check.
  private func resources(in folder: String, without type: String) throws -> ResourceFolders {
    let root = "\(folder)/without-\(type)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "\(TestStore.repository)/sql", toPath: "\(root)/sql")
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/reports", withDestinationPath: "\(TestStore.repository)/reports")
    try FileManager.default.removeItem(atPath: "\(root)/sql/checks/\(type).sql")
    return ResourceFolders(root: root)
  }
}
