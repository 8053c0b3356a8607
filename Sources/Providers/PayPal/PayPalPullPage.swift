import HTTP
import JSON

/// One record of PayPal's, ready to be landed: what is kept of it, and what it leads to.
struct PayPalRecord: Sendable {
  /// The same for every delivery of the same record; empty when it cannot be determined.
  var key: String
  /// One line of JSON, the allow-list applied.
  var line: [UInt8]
  /// How many members were left out.
  var dropped = 0
  /// What decides which objects must be asked for beside it.
  var traits: PayPalTraits?

  /// Adds a member of our own at the line's end.
  mutating func add(_ name: String, _ text: String) {
    if line.last == UInt8(ascii: "}") { line.removeLast() }
    line.append(contentsOf: "\(line.count > 1 ? "," : "")\"\(name)\":".utf8)
    JSONValue.writeString(Array(text.utf8), into: &line)
    line.append(UInt8(ascii: "}"))
  }

  /// What is landed of a record that is no JSON, or not what it should be: why, so that the reader can quarantine it.
  static func unreadable(_ reason: String, key: String = "") -> PayPalRecord {
    var line = Array("{\"unreadable\":".utf8)
    JSONValue.writeString(Array(reason.utf8), into: &line)
    line.append(UInt8(ascii: "}"))
    return PayPalRecord(key: key, line: line)
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

/// One page of the reporting list, out of an answer's body.
struct PayPalPage: Sendable {
  var records: [PayPalRecord] = []
  var totalPages = 1
  var account: String?
  /// Up to when PayPal's report was made, Unix seconds; nil when it does not say.
  var refreshedAt: Int64?
  /// Where the page says the next one is.
  var next: String?
  var requestID: String?

  /// - Parameter make: the record of a row.
  /// - Throws: `JSONError` for a body that is no JSON object and cannot be taken apart either.
  ///
  /// A body that as a whole is no JSON document is split at its rows, so that 499 of 500 survive; the other is landed
  /// as a line that says why it cannot be read, and the reader quarantines it.
  init(_ response: HTTPResponse, _ make: (JSONValue) -> PayPalRecord) throws {
    requestID = response.requestID
    do {
      try JSONParser().parse(response.body) { root in
        take(root)
        records = root["transaction_details"].elements.map(make)
      }
    } catch let error as JSONError {
      guard takeApart(response.body, make) else { throw error }
    }
  }

  private mutating func take(_ root: JSONValue) {
    totalPages = Int(clamping: (try? root["total_pages"].int64()) ?? 1)
    account = try? root["account_number"].string()
    refreshedAt = try? PayPalInstant.of(root["last_refreshed_datetime"])
    for link in root["links"].elements where link["rel"].isString("next") { next = try? link["href"].string() }
  }

  /// Reads what brackets and strings alone show; false when not even they fit.
  private mutating func takeApart(_ body: [UInt8], _ make: (JSONValue) -> PayPalRecord) -> Bool {
    body.withUnsafeBytes { bytes in
      let split = JSON.PageSplitter(bytes, list: "transaction_details")
      guard !split.elements.isEmpty else { return false }
      let parser = JSONParser()
      let envelope = ["total_pages", "account_number", "last_refreshed_datetime", "links"].compactMap { name in
        split.text(of: name).map { "\"\(name)\":\($0)" }
      }
      try? parser.parse(Array("{\(envelope.joined(separator: ","))}".utf8)) { take($0) }
      for element in split.elements {
        do {
          records.append(try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[element]), make))
        } catch {
          records.append(.unreadable("\(error)"))
        }
      }
      return true
    }
  }

  /// What is wrong with a body as a whole, so that it is asked for again; a single bad row is not.
  ///
  /// A list that is not there is not an empty one: an error may come with status 200.
  static func fault(of stream: PayPalStream, isList: Bool) -> @Sendable (HTTPResponse) -> String? {
    { response in
      do {
        return try JSONParser().parse(response.body) { root in
          guard root.kind == .object else { return "its body is no JSON object" }
          return isList ? missing(of: stream, in: root) : nil
        }
      } catch {
        let isSplit = (stream == .reporting || stream == .inFlight) && canTakeApart(response.body)
        return isSplit ? nil : "its body is no JSON: \(error)"
      }
    }
  }

  private static func missing(of stream: PayPalStream, in root: JSONValue) -> String? {
    switch stream {
    case .reporting, .inFlight, .account:
      root["transaction_details"].kind == .array ? nil : "its body has no list transaction_details"
    case .disputes: root["items"].kind == .array ? nil : "its body has no list items"
    case .balances:
      root["balances"].kind == .array || root["balance"].kind == .object ? nil : "its body has no list balances"
    case .orders, .captures, .refunds, .authorizations: nil
    }
  }

  private static func canTakeApart(_ body: [UInt8]) -> Bool {
    body.withUnsafeBytes { bytes in
      let split = JSON.PageSplitter(bytes, list: "transaction_details")
      return !split.elements.isEmpty && endsAsObject(bytes)
    }
  }

  /// A body that was cut ends anywhere; one with a bad row ends as it should.
  private static func endsAsObject(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.last { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 } == UInt8(ascii: "}")
  }
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
      record.line.removeLast()
      record.line.append(contentsOf: "\(record.line.count > 1 ? "," : "")\"begun_before\":true}".utf8)
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
