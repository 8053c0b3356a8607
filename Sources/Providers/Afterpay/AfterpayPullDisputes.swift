import HTTP
import JSON
import Landing

/// Disputes: a list in pages by offset, read whole every night, because there are few and each can change.
extension Afterpay {
  /// Disputes on a page.
  private static let disputesOnPage = 100

  /// Lands every dispute, with the payment that its checkout token leads to.
  ///
  /// Accounts for which Afterpay offers no disputes answer 404: they have none.
  func pullDisputes(
    _ window: AfterpayWindow, _ order: PullOrder, _ payments: AfterpayPaymentsPulled, _ landing: Landing
  ) async -> AfterpayOutcome {
    let lander = AfterpayLander(.disputes, streamPull(.disputes, "GET /v2/disputes", window, order), order, in: landing)
    if let fault = payments.outcome.fault, fault.kind == .credentials || fault.kind == .cancelled {
      lander.fail(fault)
      return lander.finish()
    }
    do {
      try await walkDisputes(payments, lander)
    } catch let failure where failure.kind == .missing {
      logger.info("\(failure.sentence); the account has no disputes")
    } catch {
      logger.warning("\(error.sentence)")
      lander.fail(error)
    }
    return lander.finish()
  }

  private func walkDisputes(_ payments: AfterpayPaymentsPulled, _ lander: AfterpayLander) async throws(AfterpayFailure)
  {
    var ids: Set<String> = []
    var offset = 0
    while true {
      let query = [("offset", String(offset)), ("limit", String(Self.disputesOnPage))]
      let response = try await api.get(.disputes, query, what: "disputes", fault: AfterpayDisputesPage.fault)
      let page: AfterpayDisputesPage
      do {
        page = try AfterpayDisputesPage(response, payments.idsByToken)
      } catch {
        throw AfterpayFailure(error, asking: "\(name) disputes")
      }
      let fresh = page.disputes.filter { $0.id.isEmpty || ids.insert($0.id).inserted }
      for dispute in fresh { lander.land(dispute.line, dropped: dispute.dropped) }
      lander.endPage(requestID: response.requestID)
      if let fault = lander.fault { throw fault }
      offset += page.disputes.count
      guard let total = page.total, Int64(offset) < total else { return }
      guard !fresh.isEmpty else {
        throw AfterpayFailure(
          kind: .other,
          sentence:
            "\(name) disputes: the list states \(total) disputes and gives no more than \(ids.count); run again later")
      }
    }
  }
}

/// One page of the list of disputes.
struct AfterpayDisputesPage: Sendable {
  /// A dispute, ready to be landed.
  struct Listed: Sendable {
    let id: String
    let line: [UInt8]
    let dropped: Int
  }
  let disputes: [Listed]
  let total: Int64?

  init(_ response: HTTPResponse, _ idsByToken: [String: String]) throws {
    (disputes, total) = try JSONParser().parse(response.body) { root in
      (root["data"].elements.map { Self.listed($0, idsByToken) }, try? root["total"].int64())
    }
  }

  /// The dispute with a member of our own, `payment`: the order id that its token belongs to, where that payment was
  /// read.
  private static func listed(_ value: JSONValue, _ idsByToken: [String: String]) -> Listed {
    var line: [UInt8] = []
    let dropped = value.writeJSON(into: &line, keeping: AfterpayFields.dispute)
    let token = (try? value["order"].string()) ?? ""
    if let payment = idsByToken[token], line.last == UInt8(ascii: "}") {
      line.removeLast()
      line.append(contentsOf: (line.count > 1 ? ",\"payment\":" : "\"payment\":").utf8)
      JSONValue.writeString(Array(payment.utf8), into: &line)
      line.append(UInt8(ascii: "}"))
    }
    return Listed(id: (try? value["id"].string()) ?? "", line: line, dropped: dropped)
  }

  static let fault: @Sendable (HTTPResponse) -> String? = { response in
    do {
      return try JSONParser().parse(response.body) { $0["data"].kind == .array ? nil : "it holds no list of disputes" }
    } catch {
      return "its body is no JSON: \(error)"
    }
  }
}
