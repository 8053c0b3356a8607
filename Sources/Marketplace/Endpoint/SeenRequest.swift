/// A request that the endpoint received, without its credentials, for inspection by a test.
package struct SeenRequest: Sendable, Equatable {
  package var method: String
  /// Without the query, e.g. `/v1/refunds`.
  package var path: String
  /// Decoded, in the order sent, joined as `name=value`.
  package var query: [String]
  /// The `Stripe-Version` header.
  package var version: String?
  /// The status that was sent; 200 for a truncated body.
  package var status: Int
}
