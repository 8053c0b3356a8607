import Foundation
import Landing
import Marketplace
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Records that no reader should have to take: only they are quarantined, with file, line and path, and all else is
/// reconciled.
@Suite("A record that cannot be read", .onItsOwnThread, .serialized)
struct BadRecordTests {
  /// How a charge's bytes are spoiled, and what is said of it; nil: it can be read after all.
  struct Spoiling: Sendable {
    let name: String
    let change: @Sendable (_ charge: String) -> [UInt8]
    let said: String?
  }

  static let all: [Spoiling] = [
    Spoiling(
      name: "a string of 10 MB that is kept",
      change: { member("\"status\":\"", of: $0, becomes: Array(repeating: 97, count: 10 << 20)) }, said: nil),
    Spoiling(
      name: "a depth of 10,000",
      change: { charge in
        Array(charge.utf8.dropLast()) + Array(",\"transfer_group\":".utf8)
          + Array(repeating: UInt8(ascii: "["), count: 10_000)
          + Array(repeating: UInt8(ascii: "]"), count: 10_000) + [UInt8(ascii: "}")]
      }, said: "found more than 64 levels of arrays and objects, expected fewer"),
    Spoiling(
      name: "invalid UTF-8", change: { member("\"status\":\"", of: $0, becomes: [0xC3, 0x28, 0xFF]) },
      said: "found bytes that are not UTF-8, expected one JSON document"),
    Spoiling(
      name: "an amount beyond Int64",
      change: { member("\"amount\":", of: $0, becomes: Array("92233720368547758080".utf8)) },
      said: "$.amount: "),
    Spoiling(
      name: "the largest amount of 64 bits",
      change: { member("\"amount\":", of: $0, becomes: Array("9223372036854775807".utf8)) },
      said: "$.amount: found 9223372036854775807 minor units"),
    Spoiling(
      name: "an amount of one more than the limit",
      change: { member("\"amount\":", of: $0, becomes: Array("1000000000000001".utf8)) },
      said: "$.amount: found 1000000000000001 minor units"),
    Spoiling(
      name: "a date before everything",
      change: { member("\"created\":", of: $0, becomes: Array("-9223372036854775808".utf8)) },
      said: "$.created: found "),
    Spoiling(
      name: "a date after everything",
      change: { member("\"created\":", of: $0, becomes: Array("9223372036854775807".utf8)) },
      said: "$.created: found "),
    Spoiling(
      name: "an amount with a fraction", change: { member("\"amount\":", of: $0, becomes: Array("1e400".utf8)) },
      said: "$.amount: "),
    Spoiling(
      name: "an amount that is text", change: { member("\"amount\":", of: $0, becomes: Array("\"ten\"".utf8)) },
      said: "$.amount: "),
  ]

  /// The object with the value of a member replaced, up to what ends it.
  private static func member(_ beginning: String, of object: String, becomes value: [UInt8]) -> [UInt8] {
    guard let start = object.range(of: beginning) else { return Array(object.utf8) }
    let rest = object[start.upperBound...]
    let end = rest.firstIndex { "\",}".contains($0) } ?? rest.endIndex
    return Array(object[..<start.upperBound].utf8) + value + Array(rest[end...].utf8)
  }

