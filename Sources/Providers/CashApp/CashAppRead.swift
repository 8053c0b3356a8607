import JSON
import Payments

/// Reads what was landed of a Cash App client: rows of settlement files, and the states that the Network API reports.
///
/// Money comes from settlement rows alone. Payments, refunds and disputes become events, which Resolve folds.
final class CashAppReader: RecordReader {
  let provider: String
  let clientID: String
  /// The file of the last row: thousands of consecutive rows come from the same file.
  private var file: (name: String, parts: CashAppFileName?) = ("", nil)
  /// The last entry made for a batch, so that not every row repeats it.
  var saidOfBatch: CashAppBatchWord?
  /// The payment of each refund that a payment lists: a refund may not contain its payment, and is read after the
  /// payments of its pull.
  var paymentOfRefund: [String: String] = [:]

  init(provider: String, clientID: String) {
    self.provider = provider
    self.clientID = clientID
  }

  func read(_ record: JSONValue, stream: String, from origin: Origin, into sink: any RecordSink) throws {
    if let refused = try RefusedRecord(record) { throw refused }
    switch CashAppStream(rawValue: stream) {
    case .settlement: try readDelivered(record, origin, sink)
    case .payments: try readPayment(record, origin, sink)
    case .refunds: try readRefund(record, origin, sink)
    case .disputes: try readDispute(record, origin, sink)
    case .apiKeys: try readKey(record, origin, sink)
    case nil: throw CashAppReadError.unknownStream(stream)
    }
  }

  private func readDelivered(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let name = try record["file"].string()
    if name != file.name { file = (name, CashAppFileName(name, clientID: clientID)) }
    guard let file = file.parts else { throw CashAppReadError.unknownFile(name) }
    let cells = CashAppCells(record)
    switch file.kind {
    case .activity: try read(CashAppActivity(cells), file, origin, sink)
    case .balance: try read(CashAppBalance(cells), file, origin, sink)
    case .disputes: try readReported(cells, origin, sink)
    case .summary: break
    }
  }

  /// Records a value that has no rule; the record is kept.
  func reportUnknown(
    _ word: String, of name: String, record: String, account: String, at seenAt: Int64, money: Money? = nil,
    _ sink: any RecordSink
  ) throws {
    try sink.add(
      UnknownWord(
        provider: provider, recordID: record, wordOf: name, word: word, account: account, seenAt: seenAt,
        currency: money?.currency.code,
        amountMinor: money?.amountMinor))
  }
}

/// What a row states about its batch.
struct CashAppBatchWord: Equatable {
  var batchID: String
  var chunk: Int64?
  var closedAt: Int64
}
