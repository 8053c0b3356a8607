/// A request that the endpoint saw, without its credentials, for a test to look at.
package struct SeenRequest: Sendable, Equatable {
  package var method: String
  /// Without the query, e.g. `/v1/refunds`.
  package var path: String
  /// Decoded, in the order sent, joined as `name=value`.
  package var query: [String]
  /// The `Stripe-Version` header.
  package var version: String?
  /// The status that was sent; a cut body says 200.
  package var status: Int
}
