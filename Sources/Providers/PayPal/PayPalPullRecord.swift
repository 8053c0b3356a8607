import JSON

/// One record of PayPal, ready to be landed: the fields that are kept, and its references.
struct PayPalRecord: PulledRecord {
  /// Identical for every delivery of the same record; empty when it cannot be determined.
  var key: String
  /// One line of JSON, the allow-list applied.
  var line: [UInt8]
  /// How many members are not landed.
  var dropped = 0
  /// Decides which objects must be requested in addition.
  var traits: PayPalTraits?

  func landedLine() -> [UInt8] { line }

  /// What is landed of a record that is not JSON, or not of the expected form: the reason, so that the reader can
  /// quarantine it.
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
  /// The amount of an authorisation, or what a capture took of one; nil for other rows.
  var amount: PayPalAmount?
  /// Whether it contains its order reference in a field that `order_reference` lists.
  var namesOrder = false
}

extension PayPalTraits {
  /// Whether its reference is another record of the report, not an order or an agreement.
  var refersToRecord: Bool { !reference.isEmpty && (referenceType == "TXN" || referenceType.isEmpty) }

  /// Whether the row moved no money (yet): an authorisation, a pending or a refused payment.
  var isInFlight: Bool { status == "P" || status == "D" || PayPalEventCode.of(code).meaning == .authorisation }
}

/// An object that a record refers to.
struct PayPalName: Hashable, Sendable {
  var stream: PayPalStream
  var id: String
  /// A capture from outside the window: its ledger row is fetched as well.
  var withRow = false
  /// An open payment: if there is no such authorisation, it is a capture.
  var orCapture = false
  /// A list contains it: if there is no such object, something of the list was not read.
  var isListed = false
}

/// Makes records of the objects in PayPal's answers.
struct PayPalRecords: Sendable {
  let fields: PayPalFields
  let orderReference: [String]
  /// Rows created before this instant did not begin in the window, Unix seconds.
  let coversFrom: Int64

  /// The record of an element of `transaction_details`; never fails: what cannot be read is landed as it is, and the
  /// reader reports why.
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

  /// What must be known of a row beyond landing it; also works on a landed line.
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

  /// Whether PayPal's order is all that is needed: a shop field that ranks higher may be only on the order.
  private var isOrderSurest: Bool {
    guard let place = orderReference.firstIndex(of: "order") else { return false }
    return !orderReference[..<place].contains { $0 == "custom_id" || $0 == "invoice_id" }
  }

  /// The record of an object requested by its id.
  func object(_ value: JSONValue, _ stream: PayPalStream) -> PayPalRecord {
    let id = (try? (stream == .disputes ? value["dispute_id"] : value["id"]).string()) ?? ""
    var record = PayPalRecord(key: id, line: [])
    record.dropped = value.writeJSON(into: &record.line, keeping: fields.of(stream))
    return record
  }
}
