import Storage

/// Finds what an id refers to: records whose own id it is come before those that merely mention it, and records without
/// a payment come last.
package struct ExplainSearch {
  let database: any Database
  let sql: String
  /// The providers to search; empty for all.
  let providers: [String]

  /// How many matches are looked at: an id that more records have in common identifies none of them.
  package static let most = 200
  /// How many further matches of the name are listed below a story.
  private static let shownOthers = 10

  /// Subjects that belong together: payments and orders of one group, or one subject under several of its names.
  struct Cluster {
    var subjects: [Story.Subject]
    fileprivate var groups: Set<String>
  }
  /// The subjects that the id refers to, and others known by the same name.
  struct Found {
    var clusters: [Cluster]
    var others: [Story.Subject]
  }

  /// - Parameter id: an id, one behind `provider:` or `order:`, or that of a group of order_matches.csv (`o:`, `p:`).
  func find(_ id: String, configured: [String]) throws -> Found {
    var places = try places(of: id, from: nil)
    let (text, source) = Self.split(id, configured)
    if let source {
      for (place, subjects) in try self.places(of: text, from: source) {
        places[place, default: []] += subjects.filter { !(places[place] ?? []).contains($0) }
      }
    }
    if places.isEmpty, let member = Self.member(ofGroup: id) { return try find(member, configured: configured) }
    // A payment can be asked for by provider and id together, whatever the provider's name.
    guard let first = places.keys.min() else { return Found(clusters: [], others: []) }
    let clusters = try clusters(Array((places[first] ?? []).prefix(Self.most)))
    let chosen = Set(clusters.flatMap(\.subjects))
    let groups = clusters.reduce(into: Set<String>()) { $0.formUnion($1.groups) }
    let others = try clustersBeside(
      places.filter { $0.key != first && $0.key < 3 }.values.flatMap { $0.prefix(Self.shownOthers) }, chosen, groups)
    return Found(clusters: clusters, others: others)
  }

  private func places(of text: String, from source: String?) throws -> [Int64: [Story.Subject]] {
    var places: [Int64: [Story.Subject]] = [:]
    try database.read(try statement("find"), [.text(text)]) { row in
      guard let subject = Self.subject(row), passes(subject, source) else { return }
      places[try row.integer(0) ?? 0, default: []].append(subject)
    }
    return places
  }

  /// The order or payment that a group is named after: `order:1001` of `o:1001`.
  private static func member(ofGroup id: String) -> String? {
    if id.hasPrefix("o:") { return "order:" + id.dropFirst(2) }
    return id.hasPrefix("p:") ? String(id.dropFirst(2)) : nil
  }

  /// The subjects of a discrepancy, as one cluster.
  func subjects(ofDiscrepancy id: String) throws -> Cluster {
    var subjects: [Story.Subject] = []
    try database.read(try statement("subjects"), [.text(id)]) { row in
      if let subject = Self.subject(row) { subjects.append(subject) }
    }
    let isOfMore = subjects.contains { $0.kind != .record }
    let found = subjects.filter { !isOfMore || $0.kind != .record }
    return Cluster(subjects: try clusters(found).flatMap(\.subjects).unique, groups: [])
  }

  private func passes(_ subject: Story.Subject, _ source: String?) -> Bool {
    if let source { return (subject.provider ?? "order") == source }
    guard !providers.isEmpty, let provider = subject.provider else { return true }
    return providers.contains(provider)
  }

  private static func split(_ id: String, _ configured: [String]) -> (id: String, source: String?) {
    guard let colon = id.firstIndex(of: ":") else { return (id, nil) }
    let prefix = String(id[..<colon])
    guard prefix == "order" || configured.contains(prefix) else { return (id, nil) }
    return (String(id[id.index(after: colon)...]), prefix)
  }

  private static func subject(_ row: any Row) -> Story.Subject? {
    guard let kind = row.text(1).flatMap(Story.Subject.Kind.init), let thing = row.text(2), !thing.isEmpty else {
      return nil
    }
    guard kind != .order else { return Story.Subject(kind: kind, provider: nil, id: thing) }
    guard let colon = thing.firstIndex(of: ":") else { return nil }
    return Story.Subject(kind: kind, provider: String(thing[..<colon]), id: String(thing[thing.index(after: colon)...]))
  }

  /// Each subject with its counterparts from matching; those of one group, or of one name, form a cluster.
  private func clusters(_ subjects: [Story.Subject]) throws -> [Cluster] {
    var clusters: [Cluster] = []
    for subject in subjects {
      var new = try cluster(of: subject)
      let isSame: (Cluster) -> Bool = { other in
        !other.groups.isDisjoint(with: new.groups) || other.subjects.contains { $0.name == subject.name }
      }
      let same = clusters.filter(isSame)
      clusters.removeAll(where: isSame)
      new.subjects = (same.flatMap(\.subjects) + new.subjects).unique
      for other in same { new.groups.formUnion(other.groups) }
      clusters.append(new)
    }
    return clusters
  }

  private func cluster(of subject: Story.Subject) throws -> Cluster {
    var found = Cluster(subjects: [subject], groups: [])
    guard subject.kind == .payment || subject.kind == .order else { return found }
    try database.read(try statement("beside"), [.text(subject.flowKey), .text(subject.orderID)]) { row in
      if let flow = row.text(0), let colon = flow.firstIndex(of: ":") {
        let id = String(flow[flow.index(after: colon)...])
        found.subjects.append(Story.Subject(kind: .payment, provider: String(flow[..<colon]), id: id))
      }
      if let order = row.text(1) { found.subjects.append(Story.Subject(kind: .order, provider: nil, id: order)) }
      if let group = row.text(2) { found.groups.insert(group) }
    }
    found.subjects = found.subjects.unique
    return found
  }

  private func clustersBeside(_ subjects: [Story.Subject], _ chosen: Set<Story.Subject>, _ groups: Set<String>) throws
    -> [Story.Subject]
  {
    try subjects.filter { subject in
      guard !chosen.contains(subject) else { return false }
      return try cluster(of: subject).groups.isDisjoint(with: groups)
    }.unique
  }

  private func statement(_ name: String) throws -> SQLStatement { try SQLStatement(file: "\(sql)/\(name).sql") }
}

extension [Story.Subject] {
  /// The subjects without duplicates: orders first, then payments, then the rest, otherwise in their order.
  fileprivate var unique: [Story.Subject] {
    var seen: Set<Story.Subject> = []
    let once = filter { seen.insert($0).inserted }
    let kinds: [Story.Subject.Kind] = [.order, .payment]
    return kinds.flatMap { kind in once.filter { $0.kind == kind } } + once.filter { !kinds.contains($0.kind) }
  }
}
