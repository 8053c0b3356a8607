import JSON
import Payments

/// One call in the export of PAR's ordering front end, with the fields that we read and nothing else.
///
/// Read are: `call`, `at`; of the request `payment_init_hash` and `payment_info.{amount, payment_init_hash}`; of the
/// response `status`, `code` and of its `data` `id`, `status`, `total`, `payment_init_hash`, and whether there is an
/// approval action or address. Never read are the customer's phone number, the ordered items, encrypted fields, and the
/// actions, tokens and keys themselves.
struct PARCall {
  /// The effect of a successful call.
  enum Deed {
    /// A payment was started or its approval continued; the amount in minor units, where the call contains one.
    case started(hash: String, call: String, amountMinor: Int64?, asksApproval: Bool)
    /// An order was created, or created again.
    case order(id: String, status: String, totalMinor: Int64, hash: String?)
    /// A failed call, or one of another kind.
    case nothing
  }
  let deed: Deed
  /// Unix seconds UTC.
  let at: Int64
  /// The `call` itself, for calls that are not read.
  let word: String

  /// - Throws: `JSONError` and `RowProblem`, neither with personal data.
  init(_ line: JSONValue) throws {
    guard line.kind == .object else { throw RowProblem("line", "is no JSON object") }
    word = try line["call"].string()
    guard ["init-payment", "auth-payment", "orders"].contains(word) else {
      (deed, at) = (.nothing, 0)
      return
    }
    at = try Self.instant(line["at"])
    guard try Self.succeeded(line["response"]) else {
      deed = .nothing
      return
    }
    let data = line["response"]["data"]
    deed = word == "orders" ? try Self.order(line["request"], data) : try Self.start(word, line["request"], data)
  }

  private static func start(_ call: String, _ request: JSONValue, _ data: JSONValue) throws -> Deed {
    let places = [
      data["payment_init_hash"], request["payment_init_hash"], request["payment_info"]["payment_init_hash"],
    ]
    guard let hash = try places.lazy.compactMap(hash).first else {
      throw RowProblem("payment_init_hash", "is missing in request and response")
    }
    let approvals = [
      data["additional_info"]["approval_action"], data["additional_info"]["approval_url"], data["approval_action"],
      data["approval_url"],
    ]
    return .started(
      hash: hash, call: call, amountMinor: try request["payment_info"]["amount"].optionalInt64(),
      asksApproval: approvals.contains { !$0.isAbsent && !$0.isString("") })
  }

  private static func order(_ request: JSONValue, _ data: JSONValue) throws -> Deed {
    let hash = try hash(request["payment_info"]["payment_init_hash"])
    return .order(
      id: try word(data["id"], "response.data.id"), status: try word(data["status"], "response.data.status"),
      totalMinor: try data["total"].int64(), hash: hash)
  }

  /// A call whose answer is not OK had no effect.
  private static func succeeded(_ response: JSONValue) throws -> Bool {
    if response["status"].kind == .string { return try response["status"].string().lowercased() == "ok" }
    guard let code = try response["code"].optionalInt64() else {
      throw RowProblem("response", "has neither status nor code")
    }
    return (200..<300).contains(code)
  }

  /// Exactly 32 hexadecimal digits, in lower case; nil where there is none.
  private static func hash(_ value: JSONValue) throws -> String? {
    guard let text = try value.optionalString()?.lowercased(), !text.isEmpty else { return nil }
    let isHash = text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    if !isHash { throw RowProblem("payment_init_hash", "is not 32 hexadecimal digits") }
    return text
  }

  /// A text that may also be written as a number.
  private static func word(_ value: JSONValue, _ name: String) throws -> String {
    let text = value.kind == .number ? try value.numberText() : try value.string()
    if text.isEmpty { throw RowProblem(name, "is empty") }
    return text
  }

  private static func instant(_ value: JSONValue) throws -> Int64 {
    do { return try Instant.parse(try value.string()) } catch let error as InstantError {
      throw RowProblem("at", error)
    }
  }
}
