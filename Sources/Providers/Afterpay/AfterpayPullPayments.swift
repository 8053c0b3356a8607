import HTTP
import JSON
import Landing
import Payments

extension Afterpay {
  /// Reads the window's payments, page by page, then those that other records refer to and that are outside the window.
  ///
  /// - Parameter named: order ids that earlier nights left open or a settlement export refers to.
  func pullPayments(
    _ window: AfterpayWindow, _ order: PullOrder, _ named: Set<String>, _ landing: Landing
  ) async -> AfterpayPulled {
    let query = query(window)
    let request = "GET /v2/payments?" + query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    let writer = writer(.payments, request, window, order, landing)
    var walk = AfterpayWalk(window: window, label: "\(name) payments")
    do {
      if let fault = writer.fault { throw fault }
      var response = try await api.get(.payments, query, what: "payments", fault: AfterpayPage.fault)
      while true {
        let next = try take(response, &walk, writer)
        guard let next else { break }
        response = try await api.follow(next, on: .payments, what: "payments", fault: AfterpayPage.fault)
      }
      try walk.finish()
      for id in named.subtracting(walk.ids).sorted() { try await bring(id, &walk, writer) }
    } catch {
      writer.fail(ProviderFailure(error, asking: "\(name) payments"))
    }
    if let fault = writer.fault { logger.warning("\(fault.sentence)") }
    return AfterpayPulled(writer, idsByToken: walk.idsByToken)
  }

  /// Always `Z`, because an unencoded `+` means a space in a query; Afterpay answers 500 to a date that it cannot
  /// parse.
  private func query(_ window: AfterpayWindow) -> [(String, String)] {
    [
      ("fromCreatedDate", Instant.text(window.from)), ("toCreatedDate", Instant.text(window.to)),
      ("includeNextLink", "true"),
      ("limit", String(configuration.pageSize)),
    ]
  }

  /// Lands a page and returns the link to the next.
  private func take(
    _ response: HTTPResponse, _ walk: inout AfterpayWalk, _ writer: StreamWriter
  ) throws(ProviderFailure) -> String? {
    let page: AfterpayPage
    do {
      page = try AfterpayPage(response)
    } catch {
      throw ProviderFailure(error, asking: "\(name) payments")
    }
    try writer.land(page.payments.filter { walk.isNew($0) })
    try writer.endPage(requestID: response.requestID)
    return try walk.next(after: page)
  }

  /// One payment by its id. A payment unknown to Afterpay is not a gap: a settlement row that refers to it is an
  /// orphan.
  private func bring(_ id: String, _ walk: inout AfterpayWalk, _ writer: StreamWriter)
    async throws(ProviderFailure)
  {
    do throws(ProviderFailure) {
      let response = try await api.get(.payment(id), what: "payment \(id)")
      let payment: AfterpayRecord
      do {
        payment = try JSONParser().parse(response.body) { AfterpayRecord(payment: $0) }
      } catch {
        throw ProviderFailure(error, asking: "\(name) payment \(id)")
      }
      guard payment.id == id else {
        throw ProviderFailure(
          kind: .other, sentence: "\(name) payment \(id): the answer is about another payment; run again later")
      }
      walk.note(payment)
      try writer.land([payment])
      try writer.endPage(requestID: response.requestID)
    } catch let failure where failure.kind == .missing {
      logger.info("\(failure.sentence); a settlement export or an earlier night names it")
    }
  }

  /// The stream's open file; messages about it contain the stream's name alone.
  ///
  /// - Parameter request: the description of the request in the manifest.
  func writer(
    _ stream: AfterpayStream, _ request: String, _ window: AfterpayWindow, _ order: PullOrder, _ landing: Landing
  ) -> StreamWriter {
    let writer = StreamWriter(stream.rawValue, stream.rawValue, order)
    let pull = StreamPull(
      provider: name, stream: stream.rawValue, request: request, windowFrom: window.from, windowTo: window.to,
      coversFrom: window.coversFrom, watermark: window.watermark, rangeFrom: order.rangeFrom, rangeTo: order.rangeTo)
    writer.open(pull, in: landing, observedAt: order.now)
    return writer
  }
}
