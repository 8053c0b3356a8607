import Payments

/// Converts the parsed file to the typed configuration; mistakes are recorded on the nodes.
extension Settings {
  init(_ document: Document, providerNodes: [SettingsNode], providerKinds: [String]) {
    let root = document.root
    let orderNodes = root.nodes("orders")
    let policy = Policy(root.node("policy"))
    file = document.file
    let reporting = Reporting(root.node("reporting"))
    self.reporting = reporting
    store = Store(root.node("store"))
    landing = Landing(root.node("landing"))
    orders = orderNodes.compactMap { OrderSourceEntry($0) }
    providers = providerNodes.compactMap {
      ProviderEntry($0, kinds: providerKinds, policy: policy, timeZone: reporting.timeZone)
    }
    self.policy = policy
    tolerance = Tolerance(root.node("tolerance"))
    rateCards = root.nodes("rate_cards").map { RateCard($0) }
    alerts = root.nodes("alerts").compactMap { AlertEntry($0) }
    let severityNode = root.node("severity")
    severity = Self.severity(severityNode)
    severityPlaces = Dictionary(
      severityNode.keys.map { ($0, severityNode.place(of: $0)) }, uniquingKeysWith: { first, _ in first })
    checks = root.paths("checks")
    reports = root.paths("reports")
    workbookMaximumRows = root.node("workbook").integer("maximum_rows", default: 1_000_000, in: 1...1_048_575)
    dashboards = Self.dashboards(root.node("dashboards"))
    heartbeat = Heartbeat(root.node("heartbeat"))
    let journalNode = root.node("journal")
    journal = Self.names(journalNode)
    journalPlaces = Dictionary(
      journalNode.keys.map { ($0, journalNode.place(of: $0)) }, uniquingKeysWith: { first, _ in first })
    periods = PeriodEntry.read(root.nodes("periods"))
    canonicalText = document.value.canonicalText
    value = document.value
    if root.hasKeys, root.value("providers") == nil {
      root.note(.missingKey(root.place(of: "providers"), expected: "a list with one provider or more"))
    }
    EntryName.checkUnique(orderNodes + providerNodes)
    checkProviderNames(root, providerNodes)
  }

  /// Every key of `severity` is a type, every value a severity.
  private static func severity(_ node: SettingsNode) -> [String: Severity] {
    var severities: [String: Severity] = [:]
    for type in node.keys {
      severities[type] = Severity(rawValue: node.word(type, of: Severity.allCases.map(\.rawValue), default: "ignore"))
    }
    return severities
  }

  private static func dashboards(_ node: SettingsNode) -> [String: String] {
    let templates = names(node)
    for (provider, template) in templates {
      if !template.contains("{id}") {
        node.object(to: provider, "expected an address with {id} in it, where the record's id goes")
      } else if !template.lowercased().hasPrefix("https://") {
        node.object(
          to: provider, "expected an address that begins with https://: whoever opens the workbook follows it")
      }
    }
    return templates
  }

  private static func names(_ node: SettingsNode) -> [String: String] {
    Dictionary(node.keys.map { ($0, node.string($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// A reference to a provider must be to a configured one.
  private func checkProviderNames(_ root: SettingsNode, _ providerNodes: [SettingsNode]) {
    let known = providerNodes.compactMap { $0.optionalString("name") }
    for node in root.nodes("rate_cards") { node.checkProvider("provider", [node.string("provider")], known) }
    for node in root.nodes("alerts") { node.checkProvider("provider", node.oneOrMore("provider"), known) }
    let dashboards = root.node("dashboards")
    for key in dashboards.keys {
      dashboards.allow(key)
      dashboards.checkProvider(key, [key], known)
    }
  }
}

extension SettingsNode {
  fileprivate func checkProvider(_ key: String, _ names: [String], _ known: [String]) {
    for name in names where !name.isEmpty && !known.contains(name) {
      let nearest = NearestKey.of(name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      object(to: key, "no provider is named \"\(name)\" here\(nearest)")
    }
  }
}

extension Settings.Reporting {
  init(_ node: SettingsNode) {
    timeZone = node.timeZone("time_zone", default: "UTC")
    output = node.path("output", default: "output")
    let place = node.optionalString("url") == nil ? "" : node.url("url", schemes: ["https", "http"])
    url = place.isEmpty ? nil : place
    currency = node.optionalString("currency")
    rates = node.optionalPath("rates")
    if let currency, (try? Currency(code: currency)) == nil {
      node.object(
        to: "currency", "expected the ISO 4217 code of a currency, as in EUR, found \"\(currency.prefix(20))\"")
    }
    if (currency == nil) != (rates == nil) {
      node.object(
        to: currency == nil ? "rates" : "currency",
        "currency and rates belong together: the currency of the converted totals, and the file of its rates")
    }
  }
}

extension Settings.Heartbeat {
  init(_ node: SettingsNode) {
    textfile = node.optionalPath("textfile")
    pingURL = Self.address(node, "ping_url")
    startPingURL = Self.address(node, "start_ping_url")
  }

  private static func address(_ node: SettingsNode, _ key: String) -> Secret? {
    node.value(key) == nil ? nil : Secret(node.url(key))
  }
}

extension Settings.Store {
  /// Paths of SQLite files are resolved from the configuration file's folder; PostgreSQL addresses stay as they are.
  init(_ node: SettingsNode) {
    let text = node.string("url", default: "sqlite:crossfoot.db")
    if text.hasPrefix("sqlite:"), text != "sqlite::memory:", text.count > "sqlite:".count {
      url = Secret("sqlite:" + Paths.absolute(String(text.dropFirst("sqlite:".count)), from: node.folder))
      return
    }
    url = Secret(text)
    if text == "sqlite::memory:" || text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") { return }
    node.object(
      to: "url", "expected sqlite:FILE or postgresql://user@host:5432/database, found \(Self.scheme(of: text))")
  }

  private static func scheme(of text: String) -> String {
    guard let colon = text.firstIndex(of: ":") else { return "text without a scheme" }
    return "an address that begins with \"\(text[...colon].prefix(20))\""
  }
}

extension Settings.Landing {
  /// Records of the last half year can still change: refunds, disputes, late rows.
  private static let shortestRetention: Int64 = 180 * 86_400

  fileprivate init(_ node: SettingsNode) {
    self.init(directory: node.path("directory", default: "landing"), retention: node.optionalDuration("retention"))
    if let retention, retention < Self.shortestRetention {
      node.note(
        .objection(node.place(of: "retention"), sentence: "expected 180d or more: younger records still change"))
    }
  }
}
