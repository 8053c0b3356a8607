import Foundation
import Landing
import Payments

/// Orders and started payments from a folder of `*.jsonl`: the calls of PAR's ordering front end
/// (docs/contract.md section 5.8).
///
/// Its `payment_init_hash` links an order to its payment: it is the merchant reference passed to the provider.
struct PAROrders: OrderSource {
  let name: String
  /// The folder's path.
  let directory: String
  /// ISO 4217; the calls themselves contain no currency.
  let currency: String

  var streams: Set<String> { [OrderStream.orders.rawValue, OrderStream.inits.rawValue] }

  /// Lands the newest version of every order and every call that started a payment, all of them every night.
  ///
  /// - Throws: `OrderSourceError` when the folder or one of its files cannot be read.
  func pull(rangeFrom: Int64, rangeTo: Int64, now: Int64, into landing: Landing) throws -> OrderPullOutcome {
    let export = try read()
    let digits = try currencyDigits()
    let span = PullSpan(rangeFrom: rangeFrom, rangeTo: rangeTo, now: now)
    var orders = try delivery(.orders, span, landing)
    for (id, order) in export.orders.sorted(by: { $0.key < $1.key }) {
      let status = PARStatus.meaning(of: order.status)
      try orders.add(
        [
          id, Instant.text(order.placedAt), (status ?? .paid).rawValue, currency,
          Money.decimalText(order.totalMinor, digits: digits), "", "", "", "", order.hash ?? "",
        ], location: order.location, dropped: 0, statusWord: status == nil ? order.status : nil)
    }
    var inits = try delivery(.inits, span, landing)
    for (call, location) in export.inits.sorted(by: {
      ($0.key.at, $0.key.hash, $0.key.call) < ($1.key.at, $1.key.hash, $1.key.call)
    }) {
      try inits.add(
        [
          call.hash, call.call, Instant.text(call.at), currency,
          call.amountMinor.map { Money.decimalText($0, digits: digits) } ?? "", call.asksApproval ? "asked" : "",
        ], location: location, dropped: 0)
    }
    for (stream, row) in export.refused {
      if stream == .orders { try orders.refuse(row) } else { try inits.refuse(row) }
    }
    var outcome = try orders.finish()
    outcome.add(try inits.finish())
    outcome.unknownColumns = export.unread.sorted().map { "the call \($0)" }
    return outcome
  }

  private func read() throws -> PARExport {
    var export = PARExport()
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      for file in names.sorted() where file.hasSuffix(".jsonl") && !file.hasPrefix(".") {
        try export.add(file: "\(directory)/\(file)")
      }
    } catch {
      throw OrderSourceError(
        source: name, location: directory,
        reason: "cannot be read: see that the folder is right and its files may be read")
    }
    return export
  }

  private func currencyDigits() throws -> Int {
    do { return try Currency(code: currency).digits } catch {
      throw OrderSourceError(source: name, location: directory, reason: error.description)
    }
  }

  /// Exports cover everything up to the time when they are read, like CSV files of orders.
  private func delivery(_ stream: OrderStream, _ span: PullSpan, _ landing: Landing) throws -> Delivery {
    let pull = StreamPull(
      provider: name, stream: stream.rawValue, request: (directory as NSString).lastPathComponent, windowFrom: 0,
      windowTo: span.now,
      coversFrom: span.rangeFrom, watermark: span.now, rangeFrom: span.rangeFrom, rangeTo: span.rangeTo)
    return Delivery(source: name, stream: stream, writer: try landing.open(pull, observedAt: span.now, goesOn: false))
  }
}
