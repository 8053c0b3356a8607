import Foundation

/// The files of a market: what the program reads, and the truth that a test compares its findings with.
extension Market {
  /// Writes what a market with one account consists of into a directory, which is made if need be.
  ///
  /// - Throws: what the file system says.
  package func write(to directory: URL, baseURL: String, night: Int = 1, apiKey: String = "${STRIPE_API_KEY}") throws {
    try write(to: directory, baseURLs: [plan.accounts[0].name: baseURL], night: night, apiKey: apiKey)
  }

  /// Writes `orders.csv`, `order_refunds.csv`, `crossfoot.yml`, `truth.json` and the files in the accounts' folders,
  /// which are made.
  ///
  /// - Throws: what the file system says.
  package func write(
    to directory: URL, baseURLs: [String: String], night: Int = 1, apiKey: String = "${STRIPE_API_KEY}"
  ) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try writeOrders(to: directory, night: night)
    for account in nights[min(night, nights.count) - 1].accounts.values {
      for (path, text) in account.files { try write(text, path, directory) }
    }
    try write(configuration(baseURLs: baseURLs, apiKey: apiKey), "crossfoot.yml", directory)
    try write(truth, "truth.json", directory)
  }

  /// The folders that the accounts' files lie in.
  package var folders: Set<String> {
    let paths = nights.flatMap { $0.accounts.values.flatMap(\.files.keys) }
    return Set(paths.compactMap { $0.contains("/") ? $0.split(separator: "/").first.map(String.init) : nil })
  }

  /// Writes the two files of the order system as they are on that night.
  package func writeOrders(to directory: URL, night: Int) throws {
    let shown = nights[min(night, nights.count) - 1]
    try write(shown.orders, "orders.csv", directory)
    try write(shown.orderRefunds, "order_refunds.csv", directory)
  }

  private func write(_ text: String, _ name: String, _ directory: URL) throws {
    let file = directory.appendingPathComponent(name)
    if name.contains("/") {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    try Data(text.utf8).write(to: file)
  }

  /// The configuration of a market with one account.
  package func configuration(baseURL: String, apiKey: String) -> String {
    configuration(baseURLs: [plan.accounts[0].name: baseURL], apiKey: apiKey)
  }

  /// The configuration of the market's platform; its policy is the default one, its rate cards are those of the
  /// accounts' fees.
  ///
  /// - Parameter baseURLs: where each account's endpoint listens, by the account's name.
  package func configuration(baseURLs: [String: String], apiKey: String) -> String {
    let providers = zip(plan.accounts, settings).compactMap { account, settings in
      settings.provider?.replacing("{base_url}", with: baseURLs[account.name] ?? "").replacing("{key}", with: apiKey)
    }
    let cards = settings.flatMap(\.rateCards)
    return """
      # A synthetic marketplace, seed \(plan.seed): \(Moment.date(plan.startsAt)) to \(Moment.date(plan.endsAt - 1)).
      reporting:
        time_zone: UTC
        output: output
      store:
        url: sqlite:crossfoot.db
      landing:
        directory: landing
      orders:
        - name: shop
          kind: csv
          orders: orders.csv
          refunds: order_refunds.csv
      \(settings.compactMap(\.orderSource).map { $0 + "\n" }.joined())providers:
      \(providers.joined(separator: "\n"))
      policy:
        refund_reverses_transfer: true
        refund_returns_application_fee: true
        capture_within: 7d
        expiry_warning: 1d
        order_paid_within: 1d
        settle_within: 5d
        approval_within: 1h
        duplicate_refund_within: 10m
      tolerance:
        amount: {default: 0, EUR: 1}
        proportional: 1
        provider_fee: 1
      \(cards.isEmpty ? "" : "rate_cards:\n" + cards.joined(separator: "\n") + "\n")
      """
  }

  /// The truth as JSON: the seed, every planted fault and every look-alike.
  package var truth: String {
    let faults = planted.map { fault in
      """
      {"type":"\(fault.type.rawValue)","provider":"\(fault.provider)","order_ids":\(list(fault.orderIDs)),\
      "payment_ids":\(list(fault.paymentIDs)),\
      "record_ids":\(list(fault.recordIDs)),"may_name":\(list(fault.mayName)),"night":\(fault.night),\
      "resolved_night":\(fault.resolvedNight.map(String.init) ?? "null"),"story":\(JSONTree.quoted(fault.story))}
      """
    }
    let harmless = lookAlikes.map { lookAlike in
      """
      {"resembles":\(list(lookAlike.resembles.map(\.rawValue))),"order_ids":\(list(lookAlike.orderIDs)),\
      "payment_ids":\(list(lookAlike.paymentIDs)),"story":\(JSONTree.quoted(lookAlike.story))}
      """
    }
    return """
      {"seed":\(plan.seed),"from":"\(Moment.date(plan.startsAt))","to":"\(Moment.date(plan.endsAt - 1))","planted":[
      \(faults.joined(separator: ",\n"))
      ],"look_alikes":[
      \(harmless.joined(separator: ",\n"))
      ]}

      """
  }

  private func list(_ words: [String]) -> String {
    "[" + words.map(JSONTree.quoted).joined(separator: ",") + "]"
  }
}
