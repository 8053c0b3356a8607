/// What the endpoint shows at the end of a night.
extension StripeStories {
  /// Everything that is new or different since the night before.
  func show() -> AccountState {
    let rendering = Rendering(moment: plan.end(of: night) + Season.hour)
    let objects = ledger.served(rendering).filter { shown[$0.id] != $0.json }
    for object in objects { shown[object.id] = object.json }
    let sorted = objects.sorted { $0.created != $1.created ? $0.created < $1.created : $0.id < $1.id }
    let payouts = Dictionary(
      uniqueKeysWithValues: ledger.payouts.filter { $0.night == night }.map { ($0.id, $0.lines) })
    return AccountState(stripe: StripeNight(objects: sorted, payouts: payouts))
  }
}

extension StripeLedger {
  /// Every object that can be seen by now, serialised.
  func served(_ rendering: Rendering) -> [ServedObject] {
    // What is older than nine nights changes no more.
    let nights = (night > 2 ? night - 9 : 0)...night
    var objects = intents.filter { nights.contains($0.night) }.map(rendering.served)
    objects += charges.filter { nights.contains($0.night) }.map(rendering.served)
    objects += rows.filter { nights.contains($0.night) }.map(rendering.served)
    objects += refunds.filter { nights.contains($0.night) }.map(rendering.served)
    objects += disputes.filter { nights.contains($0.night) }.map(rendering.served)
    objects += payouts.filter { nights.contains($0.night) }.map(rendering.served)
    for transfer in transfers where nights.contains(transfer.night) {
      objects.append(rendering.served(transfer))
      objects += transfer.reversals.filter { nights.contains($0.night) }.map(rendering.served(reversal:))
    }
    for fee in fees where nights.contains(fee.night) {
      objects.append(rendering.served(fee))
      objects += fee.refunds.filter { nights.contains($0.night) }.map(rendering.served(feeRefund:))
    }
    return objects
  }
}

/// What a night adds to the one before.
struct StripeNight: Sendable {
  /// New objects and new versions.
  var objects: [ServedObject]
  /// The rows that each payout pays.
  var payouts: [String: [String]]
}
