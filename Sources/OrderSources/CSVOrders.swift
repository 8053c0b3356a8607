import Files
import Landing

/// Orders, and optionally refunds, in CSV files that contain all records of the source.
struct CSVOrders: OrderSource {
  let name: String
  /// Paths of the files.
  let orders: String
  let refunds: String?

  var streams: Set<String> {
    Set([OrderStream.orders.rawValue] + (refunds == nil ? [] : [OrderStream.refunds.rawValue]))
  }

  /// Lands both files; neither, when one of them is refused.
  func pull(rangeFrom: Int64, rangeTo: Int64, now: Int64, into landing: Landing) throws -> OrderPullOutcome {
    let span = PullSpan(rangeFrom: rangeFrom, rangeTo: rangeTo, now: now)
    var files = [try CSVOrderFile(path: orders, stream: .orders, source: name)]
    if let refunds { files.append(try CSVOrderFile(path: refunds, stream: .refunds, source: name)) }
    return try files.map { try $0.land(span, into: landing) }.reduce(into: OrderPullOutcome()) { $0.add($1) }
  }
}

/// One CSV file with a valid header.
struct CSVOrderFile {
  private let source: String
  private let stream: OrderStream
  private let file: SourceFile
  private let reader: CSVReader
  private let places: ColumnPlaces

  /// Opens the file and reads its header.
  ///
  /// - Throws: `OrderSourceError` when the file cannot be read, or its header lacks a required column or has one of
  ///   ours twice.
  init(path: String, stream: OrderStream, source: String) throws {
    let refusal = { (reason: String) in OrderSourceError(source: source, location: path, reason: reason) }
    do {
      let file = try SourceFile(path: path)
      self.source = source
      self.stream = stream
      self.file = file
      reader = try CSVReader { try file.fill($0) }
      places = try ColumnPlaces(Self.header(reader), of: stream)
    } catch let problem as FileProblem {
      throw refusal("\(problem); see that the path is right and the file may be read")
    } catch let problem as ColumnProblem {
      throw refusal("\(problem); the header row names the columns, separated by commas, in UTF-8")
    }
  }

  private static func header(_ reader: CSVReader) throws -> [String] {
    guard try reader.next(), reader.problem == nil else { return [] }
    // A file whose lines end with a carriage return alone would be one long header and no rows.
    guard !(0..<reader.count).contains(where: { reader.bytes($0).contains(UInt8(ascii: "\r")) }) else {
      throw ColumnProblem.loneCarriageReturn
    }
    return (0..<reader.count).map { column in reader.text(column).map { $0.filter { !$0.isWhitespace } } ?? "not UTF-8"
    }
  }

  /// Lands all rows every night: refused rows are then known from the newest delivery alone.
  func land(_ span: PullSpan, into landing: Landing) throws -> OrderPullOutcome {
    let writer = try landing.open(pull(span), observedAt: span.now, goesOn: false)
    var delivery = Delivery(source: source, stream: stream, writer: writer)
    var failure: String?
    do { try addRows(to: &delivery) } catch let problem as FileProblem { failure = "\(file.name) \(problem)" }
    var outcome = try delivery.finish(failure: failure)
    outcome.unknownColumns = places.unknown.map { "\(file.name): \($0)" }
    return outcome
  }

  private func addRows(to delivery: inout Delivery) throws {
    while try reader.next() {
      let location = "\(file.name):\(reader.number)"
      if let problem = reader.problem {
        try delivery.refuse("", problem.rawValue, location: location)
      } else if reader.count != places.count {
        let id = places.positions[0].flatMap { $0 < reader.count ? reader.text($0) : nil } ?? ""
        try delivery.refuse(id, "the row has \(reader.count) cells, the header \(places.count)", location: location)
      } else {
        let texts = places.positions.map { place in place.map(reader.text) ?? "" }
        try delivery.add(texts, location: location, dropped: places.unknown.count)
      }
    }
  }

  /// A file covers everything up to the time when it is read; its beginning is unknown, so coverage begins with the
  /// range.
  private func pull(_ span: PullSpan) -> StreamPull {
    StreamPull(
      provider: source, stream: stream.rawValue, request: file.name, windowFrom: 0, windowTo: span.now,
      coversFrom: span.rangeFrom, watermark: span.now, rangeFrom: span.rangeFrom, rangeTo: span.rangeTo)
  }
}
