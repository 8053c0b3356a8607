// A stand-in until Pull.swift lands: whoever brings the real `struct Stripe: Provider` (init(_ entry: ProviderEntry) throws, streams with holds:) deletes this file.
import Landing
import Settings
struct Stripe: Provider {
  let name: String
  init(_ e: ProviderEntry) throws { name = e.name; _ = e.node.secret("api_key") }
  var streams: [StreamDescription] {
    [
      .init("balance_transactions", ["ledger"]), .init("charges", ["payments"]), .init("payment_intents", ["payments"]),
      .init("refunds", ["refunds"]), .init("application_fees", ["fees"]), .init("transfers", ["transfers"]),
      .init("disputes", ["disputes"]), .init("payouts", ["payouts"]), .init("payout_lines", ["payouts"]),
    ]
  }
  func pull(_ order: PullOrder, into landing: Landing) async -> PullOutcome { PullOutcome(streams: []) }
  func makeReader() -> any RecordReader { StripeReader(provider: name, orderReference: ["metadata.order_id", "payment_intent"]) }
  func examine() async -> [DoctorFinding] { [] }
}