  @Test("In a page that is served", arguments: 0..<all.count)
  func served(row: Int) async throws {
    let spoiling = Self.all[row]
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let calm = try site.lines("order_matches.csv")
      let proxy = try await SpoilingProxy(before: site.baseURL, spoiling.change)
      try FileManager.default.removeItem(atPath: site.folder.path + "/landing")
      try site.forgetStore()
      try site.configure { $0.replacing(site.baseURL, with: proxy.server.baseURL) }
      let ended = try await site.run()
      #expect(proxy.charge != nil, "nothing was spoiled")
      let file = try #require(try site.landed("charges").last).replacing("landing/", with: "")
      try expect(ended, spoiling, charge: proxy.charge ?? "", file: file, calm, at: site)
      await proxy.server.stop()
      try site.configure()
      try await site.run().expect(0, "the next good pull mends it")
      #expect(try site.lines("order_matches.csv") == calm)
    }
  }

  @Test("In a file that has landed", arguments: 0..<all.count)
  func landed(row: Int) async throws {
    let spoiling = Self.all[row]
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let calm = try site.lines("order_matches.csv")
      let (id, line) = try Self.landOnce(more: "\(site.folder.path)/landing", spoiling.change)
      let file = try #require(try site.landed("charges").last).replacing("landing/", with: "")
      let ended = try await site.run("run", ["--no-pull"])
      // Of what is no JSON at all nobody knows whose record it is.
      let isJSON = spoiling.said?.hasPrefix("$") ?? true
      try expect(ended, spoiling, charge: isJSON ? id : "", file: "\(file):\(line)", calm, at: site)
    }
  }

  /// Lands the charges once more, the third of them spoiled.
  private static func landOnce(more directory: String, _ change: (String) -> [UInt8]) throws -> (id: String, line: Int)
  {
    let landing = Landing(directory: directory)
    let manifest = try #require(try landing.manifests().first { $0.stream == "charges" })
    let writer = try landing.open(manifest.pull, observedAt: manifest.observedAt + 1)
    var id = ""
    try landing.read(manifest) { bytes, number in
      let text = String(decoding: bytes, as: UTF8.self)
      if number == 3 { id = text.components(separatedBy: "\"id\":\"").last?.components(separatedBy: "\"").first ?? "" }
      try writer.append(line: number == 3 ? change(text) : Array(bytes))
    }
    _ = try writer.finish(complete: true)
    return (id, 3)
  }

  private func expect(
    _ ended: CommandRun, _ spoiling: Spoiling, charge: String, file: String, _ calm: [String], at site: NightSite
  ) throws {
    let quarantine = try site.lines("quarantine.csv")
    guard let said = spoiling.said else {
      #expect(
        quarantine.isEmpty && ended.status != 70, "\(quarantine.map { $0.prefix(200) }) \(ended.errors.prefix(500))")
      return
    }
    #expect(ended.status == 2, "\(ended.output)\(ended.errors)")
    #expect(ended.output.contains("stripe/charges: some of it was refused: see quarantine.csv"), "\(ended.output)")
    #expect(quarantine.count == 1, "\(quarantine)")
    let row = quarantine.first ?? ""
    #expect(row.hasPrefix("stripe,\(file)") && row.contains(",\(charge),") && row.contains(said), "\(row)")
    #expect(row.utf8.count < 1000, "a quarantine row is no place for a whole record")
    let others = try site.lines("order_matches.csv").filter { charge.isEmpty || !$0.contains(charge) }
    let same = Set(calm).intersection(others)
    #expect(same.count >= calm.count - 1, "\(Set(calm).subtracting(others))")
    #expect(
      try site.lines("discrepancies.csv").allSatisfy { charge.isEmpty || !$0.contains(charge) },
      "nothing is claimed from ignorance")
  }
}

/// Stands before an endpoint and spoils one charge of every list of charges.
private final class SpoilingProxy: Sendable {
  let server: LoopbackServer
  /// The id of the charge that is spoiled.
  let charge: String?

  init(before baseURL: String, _ change: @escaping @Sendable (String) -> [UInt8]) async throws {
    let (first, _) = try await Self.get("\(baseURL)/v1/charges?limit=3", "Bearer \(NightSite.key)")
    let id = String(decoding: first, as: UTF8.self).components(separatedBy: "{\"id\":\"ch_").dropFirst(2).first?
      .components(separatedBy: "\"").first.map { "ch_" + $0 }
    charge = id
    server = try await LoopbackServer { asked in
      var place = URLComponents()
      place.queryItems = asked.query.map { URLQueryItem(name: $0.name, value: $0.value) }
      let query = asked.query.isEmpty ? "" : "?" + (place.percentEncodedQuery ?? "")
      guard let (body, status) = try? await Self.get(baseURL + asked.path + query, asked.headers["authorization"] ?? "")
      else {
        return .silence
      }
      let spoiled = asked.path == "/v1/charges" ? Self.spoil(body, id ?? "", change) : Array(body)
      return .bytes(status, headers: ["Content-Type": "application/json"], body: spoiled)
    }
  }

  private static func get(_ place: String, _ authorization: String) async throws -> (Data, Int) {
    var request = URLRequest(url: try #require(URL(string: place)))
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    let (body, response) = try await URLSession.shared.data(for: request)
    return (body, (response as? HTTPURLResponse)?.statusCode ?? 0)
  }

  /// The page with that object's bytes changed.
  private static func spoil(_ body: Data, _ id: String, _ change: (String) -> [UInt8]) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self)
    guard let start = text.range(of: "{\"id\":\"\(id)\"") else { return Array(body) }
    var (depth, end) = (0, start.lowerBound)
    repeat {
      depth += text[end] == "{" ? 1 : text[end] == "}" ? -1 : 0
      end = text.index(after: end)
    } while depth > 0
    return Array(text[..<start.lowerBound].utf8) + change(String(text[start.lowerBound..<end]))
      + Array(text[end...].utf8)
  }
}
