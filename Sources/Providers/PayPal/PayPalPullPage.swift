import HTTP
import JSON

/// One page of the reporting list, from an answer's body.
struct PayPalPage: Sendable {
  var records: [PayPalRecord] = []
  var totalPages = 1
  var account: String?
  /// The time up to which PayPal's report is complete, Unix seconds; nil when it is not stated.
  var refreshedAt: Int64?
  /// The link to the next page.
  var next: String?
  var requestID: String?

  /// - Parameter make: the record of a row.
  /// - Throws: `JSONError` for a body that is not a JSON object and cannot be split either.
  ///
  /// A body that is not valid JSON as a whole is split at its rows, so that 499 of 500 survive; the broken one is
  /// landed as a line with the reason, and the reader quarantines it.
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

  /// Reads what brackets and strings alone show; false when even those do not match.
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

  /// What is wrong with a body as a whole, so that the request is repeated; a single bad row is not.
  ///
  /// A missing list is not an empty one: an error may come with status 200.
  static func fault(of stream: PayPalStream, isList: Bool) -> @Sendable (HTTPResponse) -> String? {
    { response in
      response.bodyFault { root in
        guard root.kind == .object else { return "its body is no JSON object" }
        return isList ? missing(of: stream, in: root) : nil
      } unless: {
        [.reporting, .inFlight].contains(stream) && canTakeApart($0.body)
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

  /// A truncated body may end anywhere; one with a bad row ends as it should.
  private static func endsAsObject(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.last { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 } == UInt8(ascii: "}")
  }
}
