/// The faults on the wire: by path and by the number of the request to it.
package struct FaultPlan: Sendable {
  /// One way for an answer to be wrong.
  package enum Kind: Sendable, Equatable {
    /// 429; without seconds there is no `Retry-After`.
    case rateLimited(retryAfter: Int?)
    /// Any status with a Stripe error body, e.g. 409, 500 or 503; `shouldRetry` sets `Stripe-Should-Retry`.
    case status(Int, shouldRetry: Bool? = nil)
    /// 502 with an HTML page.
    case badGateway
    /// The connection ends after that part of the body (0..<1).
    case cutBody(Double)
    /// A whole answer whose JSON ends too early; of a file, which has no end of its own, the connection ends.
    case endsEarly
    /// The last object of the page before comes once more, at the top of this one.
    case repeatedObject
    /// 403 naming the permission that the list needs.
    case forbidden
    /// A body of the scenario's own, with its status.
    case body(Int, String)
    /// A list whose last page, and every empty one after it, has `has_more` set.
    case endless
    /// No answer until the endpoint stops.
    case silence
  }

  /// A fault, the paths it affects, and which of their requests.
  package struct Rule: Sendable {
    /// The path's beginning, e.g. `/v1/refunds`; ids count as their list.
    package var path: String
    /// The numbers of the affected requests to the path, from 1.
    package var requests: ClosedRange<Int>
    package var kind: Kind

    package init(_ kind: Kind, path: String, requests: ClosedRange<Int> = 1...Int.max) {
      self.kind = kind
      self.path = path
      self.requests = requests
    }
  }

  package var rules: [Rule]
  /// One in this many requests gets a fault that a second attempt overcomes; nil for none.
  package var everyNth: Int?

  package init(_ rules: [Rule] = [], everyNth: Int? = nil) {
    self.rules = rules
    self.everyNth = everyNth
  }

  /// A list that cannot be read at all.
  package static func dead(_ list: StripeList) -> FaultPlan {
    FaultPlan([Rule(.status(500), path: "/v1/\(list.rawValue)")])
  }

  /// A list that the key may not read.
  package static func forbidden(_ list: StripeList) -> FaultPlan {
    FaultPlan([Rule(.forbidden, path: "/v1/\(list.rawValue)")])
  }

  /// 429s, server errors, cut and short bodies and repeated objects, one in every `everyNth` requests; never twice in a
  /// row.
  package static func roughWeather(everyNth: Int = 7) -> FaultPlan {
    FaultPlan(everyNth: everyNth)
  }

  /// The fault that falls on the n-th request to a path, which is the `total`-th request of all.
  func fault(path: String, request: Int, total: Int) -> Kind? {
    if let rule = rules.first(where: { path.hasPrefix($0.path) && $0.requests.contains(request) }) { return rule.kind }
    guard let everyNth, total.isMultiple(of: everyNth) else { return nil }
    let weather: [Kind] = [
      .rateLimited(retryAfter: 0), .status(500), .badGateway, .cutBody(0.6), .repeatedObject, .endsEarly, .status(409),
      .cutBody(0),
    ]
    return weather[(total / everyNth) % weather.count]
  }
}
