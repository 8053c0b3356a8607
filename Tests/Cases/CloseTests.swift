import Foundation
import Marketplace
import TestSupport
import Testing

/// Months that are closed while the nights go on.
@Suite("Closed periods", .onItsOwnThread, .serialized)
struct CloseTests {
  /// 120 where somebody asks for all of them.
  static let nights = ProcessInfo.processInfo.environment["CROSSFOOT_CLOSE_NIGHTS"].flatMap(Int.init) ?? 10

  @Test(
    "Three closes with late and changed records: sealed bytes stay, sealed and noted equal derived, every night",
    arguments: TestStore.all)
  func nights(engine: TestStore) async throws {
    let third = Self.nights / 4
    try await withClosingWorld(
      seed: 3, nights: Self.nights, accounts: [.stripe, .afterpayUS], orders: 24, faults: 10,
      periods: [("P01", 1), ("P02", 1 + third), ("P03", 1 + 2 * third)], on: engine
    ) { world in
      for night in 1...Self.nights { try await world.live(night) }
      #expect(world.adjustments > Self.nights / 2, "\(world.adjustments)")
      #expect(world.reasons.isSuperset(of: ["late_record", "changed_record"]), "\(world.reasons)")
      try await world.expectBroken(Self.nights)
      print("\(engine.rawValue): \(Self.nights) nights, \(world.adjustments) adjustments, \(world.reasons)")
    }
  }
}
