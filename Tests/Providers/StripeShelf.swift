import Foundation
import Synchronization
import TestSupport

/// Stripe's API on loopback as a test fills it: lists with windows, filters and cursors, objects by id, sub-lists.
final class StripeShelf: Sendable {
  /// One object and what lists filter it by.
  struct Thing: Sendable {
    var id: String
    var created: Int64
    var json: String
    var keys: [String: String]
  }

  private struct State {
    var lists: [String: [Thing]] = [:]
    var counts: [String: Int] = [:]
    var balances: [String] = []
  }
  private let state = Mutex(State())
  /// Answers instead of the shelf, if it wants to; given the request and its number on that path, from 1.
  private let interfere: @Sendable (LoopbackServer.Asked, Int) -> LoopbackServer.Reply?

  init(interfere: @escaping @Sendable (LoopbackServer.Asked, Int) -> LoopbackServer.Reply? = { _, _ in nil }) {
    self.interfere = interfere
  }

  /// Puts an object on a list's shelf, `/v1/` left out; an id that is there is replaced.
  func put(
    _ list: String, _ id: String, created: Int64, _ members: [String: String] = [:], keys: [String: String] = [:]
  ) {
    let object = list.hasSuffix("s") ? String(list.dropLast()) : list
    var all = ["id": "\"\(id)\"", "created": "\(created)", "object": "\"\(object)\""].merging(members) { $1 }
    if all["currency"] == nil { all["currency"] = "\"usd\"" }
    let json = "{" + all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    state.withLock { state in
      state.lists[list, default: []].removeAll { $0.id == id }
      state.lists[list, default: []].append(Thing(id: id, created: created, json: json, keys: keys))
    }
  }

  /// A ledger row.
  func row(
    _ id: String, created: Int64, net: Int64 = 100, type: String = "charge", source: String?, payout: String? = nil
  ) {
    var keys: [String: String] = [:]
    keys["source"] = source
    keys["payout"] = payout
    put(
      "balance_transactions", id, created: created,
      [
        "amount": "\(net)", "fee": "0", "net": "\(net)", "type": "\"\(type)\"",
        "source": source.map { "\"\($0)\"" } ?? "null",
        "fee_details": "[]", "status": "\"available\"",
      ], keys: keys)
  }

  /// Takes an object away.
  func remove(_ list: String, _ id: String) {
    state.withLock { $0.lists[list]?.removeAll { $0.id == id } }
  }

  /// What `/v1/balance` says, one amount in usd for each look; the last one stays.
  func state(balances: [Int64]) {
    state.withLock { state in
      state.balances = balances.map {
        #"{"object":"balance","available":[{"amount":\#($0),"currency":"usd"}],"pending":[]}"#
      }
    }
  }

  func answer(_ asked: LoopbackServer.Asked) -> LoopbackServer.Reply {
    let count = state.withLock { state in
      state.counts[asked.path, default: 0] += 1
      return state.counts[asked.path] ?? 0
    }
    if let reply = interfere(asked, count) { return reply }
    let path = asked.path.split(separator: "/").dropFirst().map(String.init)
    if path == ["balance"] { return balance(count) }
    if path == ["account"] { return .json(#"{"id":"acct_1","object":"account","email":"owner@example.com"}"#) }
    let name = path.joined(separator: "/")
    if let things = state.withLock({ $0.lists[name] }) { return page(things, asked) }
    if path.count == 2, let thing = state.withLock({ $0.lists[path[0]]?.first { $0.id == path[1] } }) {
      return .json(thing.json)
    }
    if path.count == 2 {
      return .json(#"{"error":{"type":"invalid_request_error","code":"resource_missing"}}"#, status: 404)
    }
    return page([], asked)
  }

  private func balance(_ count: Int) -> LoopbackServer.Reply {
    let looks = state.withLock { $0.balances }
    guard !looks.isEmpty else { return .json(#"{"object":"balance","available":[],"pending":[]}"#) }
    return .json(looks[min(count, looks.count) - 1])
  }

  private func page(_ things: [Thing], _ asked: LoopbackServer.Asked) -> LoopbackServer.Reply {
    var rows = things.sorted { ($0.created, $0.id) > ($1.created, $1.id) }
    if let from = asked["created[gte]"].flatMap({ Int64($0) }) { rows.removeAll { $0.created < from } }
    if let to = asked["created[lt]"].flatMap({ Int64($0) }) { rows.removeAll { $0.created >= to } }
    for key in ["source", "payout", "charge", "transfer_group"] {
      if let value = asked[key] { rows.removeAll { $0.keys[key] != value } }
    }
    if let cursor = asked["starting_after"] {
      guard let place = rows.firstIndex(where: { $0.id == cursor }) else {
        return .json(
          #"{"error":{"code":"resource_missing","param":"starting_after","message":"No such object"}}"#, status: 400)
      }
      rows.removeFirst(place + 1)
    }
    let limit = asked["limit"].flatMap { Int($0) } ?? 10
    return Self.list(rows.prefix(limit).map(\.json), hasMore: rows.count > limit, url: asked.path)
  }

  /// A page of a list.
  static func list(_ elements: [String], hasMore: Bool, url: String = "/v1/x") -> LoopbackServer.Reply {
    .json(listText(elements, hasMore: hasMore, url: url))
  }

  /// The same as text.
  static func listText(_ elements: [String], hasMore: Bool, url: String) -> String {
    #"{"object":"list","url":"\#(url)","has_more":\#(hasMore),"data":[\#(elements.joined(separator: ","))]}"#
  }
}
