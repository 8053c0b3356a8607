import JSON
import Payments

/// One payment or dispute, ready to be landed.
struct AfterpayRecord: PulledRecord {
  /// Empty when it has no readable id: it is landed all the same, and the reader reports why.
  let id: String
  /// The checkout token of a payment.
  let token: String?
  /// When a payment was made, Unix seconds; nil when it cannot be read.
  let created: Int64?
  let line: [UInt8]
  let dropped: Int

  var key: String { id }
  func landedLine() -> [UInt8] { line }

  /// A payment.
  init(payment value: JSONValue) {
    id = (try? value["id"].string()) ?? (try? value["id"].numberText()) ?? ""
    token = try? value["token"].string()
    created = (try? value["created"].string()).flatMap { try? Instant.parse($0) }
    var line: [UInt8] = []
    dropped = value.writeJSON(into: &line, keeping: AfterpayFields.payment)
    self.line = line
  }

  /// A dispute with an added member `payment`: the order id of its token, where that payment was read.
  init(dispute value: JSONValue, _ idsByToken: [String: String]) {
    id = (try? value["id"].string()) ?? ""
    (token, created) = (nil, nil)
    var line: [UInt8] = []
    dropped = value.writeJSON(into: &line, keeping: AfterpayFields.dispute)
    let token = (try? value["order"].string()) ?? ""
    if let payment = idsByToken[token], line.last == UInt8(ascii: "}") { line.add("payment", payment) }
    self.line = line
  }
}
