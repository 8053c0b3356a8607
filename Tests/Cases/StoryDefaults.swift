import Marketplace

extension StoryObjects {
  /// What every real object of its kind has (docs/providers/stripe.md section 2), as far as the story does not say
  /// otherwise.
  static func defaults(_ object: String, _ given: [String: JSONTree]) throws -> [String: JSONTree] {
    let amount = given["amount"] ?? .number("0")
    switch object {
    case "charge": return charge(amount, given)
    case "payment_intent":
      return [
        "amount_received": amount, "amount_capturable": .number("0"), "status": .string("succeeded"),
        "metadata": .object([]),
        "application_fee_amount": .null, "latest_charge": .null, "on_behalf_of": .null, "transfer_group": .null,
        "canceled_at": .null,
        "capture_method": .string("automatic_async"), "receipt_email": .string("jenny.rosen@example.com"),
      ]
    case "refund":
      return [
        "status": .string("succeeded"), "balance_transaction": .null, "payment_intent": .null,
        "transfer_reversal": .null,
        "reason": .string("requested_by_customer"), "metadata": .object([]),
      ]
    case "transfer":
      return [
        "amount_reversed": .number("0"), "balance_transaction": .null, "reversed": .bool(false),
        "source_transaction": .null,
        "transfer_group": .null, "metadata": .object([]), "description": .string("for Jenny Rosen"),
        "reversals": try list(given["reversals"], "reversals"),
      ]
    case "application_fee":
      return [
        "amount_refunded": .number("0"), "balance_transaction": .null, "refunded": .bool(false),
        "originating_transaction": .null,
        "application": .string("ca_app0001"), "refunds": try list(given["refunds"], "refunds"),
      ]
    case "dispute":
      return [
        "status": .string("needs_response"), "reason": .string("fraudulent"), "balance_transactions": .array([]),
        "payment_intent": .null,
        "evidence": tree(["customer_email_address": .string("jenny.rosen@example.com")]), "metadata": .object([]),
      ]
    case "payout":
      return [
        "status": .string("paid"), "automatic": .bool(true), "reconciliation_status": .string("completed"),
        "balance_transaction": .null,
        "failure_balance_transaction": .null, "failure_code": .null, "type": .string("bank_account"),
        "method": .string("standard"),
        "arrival_date": given["created"] ?? .null,
      ]
    case "balance_transaction": return row(amount, given)
    default: return [:]
    }
  }

  private static func charge(_ amount: JSONTree, _ given: [String: JSONTree]) -> [String: JSONTree] {
    let isCaptured = given["captured"].map { $0 == .bool(true) } ?? true
    return [
      "amount_captured": isCaptured ? amount : .number("0"), "amount_refunded": .number("0"), "captured": .bool(true),
      "paid": .bool(true),
      "status": .string("succeeded"), "refunded": .bool(false), "disputed": .bool(false), "balance_transaction": .null,
      "failure_balance_transaction": .null, "application_fee": .null, "application_fee_amount": .null,
      "payment_intent": .null,
      "transfer_group": .null, "metadata": .object([]), "description": .string("Order of Jenny Rosen"),
      "receipt_email": .string("jenny.rosen@example.com"),
      "billing_details": tree(["name": .string("Jenny Rosen"), "email": .string("jenny.rosen@example.com")]),
      "payment_method_details": tree([
        "type": .string("card"),
        "card": tree(["last4": .string("4242"), "fingerprint": .string("Xt5EWLLDS7FJjR1c"), "brand": .string("visa")]),
      ]),
    ]
  }

  /// Fee lines default to one of Stripe's own that makes the fee; the net to amount − fee.
  private static func row(_ amount: JSONTree, _ given: [String: JSONTree]) -> [String: JSONTree] {
    let fee = given["fee"]?.word ?? "0"
    let net = (Int64(amount.word ?? "0") ?? 0) - (Int64(fee) ?? 0)
    let line = tree([
      "amount": .number(fee), "currency": given["currency"] ?? .string("usd"), "type": .string("stripe_fee"),
      "application": .null,
      "description": .string("Stripe processing fees"),
    ])
    return [
      "fee": .number(fee), "net": .number(String(net)), "fee_details": .array(fee == "0" ? [] : [line]),
      "exchange_rate": .null,
      "status": .string("available"), "available_on": given["created"] ?? .null,
      // The merchant's text where there is an object behind the row, else Stripe's.
      "description": .string(given["source"] ?? .null == .null ? "Stripe fee" : "Order of Jenny Rosen"),
      "source": .null, "balance_type": .string("payments"),
    ]
  }

  /// Reversals and fee refunds are given as a plain list and served as a list object.
  private static func list(_ given: JSONTree?, _ name: String) throws -> JSONTree {
    tree([
      "object": .string("list"), "has_more": .bool(false), "url": .string("/v1/\(name)"),
      "data": .array(given?.elements ?? []),
    ])
  }
}
