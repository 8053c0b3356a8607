/// One page of a list, cut by the query as Stripe cuts it (digest 1.1).
struct StripePage: Sendable {
  /// The query, in its order; values decoded.
  typealias Query = [(name: String, value: String)]

  let objects: [ServedObject]
  let hasMore: Bool

  /// Cuts the page that the query asks for.
  ///
  /// - Throws: `StripeRefusal` for an unknown parameter, a limit out of range or a cursor that names nothing.
  init(of listing: StripeListing, list: StripeList?, query: Query) throws {
    try Self.refuseUnknown(query, list: list)
    let candidates = try Self.candidates(of: listing, list: list, query: query)
    let limit = try Self.limit(query)
    let after = try Self.cursor("starting_after", query, listing)
    let before = try Self.cursor("ending_before", query, listing)
    if let before {
      let newer = candidates.prefix { $0 < before }
      objects = newer.suffix(limit).map { listing.objects[$0] }
      hasMore = newer.count > limit
    } else {
      let older = after.map { after in candidates.drop { $0 <= after } } ?? candidates[...]
      objects = older.prefix(limit).map { listing.objects[$0] }
      hasMore = older.count > limit
    }
  }

  /// The places, ascending, that the filters leave: a range is narrowed by the rarest filter's index.
  private static func candidates(of listing: StripeListing, list: StripeList?, query: Query) throws -> Places {
    let window = try window(query, listing)
    var chosen: [[Int]] = []
    for filter in list?.filters ?? [] {
      guard let value = query.first(where: { $0.name == filter })?.value else { continue }
      if list == .payouts, filter == "status", value == "in_transit" { continue }  // Silently ignored by Stripe itself.
      chosen.append(listing.places(where: filter, is: value))
    }
    guard var rarest = chosen.min(by: { $0.count < $1.count }) else { return Places(range: window) }
    rarest = rarest.filter { window.contains($0) }
    for other in chosen where other.count > rarest.count {
      let allowed = Set(other)
      rarest = rarest.filter { allowed.contains($0) }
    }
    return Places(list: rarest)
  }

  private static func window(_ query: Query, _ listing: StripeListing) throws -> Range<Int> {
    var from = Int64.min
    var to = Int64.max
    for (name, value) in query where name.hasPrefix("created") {
      guard let instant = Int64(value) else { throw StripeRefusal.invalid(parameter: name, value: value) }
      switch name {
      case "created[gte]": from = max(from, instant)
      case "created[gt]": from = max(from, instant + 1)
      case "created[lt]": to = min(to, instant)
      case "created[lte]": to = min(to, instant + 1)
      default: (from, to) = (instant, instant + 1)
      }
    }
    return listing.places(createdFrom: from, to: to)
  }

  private static func limit(_ query: Query) throws -> Int {
    guard let value = query.first(where: { $0.name == "limit" })?.value else { return 10 }
    guard let limit = Int(value), (1...100).contains(limit) else {
      throw StripeRefusal.invalid(parameter: "limit", value: value)
    }
    return limit
  }

  private static func cursor(_ name: String, _ query: Query, _ listing: StripeListing) throws -> Int? {
    guard let id = query.first(where: { $0.name == name })?.value else { return nil }
    guard let place = listing.place(of: id) else { throw StripeRefusal.noSuchCursor(parameter: name, id: id) }
    return place
  }

  private static func refuseUnknown(_ query: Query, list: StripeList?) throws {
    let known = ["limit", "starting_after", "ending_before", "expand[]"] + (list?.filters ?? [])
    for (name, _) in query where !known.contains(name) {
      let isExpansion = name.hasPrefix("expand[")
      let isWindow =
        list != nil && ["created", "created[gt]", "created[gte]", "created[lt]", "created[lte]"].contains(name)
      if !isExpansion && !isWindow { throw StripeRefusal.unknownParameter(name) }
    }
  }
}

/// Places in a listing, ascending: a range, or those that an index gave.
struct Places {
  private let range: Range<Int>
  private let list: [Int]?

  init(range: Range<Int>) {
    self.range = range
    list = nil
  }

  init(list: [Int]) {
    range = 0..<0
    self.list = list
  }
}

extension Places: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { list?.count ?? range.count }
  subscript(position: Int) -> Int { list?[position] ?? range.lowerBound + position }

  /// The places after that one; by halving, so that a deep page costs no more than the first.
  func drop(while isBefore: (Int) -> Bool) -> Slice<Places> {
    self[partition(where: isBefore)..<endIndex]
  }

  /// The places before the first that the condition refuses.
  func prefix(while isBefore: (Int) -> Bool) -> Slice<Places> {
    self[startIndex..<partition(where: isBefore)]
  }

  private func partition(where isBefore: (Int) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
