import JSON

/// The records that an object refers to (docs/providers/stripe.md sections 1.2 and 2, Joins).
///
/// Ids of the connected side (`destination_payment`, a fee's `charge`, `source_transfer`) are left out: the platform's
/// key cannot read those.
enum StripeNames {
  /// The references in an object, each with the approximate time of its creation.
  static func of(_ value: JSONValue, _ stream: StripeStream, near: Int64) -> [StripeName] {
    var found = StripeNameList(near: near)
    switch stream {
    case .balanceTransactions, .payoutLines: found.add(source: value["source"])
    case .charges:
      found.add(.balanceTransactions, value["balance_transaction"], value["failure_balance_transaction"])
      found.add(.paymentIntents, value["payment_intent"])
      found.add(.transfers, value["transfer"])
      found.add(.applicationFees, value["application_fee"])
    case .paymentIntents: found.add(.charges, value["latest_charge"])
    case .refunds:
      found.add(.charges, value["charge"])
      found.add(.paymentIntents, value["payment_intent"])
      found.add(.balanceTransactions, value["balance_transaction"], value["failure_balance_transaction"])
    case .transfers:
      found.add(.charges, value["source_transaction"])
      found.add(.balanceTransactions, value["balance_transaction"])
      for reversal in value["reversals"]["data"].elements { found.addPart(reversal) }
    case .applicationFees:
      found.add(.charges, value["originating_transaction"])
      found.add(.balanceTransactions, value["balance_transaction"])
      for refund in value["refunds"]["data"].elements { found.addPart(refund) }
    case .disputes:
      found.add(.charges, value["charge"])
      found.add(.paymentIntents, value["payment_intent"])
      // A row that is embedded in full need not be requested.
      for row in value["balance_transactions"].elements where row.kind == .string {
        found.add(.balanceTransactions, row)
      }
    case .payouts:
      found.add(.balanceTransactions, value["balance_transaction"], value["failure_balance_transaction"])
      found.add(.payouts, value["original_payout"], value["reversed_by"])
    case .balances, .account: break
    }
    return found.names
  }

  /// The references in an element of a sub-list.
  static func ofPart(_ value: JSONValue) -> [StripeName] {
    var found = StripeNameList(near: (try? value["created"].instant()) ?? 0)
    found.addPart(value)
    return found.names
  }
}

/// References collected from one object.
private struct StripeNameList {
  let near: Int64
  var names: [StripeName] = []

  init(near: Int64) { self.near = near }

  mutating func add(_ stream: StripeStream, _ members: JSONValue...) {
    for member in members {
      if let id = try? member.expandableID(), !id.isEmpty {
        names.append(StripeName(stream: stream, id: id, near: near))
      }
    }
  }

  /// The object of a ledger row; for a reversal or fee refund given in full, its parent.
  mutating func add(source: JSONValue) {
    guard let id = try? source.expandableID() else { return }
    if id.hasPrefix("trr_") {
      add(.transfers, source["transfer"])
    } else if id.hasPrefix("fr_") {
      add(.applicationFees, source["fee"])
    } else if let stream = StripeStream(id: id), stream != .balanceTransactions {
      names.append(StripeName(stream: stream, id: id, near: near))
    }
  }

  /// A reversal's or fee refund's own ledger row and refund, near its own time.
  mutating func addPart(_ value: JSONValue) {
    var own = StripeNameList(near: (try? value["created"].instant()) ?? near)
    own.add(.balanceTransactions, value["balance_transaction"])
    own.add(.refunds, value["source_refund"])
    names.append(contentsOf: own.names)
  }
}
