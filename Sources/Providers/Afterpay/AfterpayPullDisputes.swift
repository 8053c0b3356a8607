import HTTP
import JSON
import Landing

/// Disputes: a list paged by offset, read in full every night, because there are few and each can change.
extension Afterpay {
  /// Disputes on a page.
  private static let disputesOnPage = 100

  /// Lands every dispute, with the payment that its checkout token identifies.
  ///
  /// Accounts for which Afterpay offers no disputes answer 404: they have none.
  func pullDisputes(
    _ window: AfterpayWindow, _ order: PullOrder, _ payments: AfterpayPulled, _ landing: Landing
  ) async -> AfterpayPulled {
    let writer = writer(.disputes, "GET /v2/disputes", window, order, landing)
    if let fault = payments.fault, fault.kind == .credentials || fault.kind == .cancelled {
      writer.fail(fault)
      return AfterpayPulled(writer)
    }
    do {
      try await walkDisputes(payments, writer)
    } catch let failure where failure.kind == .missing {
      logger.info("\(failure.sentence); the account has no disputes")
    } catch {
      logger.warning("\(error.sentence)")
      writer.fail(error)
    }
    return AfterpayPulled(writer)
  }

  private func walkDisputes(_ payments: AfterpayPulled, _ writer: StreamWriter) async throws(ProviderFailure) {
    var ids: Set<String> = []
    var offset = 0
    while true {
      let query = [("offset", String(offset)), ("limit", String(Self.disputesOnPage))]
      let response = try await api.get(.disputes, query, what: "disputes", fault: AfterpayDisputesPage.fault)
      let page: AfterpayDisputesPage
      do {
        page = try AfterpayDisputesPage(response, payments.idsByToken)
      } catch {
        throw ProviderFailure(error, asking: "\(name) disputes")
      }
      let fresh = page.disputes.filter { $0.id.isEmpty || ids.insert($0.id).inserted }
      try writer.land(fresh)
      try writer.endPage(requestID: response.requestID)
      offset += page.disputes.count
      guard let total = page.total, Int64(offset) < total else { return }
      guard !fresh.isEmpty else {
        throw ProviderFailure(
          kind: .other,
          sentence:
            "\(name) disputes: the list states \(total) disputes and gives no more than \(ids.count); run again later")
      }
    }
  }
}
