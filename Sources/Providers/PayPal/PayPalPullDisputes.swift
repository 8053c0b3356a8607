import HTTP
import JSON
import Payments

/// Disputes: the list contains those that changed, and each is then requested in full.
extension PayPalSession {
  /// PayPal accepts update times within the last 180 days; exactly 180 would be too old by the time the request arrives
  /// (docs/providers/paypal.md section 1).
  private static let horizon: Int64 = 179 * 86_400

  func pullDisputes() async {
    // Those from the list first, to record that the list contains them.
    defer {
      for id in order.open[PayPalStream.disputes.rawValue] ?? [] {
        queue.enqueue(PayPalName(stream: .disputes, id: id))
      }
    }
    await attempt(.disputes) { () throws(ProviderFailure) in
      let after = max(window.coversFrom - configuration.lookBack, order.now - Self.horizon)
      var query = [("update_time_after", Instant.text(after)), ("page_size", "50")]
      var tokens: Set<String> = []
      while true {
        let (ids, token) = try await disputes(query)
        for id in ids { queue.enqueue(PayPalName(stream: .disputes, id: id, isListed: true)) }
        guard let token else { return }
        guard tokens.insert(token).inserted else {
          throw ProviderFailure(
            kind: .other, sentence: "\(configuration.name) disputes: the list comes back to a page; run again later")
        }
        query = [("update_time_after", Instant.text(after)), ("page_size", "50"), ("next_page_token", token)]
      }
    }
  }

  /// A page of the list: its disputes, and the token of the next page.
  private func disputes(_ query: [(String, String)]) async throws(ProviderFailure) -> ([String], String?) {
    let label = "\(configuration.name) disputes"
    let response = try await api.get(PayPalStream.disputes.path, query, for: .disputes)
    do {
      let base = configuration.baseURL
      return try JSONParser().parse(response.body) { root in
        let ids = root["items"].elements.compactMap { try? $0["dispute_id"].string() }
        var token: String?
        for link in root["links"].elements where link["rel"].isString("next") {
          token = try PayPalLink(try link["href"].string(), base: base, label: label)["next_page_token"]
        }
        return (ids, token)
      }
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }
}
