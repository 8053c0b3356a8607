import Foundation
import TestSupport
import Testing

@Suite("The demo", .onItsOwnThread, .serialized)
struct DemoTests {
  @Test(
    "A demo lists a discrepancy for each planted fault, publishes a workbook, and can be made with another seed"
  )
  func demo() throws {
    let folder = try TemporaryFolder()
    for seed in ["1", "2"] {
      let ended = try CommandRun(
        [
          "demo", "--directory", folder.path, "--orders", "200", "--faults", "12", "--seed", seed, "--resources",
          Self.checkout,
        ])
      #expect(ended.status == 0, "seed \(seed): \(ended.errors)")
      #expect(ended.output.contains("12 faults were planted"))
      let discrepancies = try folder.read("output/latest/discrepancies.csv").split(separator: "\n").dropFirst()
      #expect(discrepancies.count == 12, "seed \(seed)")
      #expect(FileManager.default.fileExists(atPath: folder.path + "/output/latest/reconciliation.xlsx"))
    }
  }

  @Test("After a demo explain and status know its records, and doctor examines its folders")
  func afterwards() throws {
    let folder = try TemporaryFolder()
    let demo = try CommandRun(
      ["demo", "--directory", folder.path, "--orders", "50", "--faults", "0", "--quiet", "--resources", Self.checkout])
    #expect(demo.status == 0 && demo.output.isEmpty, "\(demo.errors)")
    let order = try #require(
      try folder.read("orders.csv").split(separator: "\n").dropFirst().first?.split(separator: ",").first)
    let story = try CommandRun(["explain", String(order), "--resources", Self.checkout], in: folder.path)
    #expect(story.status == 0 && story.output.contains(order), "\(story.errors)")
    #expect(try CommandRun(["status", "--resources", Self.checkout], in: folder.path).status == 0)
    let unknown = try CommandRun(["explain", "ch_nowhere", "--resources", Self.checkout], in: folder.path)
    #expect(unknown.status == 64 && unknown.errors.contains("ch_nowhere"))
    let doctor = try CommandRun(["doctor", "--format", "json", "--resources", Self.checkout], in: folder.path)
    #expect(
      doctor.status != 0 && doctor.output.contains("\"subject\" : \"credentials\""), "nobody serves the demo any more")
  }

  @Test("With --format json standard output is one value")
  func json() throws {
    let folder = try TemporaryFolder()
    let demo = try CommandRun(
      [
        "demo", "--directory", folder.path + "/demo", "--orders", "20", "--faults", "0", "--format", "json",
        "--resources", Self.checkout,
      ])
    let result = try JSONSerialization.jsonObject(with: Data(demo.output.utf8)) as? [String: Any]
    #expect(demo.status == 0 && result?["verdict"] as? String == "clean", "\(demo.output)\(demo.errors)")
    #expect(demo.errors.contains("Workbook: "))
  }

  @Test("A folder that holds something else is not touched")
  func foreignFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("output/mine", "x")
    let ended = try CommandRun(["demo", "--directory", folder.path, "--resources", Self.checkout])
    #expect(ended.status == 64 && ended.errors.contains("something else than a demo"))
    #expect(try folder.read("output/mine") == "x")
  }

  /// The folder of this checkout, which holds sql and reports.
  private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
}
