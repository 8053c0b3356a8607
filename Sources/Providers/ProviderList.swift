import Settings

/// The list of providers: one line each. A test compares it with the folders beside this file.
package enum ProviderList {
  private static let makers: [(kind: String, make: @Sendable (ProviderEntry) throws -> any Provider)] = [
    ("stripe", { try Stripe(try StripeConfiguration($0)) }),
    ("paypal", { try PayPal($0) }),
    ("adyen", { try Adyen($0) }),
    ("afterpay", { try Afterpay($0) }),
    ("cash_app", { try CashApp($0) }),
  ]

  /// The values that `kind` may have in the configuration.
  package static var kinds: [String] { makers.map(\.kind) }

  /// - Throws: `SettingsError` for keys of its own that are wrong or unknown.
  package static func make(_ entry: ProviderEntry) throws -> any Provider {
    guard let maker = makers.first(where: { $0.kind == entry.kind }) else {
      throw ProviderListError.unknownKind(entry.kind)
    }
    return try maker.make(entry)
  }
}

/// A kind that Settings accepted although no provider has it.
package enum ProviderListError: Error, CustomStringConvertible {
  case unknownKind(String)

  package var description: String {
    switch self {
    case .unknownKind(let kind): "no provider is of the kind \(kind)"
    }
  }
}
