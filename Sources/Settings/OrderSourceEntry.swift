/// One source of orders.
package struct OrderSourceEntry: Sendable {
  /// What delivers the orders; paths are absolute.
  package enum Kind: Sendable {
    /// CSV files of docs/contract.md section 3; refunds are optional.
    case csv(orders: String, refunds: String?)
    /// Files with the queries that yield the same columns; `$1` and `$2` bound the window.
    case postgresql(url: Secret, query: String, refundsQuery: String?)
    /// A folder of `*.jsonl` with the calls of an ordering front end; amounts in minor units of the currency.
    case par(directory: String, currency: String)
  }
  /// Unique among sources and providers: it becomes a folder of the landing zone.
  package let name: String
  package let kind: Kind
  /// How far before the range a query reads, seconds.
  package let lookBack: Int64

  init?(_ node: SettingsNode) {
    let word = node.word("kind", of: ["csv", "postgresql", "par"])
    name = EntryName.read(node)
    lookBack = node.duration("look_back", default: 45 * 86400)
    switch word {
    case "csv": kind = .csv(orders: node.path("orders"), refunds: node.optionalPath("refunds"))
    case "postgresql":
      let query = node.path("query")
      kind = .postgresql(url: node.secret("url"), query: query, refundsQuery: node.optionalPath("refunds_query"))
    case "par": kind = .par(directory: node.path("directory"), currency: node.currency("currency"))
    default:
      node.allow("orders", "refunds", "url", "query", "refunds_query", "directory", "currency")
      return nil
    }
  }
}
