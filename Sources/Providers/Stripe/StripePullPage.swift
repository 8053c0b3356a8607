import HTTP
import JSON

/// One page of a list, or one object, from an answer's body.
struct StripePage: Sendable {
  var records: [StripeRecord]
  var hasMore: Bool
  var requestID: String?

  /// A page of a list, or a single object as a page of one.
  ///
  /// A body that is not valid JSON as a whole is split at its elements, so that 99 of 100 objects survive; the broken
  /// one is landed as a line with the reason, and the reader quarantines it.
  init(_ response: HTTPResponse, _ make: (JSONValue) -> StripeRecord) throws {
    requestID = response.requestID
    do {
      (records, hasMore) = try JSONParser().parse(response.body) { root in
        guard root["object"].isString("list") else { return ([make(root)], false) }
        return (root["data"].elements.map(make), (try? root["has_more"].bool()) ?? false)
      }
    } catch let error as JSONError {
      guard let split = StripePageSplitter.split(response.body) else { throw error }
      let parser = JSONParser()
      hasMore = split.hasMore
      records = split.elements.map { Self.record(response.body[$0.range], id: $0.id, parser, make) }
    }
  }

  private static func record(
    _ bytes: ArraySlice<UInt8>, id: String, _ parser: JSONParser, _ make: (JSONValue) -> StripeRecord
  ) -> StripeRecord {
    do {
      return try parser.parse(Array(bytes), make)
    } catch {
      return StripeRecord(id: id, created: nil, line: .line(("id", id), ("unreadable", "\(error)")), dropped: 0)
    }
  }

  /// What is wrong with a body as a whole, so that the request is repeated; a single bad element is not.
  static let fault: @Sendable (HTTPResponse) -> String? = { response in
    response.bodyFault(unless: { StripePageSplitter.split($0.body) != nil })
  }
}
