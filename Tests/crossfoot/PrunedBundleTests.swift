import Foundation
import Reconciliation
import TestSupport
import Testing

@testable import crossfoot

/// What is left of a closed period once landed files that it rests on were pruned.
@Suite("Bundles after a prune", .onItsOwnThread, .serialized)
struct PrunedBundleTests {
  /// A night of the site's configuration, a given number of days after the last one.
  private static func night(_ world: ClosingSite, daysLater days: Int64) throws -> ReconciliationRun {
    try Wiring.yesterday(
      CommandContext(
        configuration: world.path + "/crossfoot.yml", connects: false,
        resources: { try Resources.find(option: NightSite.checkout) }), now: .now + days * 86_400)
  }

  /// Nothing works the pruned days out again, and what was published of them stays.
  private static func expectRefused(_ world: ClosingSite) async throws {
    let published = ClosingSite.files(world.path + "/output/.published")
    for words in [
      ["report", "--from", "2026-03-01", "--to", "2026-03-10"],
      ["run", "--no-pull", "--date", "2026-03-05"], ["run", "--no-pull", "--dry-run", "--date", "2026-03-05"],
      ["export", "journal", "--format", "hledger", "--date", "2026-03-05"],
      ["reopen", "P01", "--note", "too late"],
    ] {
      let refused = try await world.command(words)
      #expect(
        refused.status == 74 && refused.errors.contains("`crossfoot prune` has let go"),
        "\(words): \(refused.output)\(refused.errors)")
    }
    #expect(ClosingSite.files(world.path + "/output/.published") == published && !published.isEmpty)
    let unknown = try await world.command(["explain", "ch_gone"])
    #expect(unknown.status == 64 && unknown.errors.contains(" was pruned, and is in the reports of its days alone"))
    let checked = try await world.command(["close", "P02", "--check"])
    #expect(checked.status == 1 && checked.output.contains("`crossfoot prune` has let go"), "\(checked.output)")
  }

  /// What the bundle of a folder is found to be, derived once more.
  private static func verified(_ folder: String) throws -> Verification {
    let bundle = try BundleVerification(folder)
    let workplace = try CommandContext(
      configuration: try bundle.configuration(), connects: false,
      resources: { try Resources.find(option: NightSite.checkout) })
    return try bundle.derive(Wiring.yesterday(workplace), after: bundle.examine())
  }

  @Test("prune says which closed period loses its bundle, one made before stays whole, and a later period has one")
  func pruned() async throws {
    try await ClosingSite.serve(orders: 8, faults: 0) { world in
      let configuration = try world.site.folder.read("crossfoot.yml")
      let retained = configuration.replacing(
        /landing:\n? *\{?directory: [^,}\n]*\}?/, with: "landing: {directory: landing, retention: 180d}")
      #expect(retained != configuration)
      try world.site.folder.write("crossfoot.yml", retained)
      try await world.close("P01")
      #expect(try await world.command(["bundle", "P01", "before"]).status == 0)
      let later = try Self.night(world, daysLater: 200)
      let dry = try later.prune(who: "ada", isDry: true)
      #expect(dry.landedFiles > 0 && dry.closedPeriods == ["P01"], "\(dry)")
      #expect(dry.lines.contains { $0.hasPrefix("closed periods rest on them: P01; ") }, "\(dry.lines)")
      #expect(try await world.command(["bundle", "P01", "dry"]).status == 0)
      let done = try later.prune(who: "ada", isDry: false)
      #expect(done.landedFiles == dry.landedFiles && done.closedPeriods == ["P01"])
      let refused = try await world.command(["bundle", "P01", "after"])
      #expect(refused.status == 74 && refused.errors.contains("the seal rests on it, and it was pruned on 20"))
      #expect(!FileManager.default.fileExists(atPath: world.path + "/after"))
      #expect(try later.verify().isWhole)
      try await Self.expectRefused(world)
      for folder in ["before", "dry"] {
        #expect(try Self.verified("\(world.path)/\(folder)").faults.map(\.sentence) == [], "\(folder)")
      }
      var order = CloseOrder(
        period: try Period("P02", later.settings, later.calendar), preparedBy: "ada", note: "after the prune")
      order.overrides = true
      #expect(try later.close(order).isClosed)
      let packed = try later.bundle("P02", to: world.path + "/next")
      let next = try Self.verified(packed)
      #expect(next.faults.map(\.sentence) == [] && next.erasures == nil)
      #expect(try later.prune(who: "ada", isDry: true).closedPeriods == [])
    }
  }
}
