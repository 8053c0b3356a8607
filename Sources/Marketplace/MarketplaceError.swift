/// What can go wrong in the synthetic marketplace: always a mistake of whoever wrote the scenario, or a machine without
/// a free port.
package enum MarketplaceError: Error, CustomStringConvertible, Equatable {
  /// A scenario's text is no JSON.
  case notJSON(offset: Int, reason: String)
  /// A scenario's object lacks a member that places it.
  case notPlaceable(member: String, of: String)
  /// The endpoint does not serve objects of this kind.
  case unknownObject(String)
  /// The server did not begin to listen.
  case notListening
  /// More faults of these types were asked for than there is room for.
  case tooManyFaults(asked: Int, room: Int)

  package var description: String {
    switch self {
    case .notJSON(let offset, let reason):
      "the object is no JSON: \(reason) at byte \(offset); correct the scenario's text"
    case .notPlaceable(let member, let kind):
      "an object of kind \"\(kind)\" has no \"\(member)\"; the endpoint needs it to place it in a list"
    case .unknownObject(let kind):
      "no list of the endpoint holds objects of kind \"\(kind)\"; see StripeList for those that it knows"
    case .notListening: "the endpoint did not begin to listen on 127.0.0.1"
    case .tooManyFaults(let asked, let room):
      "\(asked) faults were asked for, and there is room for \(room); ask for more orders"
    }
  }
}
