import Foundation
import Marketplace
import TestSupport
import Testing

@testable import crossfoot

/// The nights of two accounts that are well, each run once.
private actor CalmNights {
  static let shared = CalmNights()
  private var told: [String: FailureNight.Outcome] = [:]

  func night(beside other: AccountPlan, _ cell: FailureCell) async throws -> FailureNight.Outcome {
    var key = cell.account.name
    if case .networkAPI = cell.cause { key += " with its API" }
    if let known = told[key] { return known }
    let night = try await FailureNight(accounts: [cell.account, other]).run(cell, isMending: true)
    told[key] = night
    return night
  }
}

/// The failure table: for each provider and each trouble what the run says, its exit status, and that nothing else
/// changed.
@Suite("The failure table", .onItsOwnThread, .serialized)
struct FailureTableTests {
  @Test("each provider has each trouble, or a reason why not")
  func whole() {
    for kind in [AccountPlan.Kind.stripe, .payPal, .adyen, .afterpay, .cashApp] {
      for trouble in FailureCell.Trouble.allCases {
        let has = FailureTable.cells.contains { $0.account.kind == kind && $0.trouble == trouble }
        let reason = FailureTable.without[kind]?[trouble]
        #expect(has != (reason != nil), "\(kind.rawValue): \(trouble.rawValue)")
      }
    }
  }

  @Test(
    "beside a provider that is well: the sentence, the status, and the other's rows as on a calm night",
    arguments: FailureTable.cells)
  func together(cell: FailureCell) async throws {
    let other: AccountPlan = cell.account.kind == .stripe ? .payPal : .stripe
    let night = FailureNight(accounts: [cell.account, other])
    let told = try await night.run(cell)
    expectWords(cell, told)
    #expect(told.status == cell.together, "\(told.reasons)")
    let calm = try await CalmNights.shared.night(beside: other, cell)
    #expect(calm.status == .clean && calm.reasons.isEmpty, "\(calm.status) \(calm.reasons)")
    #expect(Set(told.files.keys) == Set(calm.files.keys))
    for (name, lines) in calm.files.sorted(by: { $0.key < $1.key }) {
      let (found, expected) = (rows(of: other.name, told.files[name] ?? []), rows(of: other.name, lines))
      #expect(found == expected, "\(name): \(Set(found).symmetricDifference(expected).sorted().prefix(4))")
      if ["entries.csv", "fund_flows.csv", "order_matches.csv"].contains(name) { #expect(!expected.isEmpty) }
    }
  }

  @Test("by itself: the sentence and the status", arguments: FailureTable.cells)
  func alone(cell: FailureCell) async throws {
    let told = try await FailureNight(accounts: [cell.account]).run(cell)
    expectWords(cell, told)
    #expect(told.status == cell.alone, "\(told.reasons)")
    #expect(told.files.isEmpty == [.unreachable, .credentials].contains(cell.alone))
  }

  private func expectWords(_ cell: FailureCell, _ told: FailureNight.Outcome) {
    let said = told.reasons + (told.files["quarantine.csv"] ?? []).dropFirst()
    #expect(said.isEmpty == cell.words.isEmpty, "\(said)")
    for word in cell.words { #expect(said.contains { $0.contains(word) }, "\(word) in \(said)") }
    let found = Set((told.files["discrepancies.csv"] ?? []).dropFirst().map { $0.split(separator: ",")[1] })
    #expect(found.isSubset(of: cell.findings.map { $0[...] }), "\(found)")
  }

  /// The rows of one provider: its name is in the column `provider`, in the quarantine in `source`.
  private func rows(of provider: String, _ lines: [String]) -> [String] {
    let header = (lines.first ?? "").split(separator: ",")
    guard let column = header.firstIndex(where: { $0 == "provider" || $0 == "source" }) else { return lines }
    return lines.filter { line in
      let cells = line.split(separator: ",", maxSplits: column + 1, omittingEmptySubsequences: false)
      return cells.count > column && cells[column] == provider
    }
  }
}
