/// The tables that matching reads and fills. The only place that names them.
struct MatchTables {
  let batch: RecordBatch

  private var isOfBatch: String { "group_no between \(batch.groups.lowerBound) and \(batch.groups.upperBound)" }

  let moments = "select moment, instant from moment order by moment"
  let policies = "select provider, capture_known_within, approval_within from policy"
  let tolerances = "select currency, amount_minor from tolerance"
  let coverage = """
    select source, subject, covers_from, known_until, is_asked, is_complete from known
    where subject in ('payments', 'refunds') or source = '' and subject in ('orders', 'order_refunds')
    """
  var initCalls: String { "select init_hash, at from payment_init_call where \(isOfBatch)" }
  var orders: String {
    """
    select order_id, placed_at, status, currency, tender_minor, provider, landed_file,
      case status when 'cancelled' then (select f.observed_at from landed_file f where f.file_id = changed_in) end
    from customer_order where \(isOfBatch)
    """
  }
  var orderReferences: String { "select order_id, value, landed_file from order_payment_reference where \(isOfBatch)" }
  var orderRefunds: String {
    """
    select refund_id, order_id, refunded_at, currency, amount_minor, payment_reference from order_refund
      where \(isOfBatch)
    """
  }
  var payments: String {
    """
    select moment, flow_key, provider, account, payment_id, intent_id, currency, status, is_captured, captured_at,
      captured_minor,
      refunded_minor, failed_minor, failed_at, is_covered, open_minor, released_at,
      case when settlement_currency = currency then disputed_minor else 0 end
    from payment_at where batch_no = \(batch.number)
    """
  }
  var references: String {
    "select flow_key, value, order_rank from payment_reference where batch_no = \(batch.number)"
  }
  var refunds: String {
    """
    select moment, provider, refund_id, flow_key, status, currency, amount_minor, created_at from refund_at
    where batch_no = \(batch.number)
    """
  }
  /// Refunds from the opening on; `$1`: its instant.
  var laterRefunds: String {
    """
    select provider, payment_id, created_at from refund
    where batch_no = \(batch.number) and created_at >= $1 and payment_id is not null
    """
  }

  /// An output table with the columns that matching fills, in their order.
  struct Output {
    let name: String
    let columns: [String]
  }

  /// Receives the lower-case forms of init hashes.
  static let aliases = Output(name: "payment_reference", columns: ["flow_key", "value", "order_rank"])
  static let paymentHashes = Output(name: "payment_hash", columns: ["flow_key", "init_hash", "started_at"])
  static let orderHashes = Output(name: "order_hash", columns: ["order_id", "init_hash"])
  static let links = Output(name: "match_link", columns: ["flow_key", "order_id", "rule", "rule_rank"])
  static let nodes = Output(name: "match_node", columns: ["node", "group_id"])
  static let groups = Output(
    name: "group_at",
    columns: [
      "moment", "group_id", "orders", "payments", "order_currency", "payment_currency", "tender_minor",
      "captured_minor", "difference_minor",
      "match_status", "finding", "order_ids", "payment_ids", "provider", "account", "since",
    ])
  static let pairs = Output(
    name: "pair_at", columns: ["moment", "group_id", "order_id", "flow_key", "rule", "is_comparable"])
  static let refundMatches = Output(
    name: "refund_match_at",
    columns: [
      "moment", "group_id", "side", "refund_id", "order_id", "flow_key", "provider", "status", "currency",
      "amount_minor", "happened_at",
      "is_covered", "unit", "outcome",
    ])
}
