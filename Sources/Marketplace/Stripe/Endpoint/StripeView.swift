/// What the API shows on one night: each list newest first, indexed, its objects serialised.
struct StripeView: Sendable {
  /// The lists by name; a sub-list under its own path, e.g. `transfers/tr_1/reversals`.
  private(set) var lists: [String: StripeListing] = [:]
  /// Σ net of the ledger rows per currency; of another balance than that of payments by its name and the currency:
  /// `issuing usd`.
  private(set) var balance: [String: Int64] = [:]

  init(_ objects: [ServedObject]) {
    var children: [String: [ServedObject]] = [:]
    for object in objects {
      if let parent = object.parent { children[parent, default: []].append(object) }
      guard object.object == "balance_transaction" else { continue }
      let other = object.keys["balance_type"].flatMap { $0 == "payments" ? nil : "\($0) " } ?? ""
      balance[other + (object.keys["currency"] ?? ""), default: 0] += object.net
    }
    let byKind = Dictionary(grouping: objects.filter { $0.parent == nil }, by: \.object)
    for list in StripeList.allCases {
      let held = byKind[list.object] ?? []
      lists[list.rawValue] = StripeListing(
        held.map { list.subList == nil ? $0 : embed(children[$0.id] ?? [], in: $0, of: list) }, filters: list.filters)
    }
  }

  /// Adds the sub-list to its parent, at most its ten newest objects, and keeps the whole of it under its own path.
  private mutating func embed(_ children: [ServedObject], in parent: ServedObject, of list: StripeList) -> ServedObject
  {
    guard let subList = list.subList else { return parent }
    let path = "\(list.rawValue)/\(parent.id)/\(subList.member)"
    let listing = StripeListing(children, filters: [])
    lists[path] = listing
    var parent = parent
    let newest = listing.objects.prefix(10).map(\.json).joined(separator: ",")
    let hasMore = listing.objects.count > 10
    parent.json.removeLast()
    parent.json += ",\"\(subList.member)\":{\"object\":\"list\",\"data\":[\(newest)],\"has_more\":\(hasMore),"
    parent.json += "\"url\":\"/v1/\(path)\"}}"
    return parent
  }

  /// Makes the stated balance wrong.
  mutating func misstate(_ currency: String, by amount: Int64) {
    balance[currency, default: 0] += amount
  }

  /// The object of that id, whichever list holds it.
  func object(_ id: String) -> ServedObject? {
    for listing in lists.values {
      if let object = listing[id] { return object }
    }
    return nil
  }
}

/// One list, newest first, with an index for each of its filters.
struct StripeListing: Sendable {
  /// Newest first: by `created`, then the one added last.
  let objects: [ServedObject]
  private let place: [String: Int]
  private let index: [String: [String: [Int]]]

  init(_ unordered: [ServedObject], filters: [String]) {
    let keys = unordered.indices.map { (created: unordered[$0].created, place: $0) }
    let newestFirst = keys.sorted { $0.created != $1.created ? $0.created > $1.created : $0.place > $1.place }
    let sorted = newestFirst.map { unordered[$0.place] }
    objects = sorted
    place = Dictionary(uniqueKeysWithValues: sorted.indices.map { (sorted[$0].id, $0) })
    index = Self.index(sorted, by: filters)
  }

  private static func index(_ objects: [ServedObject], by filters: [String]) -> [String: [String: [Int]]] {
    var index: [String: [String: [Int]]] = [:]
    for filter in filters {
      var places: [String: [Int]] = [:]
      for (place, object) in objects.enumerated() {
        if let key = object.keys[filter] { places[key, default: []].append(place) }
      }
      index[filter] = places
    }
    return index
  }

  /// The object of that id.
  subscript(id: String) -> ServedObject? {
    place[id].map { objects[$0] }
  }

  /// The position of an object, 0 for the newest.
  func place(of id: String) -> Int? {
    place[id]
  }

  /// The places of the objects created within the half-open window.
  func places(createdFrom: Int64, to: Int64) -> Range<Int> {
    let first = firstPlace { $0.created < to }
    return first..<max(first, firstPlace { $0.created < createdFrom })
  }

  /// The places, ascending, of the objects whose filterable member has that value.
  func places(where filter: String, is value: String) -> [Int] {
    index[filter]?[value] ?? []
  }

  private func firstPlace(where isPast: (ServedObject) -> Bool) -> Int {
    var low = 0
    var high = objects.count
    while low < high {
      let middle = (low + high) / 2
      if isPast(objects[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
