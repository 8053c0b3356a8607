import Landing

/// Writes one stream of delivered files into the landing zone, each file one page that names it.
///
/// An interrupted pull of files is not resumed: it is read again from the beginning.
struct FileWriter {
  private let writer: LandingWriter
  private let order: PullOrder
  private let stream: String

  /// - Parameters:
  ///   - request: what is requested, and by which edition of the rules.
  ///   - coversFrom: the oldest instant that any file reports, or the start of the range.
  init(
    provider: String, stream: String, request: String, windowFrom: Int64, coversFrom: Int64, watermark: Int64,
    _ order: PullOrder, into landing: Landing
  ) throws {
    self.order = order
    self.stream = stream
    let pull = StreamPull(
      provider: provider, stream: stream, request: request, windowFrom: windowFrom, windowTo: order.now,
      coversFrom: coversFrom, watermark: watermark, rangeFrom: order.rangeFrom, rangeTo: order.rangeTo)
    writer = try landing.open(pull, observedAt: order.now, goesOn: false)
  }

  func append(line: [UInt8], dropped: Int = 0) throws { try writer.append(line: line, dropped: dropped) }

  /// Counts records of accounts that are not configured, which are not written.
  func skip(otherAccounts: Int) { writer.otherAccounts += otherAccounts }

  /// Ends the page of a file.
  func end(_ file: ImportedFile) throws {
    try writer.endPage(cursor: nil, requestID: file.page)
    order.progress(stream, writer.objects)
  }

  /// Publishes the stream.
  ///
  /// - Parameters:
  ///   - reason: why the stream is incomplete, in a sentence for people.
  ///   - knownUntil: the instant up to which everything is known; nil: the watermark.
  func finish(reason: String?, knownUntil: Int64? = nil) throws -> StreamOutcome {
    let manifest = try writer.finish(complete: reason == nil, reason: reason, knownUntil: knownUntil)
    return StreamOutcome(stream: stream, objects: manifest.objects, isComplete: reason == nil, reason: reason)
  }
}
