import JSON

/// One record of PayPal's, ready to be landed: what is kept of it, and what it leads to.
struct PayPalRecord: PulledRecord {
  /// The same for every delivery of the same record; empty when it cannot be determined.
  var key: String
  /// One line of JSON, the allow-list applied.
  var line: [UInt8]
  /// How many members were left out.
  var dropped = 0
  /// What decides which objects must be asked for beside it.
  var traits: PayPalTraits?

  func landedLine() -> [UInt8] { line }

  /// What is landed of a record that is no JSON, or not what it should be: why, so that the reader can quarantine it.
  static func unreadable(_ reason: String, key: String = "") -> PayPalRecord {
    PayPalRecord(key: key, line: .line(("unreadable", reason)))
  }
}

/// What the pull must know of a row of the reporting list, beyond landing it.
struct PayPalTraits: Sendable {
  var id = ""
  var code = ""
  var status = ""
  /// What the row refers to: a capture, an order …
  var reference = ""
  /// `TXN`, `ODR`, `SUB`, `PAP`.
  var referenceType = ""
  /// Whether it brings money.
  var isIncoming = false
  /// What an authorisation allows, or a capture took of one; nil of other rows.
  var amount: PayPalAmount?
  /// Whether it names its order in a field that `order_reference` asks for.
  var namesOrder = false
}

extension PayPalTraits {
  /// Whether its reference is another record of the report, rather than an order or an agreement.
  var refersToRecord: Bool { !reference.isEmpty && (referenceType == "TXN" || referenceType.isEmpty) }

  /// Whether the row moved no money (yet): an authorisation, a pending or a refused payment.
  var isInFlight: Bool { status == "P" || status == "D" || PayPalEventCode.of(code).meaning == .authorisation }
}

/// An object that a record names.
struct PayPalName: Hashable, Sendable {
  var stream: PayPalStream
  var id: String
  /// A capture from outside the window: its money row is brought in as well.
  var withRow = false
  /// An open payment: where there is no such authorisation, it is a capture.
  var orCapture = false
  /// A list names it: where there is no such object, something of the list was not read.
  var isListed = false
}

/// Makes records of the objects in PayPal's answers.
struct PayPalRecords: Sendable {
  let fields: PayPalFields
  let orderReference: [String]
  /// Rows that came to be before this moment were not begun in the window, Unix seconds.
  let coversFrom: Int64

  /// The record of an element of `transaction_details`; never fails: what cannot be read is landed as it is, and the
  /// reader says why.
  func row(_ element: JSONValue, _ stream: PayPalStream) -> PayPalRecord {
    let row = element["transaction_info"]
    guard row.kind == .object else { return .unreadable("it has no transaction_info") }
    var record = PayPalRecord(key: "", line: [])
    record.dropped = row.writeJSON(into: &record.line, keeping: fields.of(stream))
    let traits = traits(row)
    let amount = row["transaction_amount"]
    let currency = (try? amount["currency_code"].string()) ?? (try? amount["currency"].string()) ?? ""
    record.key = traits.id.isEmpty ? "" : "\(traits.id) \(traits.code) \(currency) \(traits.isIncoming ? "+" : "-")"
    record.traits = traits
    if let begun = try? PayPalInstant.of(row["transaction_initiation_date"]), begun < coversFrom {
      record.line.add(json: "\"begun_before\":true".utf8)
    }
    return record
  }

  /// What must be known of a row beside landing it; of a landed line the same.
  func traits(_ row: JSONValue) -> PayPalTraits {
    func text(_ value: JSONValue) -> String { (try? value.string()) ?? "" }
    var traits = PayPalTraits(
      id: text(row["transaction_id"]), code: text(row["transaction_event_code"]),
      status: text(row["transaction_status"]),
      reference: text(row["paypal_reference_id"]), referenceType: text(row["paypal_reference_id_type"]))
    traits.namesOrder =
      (orderReference.contains("custom_id") && !text(row["custom_field"]).isEmpty)
      || (orderReference.contains("invoice_id") && !text(row["invoice_id"]).isEmpty)
      || (isOrderSurest && traits.referenceType == "ODR")
    let amount = row["transaction_amount"]
    traits.isIncoming = !(text(amount["value"]).isEmpty ? text(amount["total"]) : text(amount["value"])).hasPrefix("-")
    let isAuthorisation = PayPalEventCode.of(traits.code).meaning == .authorisation
    if isAuthorisation || traits.refersToRecord { traits.amount = try? PayPalAmount(row["transaction_amount"]) }
    return traits
  }

  /// Whether PayPal's order is all that is needed: a field of the shop that goes before it may be on the order
  /// alone.
  private var isOrderSurest: Bool {
    guard let place = orderReference.firstIndex(of: "order") else { return false }
    return !orderReference[..<place].contains { $0 == "custom_id" || $0 == "invoice_id" }
  }

  /// The record of an object asked for by its id.
  func object(_ value: JSONValue, _ stream: PayPalStream) -> PayPalRecord {
    let id = (try? (stream == .disputes ? value["dispute_id"] : value["id"]).string()) ?? ""
    var record = PayPalRecord(key: id, line: [])
    record.dropped = value.writeJSON(into: &record.line, keeping: fields.of(stream))
    return record
  }
}
