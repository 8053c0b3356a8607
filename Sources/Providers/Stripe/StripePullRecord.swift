import HTTP
import JSON

/// One object of Stripe, ready to be landed: the fields that are kept, and its references.
struct StripeRecord: PulledRecord {
  /// Empty when the object has no readable id.
  var id: String
  /// Unix seconds; nil when it cannot be read.
  var created: Int64?
  /// One line of JSON, the allow-list applied.
  var line: [UInt8]
  /// How many members are not landed.
  var dropped: Int
  /// The records it names.
  var names: [StripeName] = []
  /// The sub-list that must be complete before the record is landed.
  var part: StripePart?
  /// Decides which lists complete a payment's flow.
  var traits = Traits()

  /// What the pull must know of a record besides its references.
  struct Traits: Sendable {
    /// A charge with refunds, by `amount_refunded`.
    var isRefunded = false
    /// A charge with a dispute.
    var isDisputed = false
    /// A charge with a transfer of its own.
    var hasTransfer = false
    /// A charge that may have more ledger rows than the one it contains: captured in part or in parts, or failed after
    /// it was booked.
    var mayHaveMoreRows = false
    /// A transfer without a charge.
    var isUnlinked = false
    /// The `transfer_group` of a charge or transfer.
    var group: String?
    /// A payout that lists the rows it pays.
    var isItemised = false
    /// The object of a ledger row, and its type.
    var source: String?
    var type: String?
  }
}

/// A record that another one refers to.
struct StripeName: Hashable, Sendable {
  var stream: StripeStream
  var id: String
  /// About when it was created: the referring record's own time, Unix seconds; 0 when unknown.
  var near: Int64

  static func == (one: StripeName, other: StripeName) -> Bool { one.stream == other.stream && one.id == other.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(stream)
    hasher.combine(id)
  }
}

/// The embedded sub-list of a transfer or application fee: at most ten elements, the rest under its own URL.
struct StripePart: Sendable {
  /// The member's name: `reversals`, `refunds`.
  var member: String
  /// The elements as lines, filtered.
  var elements: [[UInt8]]
  /// The URL of the complete list; nil when the embedded elements are all.
  var url: String?
}

/// Makes records of the objects in Stripe's answers.
struct StripeRecords: Sendable {
  let fields: StripeFields

  /// The record of an object; never fails: what cannot be read is landed as it is, and the reader reports why.
  func record(_ value: JSONValue, _ stream: StripeStream) -> StripeRecord {
    var record = StripeRecord(
      id: (try? value["id"].string()) ?? "", created: try? value["created"].instant(), line: [], dropped: 0)
    record.traits = traits(value, stream)
    record.names = StripeNames.of(value, stream, near: record.created ?? 0)
    record.part = part(value, stream, record.id)
    record.dropped = value.writeJSON(into: &record.line, keeping: allowed(value, record, stream))
    if record.part != nil && value.member(named: record.part?.member ?? "") != nil { record.dropped -= 1 }
    return record
  }

  /// A ledger row's description is the merchant's own text, from a charge or a transfer, and may identify a person.
  /// Only text by Stripe itself is kept: on its fees, and on rows that nothing else explains.
  private func allowed(_ value: JSONValue, _ record: StripeRecord, _ stream: StripeStream) -> FieldSet {
    guard [.balanceTransactions, .payoutLines].contains(stream), !value["source"].isAbsent,
      !Self.feeTypes.contains(record.traits.type ?? "")
    else {
      return fields.of(stream)
    }
    return StripeFields.describedElsewhere
  }

  /// Ledger rows that are themselves a fee of Stripe.
  private static let feeTypes: Set<String> = ["stripe_fee", "stripe_fx_fee", "tax_fee"]

  private func traits(_ value: JSONValue, _ stream: StripeStream) -> StripeRecord.Traits {
    var traits = StripeRecord.Traits()
    switch stream {
    case .charges:
      traits.isRefunded = ((try? value["amount_refunded"].int64()) ?? 0) > 0
      traits.isDisputed = (try? value["disputed"].bool()) ?? false
      traits.hasTransfer = !value["transfer"].isAbsent
      traits.mayHaveMoreRows = mayHaveMoreRows(value)
      traits.group = try? value["transfer_group"].string()
    case .transfers:
      traits.isUnlinked = value["source_transaction"].isAbsent
      traits.group = try? value["transfer_group"].string()
    case .payouts:
      let mapping = try? value["reconciliation_status"].string()
      traits.isItemised = (try? value["automatic"].bool()) == true && (mapping == nil || mapping == "completed")
    case .balanceTransactions, .payoutLines:
      traits.source = try? value["source"].expandableID()
      traits.type = try? value["type"].string()
    default: break
    }
    return traits
  }

  private func mayHaveMoreRows(_ charge: JSONValue) -> Bool {
    guard !charge["balance_transaction"].isAbsent else { return false }
    let isPartial = (try? charge["amount_captured"].int64()).map { $0 != (try? charge["amount"].int64()) } ?? false
    let parts = charge["payment_method_details"]["card"]["multicapture"]["status"]
    return isPartial || parts.isString("available") || charge["status"].isString("failed")
  }

  /// The sub-list of an object that has one; requested where it is cut, or missing although something came back.
  private func part(_ value: JSONValue, _ stream: StripeStream, _ id: String) -> StripePart? {
    let list: JSONValue
    let member: String
    let given: Int64
    switch stream {
    case .transfers:
      (list, member, given) = (value["reversals"], "reversals", (try? value["amount_reversed"].int64()) ?? 0)
    case .applicationFees:
      (list, member, given) = (value["refunds"], "refunds", (try? value["amount_refunded"].int64()) ?? 0)
    default: return nil
    }
    var part = StripePart(member: member, elements: [], url: nil)
    part.elements = list["data"].elements.map { element($0).line }
    let isCut = (try? list["has_more"].bool()) ?? false
    if isCut || (list.isAbsent && given > 0) {
      part.url = (try? list["url"].string()) ?? "\(stream.path)/\(HTTPRequest.encoded(id))/\(member)"
    }
    return part
  }

  /// An element of a sub-list: a reversal or a fee refund.
  func element(_ value: JSONValue) -> StripeRecord {
    var record = StripeRecord(
      id: (try? value["id"].string()) ?? "", created: try? value["created"].instant(), line: [], dropped: 0)
    record.names = StripeNames.ofPart(value)
    record.dropped = value.writeJSON(into: &record.line, keeping: fields.part)
    return record
  }
}

extension StripeRecord {
  var key: String { id }

  /// The line to land: the object with its complete sub-list as its last member.
  func landedLine() -> [UInt8] {
    guard let part, line.last == UInt8(ascii: "}") else { return line }
    var landed = Array(line.dropLast())
    if landed.count > 1 { landed.append(UInt8(ascii: ",")) }
    landed.append(contentsOf: "\"\(part.member)\":{\"object\":\"list\",\"has_more\":false,\"data\":[".utf8)
    landed.append(contentsOf: part.elements.joined(separator: [UInt8(ascii: ",")]))
    landed.append(contentsOf: "]}}".utf8)
    return landed
  }
}
