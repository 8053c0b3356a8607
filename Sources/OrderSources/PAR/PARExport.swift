import Foundation
import JSON
import Payments

/// All calls of a folder of exports, by their subject: files may arrive twice, in any order, with lines in any order.
struct PARExport {
  /// The newest version of an order.
  struct VersionedOrder {
    var status: String
    var totalMinor: Int64
    var hash: String?
    /// When it was first created, and when this version was, Unix seconds UTC.
    var placedAt: Int64
    var changedAt: Int64
    var location: String
  }
  /// A call that started or continued a payment; one that is exported twice counts once.
  struct InitCall: Hashable {
    var hash: String
    var call: String
    var at: Int64
    var amountMinor: Int64?
    var asksApproval: Bool
  }
  private(set) var orders: [String: VersionedOrder] = [:]
  private(set) var inits: [InitCall: String] = [:]
  private(set) var refused: [(stream: OrderStream, row: QuarantinedRow)] = []
  /// The names of calls that are not read, for the log.
  private(set) var unread: Set<String> = []

  /// Adds the content of a file.
  ///
  /// - Throws: the error of the file system.
  mutating func add(file path: String) throws {
    let name = (path as NSString).lastPathComponent
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    let parser = JSONParser()
    var number = 0
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      number += 1
      let line = bytes[start..<end]
      if !line.allSatisfy({ [9, 13, 32].contains($0) }) { add(line, parser, location: "\(name):\(number)") }
      start = end + 1
    }
  }

  private mutating func add(_ line: Data, _ parser: JSONParser, location: String) {
    // An unreadable line may have been an order, unless it shows otherwise.
    var stream = OrderStream.orders
    var id = ""
    do {
      let call = try line.withUnsafeBytes { bytes in
        try parser.parse(bytes) { value in
          if value["call"].isString("init-payment") || value["call"].isString("auth-payment") { stream = .inits }
          id = (try? value["response"]["data"]["id"].optionalString()) ?? ""
          return try PARCall(value)
        }
      }
      add(call, location: location)
    } catch {
      refused.append((stream, QuarantinedRow(location: location, recordID: id, reason: "\(error)")))
    }
  }

  private mutating func add(_ call: PARCall, location: String) {
    switch call.deed {
    case .nothing: if call.at == 0 { unread.insert(call.word) }
    case .started(let hash, let word, let amount, let asksApproval):
      let started = InitCall(hash: hash, call: word, at: call.at, amountMinor: amount, asksApproval: asksApproval)
      inits[started] = inits[started] ?? location
    case .order(let id, let status, let total, let hash):
      // An order contains its hash too: a payment that was never initialised is known by its order alone.
      if let hash {
        let started = InitCall(hash: hash, call: call.word, at: call.at, amountMinor: nil, asksApproval: false)
        inits[started] = inits[started] ?? location
      }
      add(
        id,
        VersionedOrder(
          status: status, totalMinor: total, hash: hash, placedAt: call.at, changedAt: call.at, location: location))
    }
  }

  /// A later call with the same id is a newer version of the order (tips, edits); its date is that of the first
  /// version.
  private mutating func add(_ id: String, _ version: VersionedOrder) {
    guard let known = orders[id] else {
      orders[id] = version
      return
    }
    var newest = version.changedAt >= known.changedAt ? version : known
    newest.placedAt = min(version.placedAt, known.placedAt)
    newest.hash = newest.hash ?? known.hash ?? version.hash
    orders[id] = newest
  }
}
