/// Faults of whole batches, and what the account shows at the end of a night.
extension AdyenStories {
  func settle(_ quotas: [FaultType: Int]) {
    guard night == 1 else { return }
    var free = dice.shuffled(
      batches.closed(before: plan.endsAt, ledger.rows).filter { $0.number > merchant.firstBatch })
    for _ in 0..<quotas[.payoutFailed, default: 0] { plantBounced(&free) }
    for turn in 0..<quotas[.batchOutOfBalance, default: 0] { plantUnbalanced(&free, carried: turn % 2 == 1) }
    for turn in 0..<quotas[.unknownRecordType, default: 0] {
      guard let batch = free.popLast() else { return }
      let word = dice.pick(["FooBarAdjustment", "SchemeRebate", "GreenLevy"]) + "\(turn + 1)"
      batches.faults[batch.number] = .unknownRow(word, dice.number(50...900) * dice.pick([-1, 1]))
      plant(.unknownRecordType, [], "a row of an unknown type in batch \(batch.number)")
    }
  }

  /// The capacity for faults of whole batches.
  func room(for type: FaultType) -> Int? {
    switch type {
    case .payoutFailed: 1
    case .batchOutOfBalance, .unknownRecordType: 2
    default: nil
    }
  }

  private func plantBounced(_ free: inout [AdyenBatch]) {
    guard let place = free.firstIndex(where: { $0.payoutReference != nil && before($0)?.payoutReference != nil }) else {
      return
    }
    let batch = free.remove(at: place)
    batches.faults[batch.number] = .payoutBounced
    let names = [batch.number - 1, batch.number].map { "\(merchant.name)/\($0)" }
    plant(.payoutFailed, [], records: names, "a payout that the bank sent back")
  }

  private func plantUnbalanced(_ free: inout [AdyenBatch], carried: Bool) {
    let place = free.firstIndex { carried ? $0.opening != 0 : $0.payoutReference != nil }
    guard let place = place ?? free.firstIndex(where: { $0.payoutReference != nil }) else { return }
    let batch = free.remove(at: place)
    let isCarried = carried && batch.opening != 0
    batches.faults[batch.number] = isCarried ? .carryBroken : .payoutOff
    let names = (isCarried ? [batch.number - 1, batch.number] : [batch.number]).map { "\(merchant.name)/\($0)" }
    plant(
      .batchOutOfBalance, [], records: names,
      isCarried ? "a batch that opens with another balance than was handed on" : "a batch whose payout is a cent short")
  }

  private func before(_ batch: AdyenBatch) -> AdyenBatch? {
    batches.closed(before: plan.endsAt, ledger.rows).first { $0.number == batch.number - 1 }
  }

  func show() -> AccountState {
    let (ends, starts) = (plan.end(of: night), night == 1 ? plan.startsAt : plan.end(of: night - 1))
    let delivery = AdyenDelivery(account: merchant, batches: batches, night: night)
    let reports = delivery.reports(before: ends, ledger.rows)
    let tidings = delivery.reportEvents(from: starts, before: ends, ledger.rows)
    var files: [String: String] = [:]
    for (name, text) in delivery.notices(ledger.events, reports: tidings) {
      files["adyen-notifications/\(name)"] = text
    }
    for (name, text) in kiosk?.files(night) ?? [:] { files["kiosk/\(name)"] = text }
    guard !merchant.isDownloaded else {
      let path = "/reports/download/MerchantAccount/\(merchant.name)/"
      let served = Dictionary(uniqueKeysWithValues: reports.map { (path + $0.key, $0.value) })
      return AccountState(site: AdyenSite(files: served), files: files)
    }
    for (name, text) in reports { files["\(account.name)-reports/\(name)"] = text }
    return AccountState(files: files)
  }

  var settings: AccountSettings {
    let source =
      merchant.isDownloaded
      ? """
          username: \(AdyenSite.user)
          password: \(AdyenSite.password)
          base_url: {base_url}
      """ : "    reports_directory: \(account.name)-reports"
    let notified =
      merchant.isNotified
      ? """

          webhooks_directory: adyen-notifications
          hmac_keys: [\(String(repeating: "0", count: 64)), \(AdyenNotices.companyKey)]
      """ : ""
    let provider = """
        - name: \(account.name)
          kind: adyen
          merchant_account: \(merchant.name)
      \(source)\(notified)
          time_zone: \(merchant.zone)
          order_reference: [merchant_reference, merchant_order_reference]
      """
    return AccountSettings(provider: provider, orderSource: kiosk?.settings)
  }
}

extension AdyenBatch {
  /// What it was handed on by the batch before.
  var opening: Int64 {
    rows.first { $0.type == "Balancetransfer" && $0.modificationReference.contains(" from ") }?.net ?? 0
  }
}
