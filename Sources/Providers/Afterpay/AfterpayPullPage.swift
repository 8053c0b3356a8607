import HTTP
import JSON

/// One page of the list of payments.
struct AfterpayPage: Sendable {
  let payments: [AfterpayRecord]
  /// The total number of payments on all pages; nil where the answer does not contain it.
  let total: Int64?
  /// Nil at the end.
  let next: String?

  init(_ response: HTTPResponse) throws {
    (payments, total, next) = try JSONParser().parse(response.body) { root in
      let next = (try? root["nextPageUrl"].optionalString()) ?? nil
      return (
        root["results"].elements.map(AfterpayRecord.init(payment:)), try? root["totalResults"].int64(),
        next.flatMap { $0.isEmpty ? nil : $0 }
      )
    }
  }

  /// What is wrong with a body as a whole, so that the request is repeated.
  static let fault: @Sendable (HTTPResponse) -> String? = { response in
    response.bodyFault { $0["results"].kind == .array ? nil : "it holds no list of results" }
  }
}

/// One page of the list of disputes.
struct AfterpayDisputesPage: Sendable {
  let disputes: [AfterpayRecord]
  let total: Int64?

  init(_ response: HTTPResponse, _ idsByToken: [String: String]) throws {
    (disputes, total) = try JSONParser().parse(response.body) { root in
      (root["data"].elements.map { AfterpayRecord(dispute: $0, idsByToken) }, try? root["total"].int64())
    }
  }

  static let fault: @Sendable (HTTPResponse) -> String? = { response in
    response.bodyFault { $0["data"].kind == .array ? nil : "it holds no list of disputes" }
  }
}
