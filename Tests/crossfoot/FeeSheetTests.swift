import Foundation
import TestSupport
import Testing

/// The rate card beside the fees, and the fees of the two sheets that show them.
@Suite("The sheet Fees", .onItsOwnThread, .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"), .serialized)
struct FeeSheetTests {
  private func rows(_ book: WorkbookFile) async throws -> [[String: String]] {
    let all = try await book.rows("Fees")
    let names = try #require(all.count > 1 ? all[1] : nil)
    return all.dropFirst(2).prefix { !$0[0].isEmpty }.map {
      Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first })
    }
  }

  @Test("A rate card without a method applies to every method that has none of its own; its own goes before it")
  func card() async throws {
    let (folder, _) = try DemoNight.publish()
    let text = try folder.read("demo/crossfoot.yml")
    let cards = try #require(text.range(of: "rate_cards:"))
    let before = text[..<cards.lowerBound]
    try folder.write("demo/crossfoot.yml", String(before))
    let general = """
      rate_cards:
        - {provider: stripe, currency: EUR, percent: 2.9, fixed: 0.30, from: 2026-01-01}
        - {provider: paypal, currency: USD, percent: 2.9, fixed: 0.30, from: 2026-01-01}

      """
    let shown = try await processing(try DemoNight.publishAgain(in: folder, further: general))
    let methods = shown["stripe EUR"] ?? [:]
    #expect(methods.count > 1 && methods["card"] != nil && shown["paypal USD"]?.keys.contains("") == true, "\(shown)")
    // 2.9 % and 0.30 of each of so many captures: above the percentage alone, below one with a generous fixed part.
    for (method, row) in methods.merging(shown["paypal USD"] ?? [:], uniquingKeysWith: { first, _ in first }) {
      let (taken, card) = (Double(row["Taken by the method"] ?? "") ?? 0, Double(row["Rate card"] ?? "") ?? 0)
      #expect(card > taken * 0.029 && card < taken * 0.06, "\(method): \(row)")
    }
    #expect(
      shown["stripe USD"]?.values.allSatisfy { $0["Rate card"]?.isEmpty == true } == true,
      "where no card covers them it is blank")
    let own = "  - {provider: stripe, currency: EUR, method: card, percent: 0, fixed: 0, from: 2026-01-01}\n"
    let apart = try await processing(try DemoNight.publishAgain(in: folder, further: own))["stripe EUR"] ?? [:]
    #expect(Double(apart["card"]?["Rate card"] ?? "") == 0)
    for (method, row) in methods where method != "card" {
      #expect(apart[method]?["Rate card"] == row["Rate card"], "\(method)")
    }
  }

  /// The lines of type processing of payments, by provider and currency, then by method.
  private func processing(_ book: WorkbookFile) async throws -> [String: [String: [String: String]]] {
    let lines = try await rows(book).filter {
      $0["Fee type"] == "processing" && Double($0["Taken by the method"] ?? "") ?? 0 > 0
    }
    return Dictionary(grouping: lines) { "\($0["Provider"] ?? "") \($0["Currency"] ?? "")" }.mapValues { lines in
      Dictionary(lines.map { ($0["Method"] ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  @Test("The lines of a provider and currency come to the provider fees of the first sheet")
  func sums() async throws {
    let (folder, saved) = try DemoNight.publish()
    defer { withExtendedLifetime(folder) {} }
    var sums: [String: Decimal] = [:]
    for row in try await rows(saved) where !["application", "platform"].contains(row["Fee type"]) {
      sums["\(row["Provider"] ?? "") \(row["Currency"] ?? "")", default: 0] += Decimal(string: row["Amount"] ?? "") ?? 0
    }
    let summary = try await saved.rows("Summary")
    let heading = try #require(summary.firstIndex { $0.contains("Provider fees") })
    let place = try #require(summary[heading].firstIndex(of: "Provider fees"))
    let lines = summary[(heading + 1)...].prefix { !$0[0].isEmpty }
    #expect(lines.count > 5)
    for line in lines {
      let (found, expected) = (sums["\(line[0]) \(line[1])"] ?? 0, Decimal(string: line[place]) ?? 0)
      #expect(
        abs(NSDecimalNumber(decimal: found - expected).doubleValue) < 0.000_5,
        "\(line[0]) \(line[1]): \(found) and \(expected)")
    }
  }
}
