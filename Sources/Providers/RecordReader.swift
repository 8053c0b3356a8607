import JSON
import Payments

/// Turns one landed line into nouns and postings; the same line always gives the same nouns.
package protocol RecordReader: AnyObject {
  /// Reads one landed line of a stream into the sink.
  ///
  /// - Throws: `JSONError` or `ReadError` when the record cannot be read: the caller quarantines the line.
  func read(_ record: JSONValue, stream: String, from origin: Origin, into sink: any RecordSink) throws
}

/// Where a record was read: the landed file's ordinal in the store, and its line, from 1.
package struct Origin: Sendable, Hashable {
  package var file: Int64
  package var line: Int64
  /// When the pull that brought it observed it.
  package var observedAt: Int64
  /// The end of the range the pull was made for.
  package var rangeTo: Int64

  package init(file: Int64, line: Int64, observedAt: Int64, rangeTo: Int64) {
    self.file = file
    self.line = line
    self.observedAt = observedAt
    self.rangeTo = rangeTo
  }
}
