import JSON
import Payments

/// Turns one landed line into nouns and postings; the same line always gives the same nouns.
package protocol RecordReader: AnyObject {
  /// Reads one landed line of a stream into the sink.
  ///
  /// - Throws: `JSONError` or `ReadError` when the record cannot be read: the caller quarantines the line.
  func read(_ record: JSONValue, stream: String, from origin: Origin, into sink: any RecordSink) throws
  /// The id of a record that cannot be read, for the quarantine; nil where it has none.
  func id(of record: JSONValue) -> String?
  /// Whether rows are read without the id of the account that they belong to, because nothing has named it yet.
  var lacksAccount: Bool { get }
}

extension RecordReader {
  package var lacksAccount: Bool { false }
  package func id(of record: JSONValue) -> String? { (try? record["id"].optionalString()) ?? nil }
}

/// Why a landed record could not be read, for reasons other than its JSON.
package enum ReadError: Error, CustomStringConvertible {
  case unknownStream(String)
  /// It was not a JSON document when it was pulled; the reason was landed in its place.
  case unreadable(String)

  package var description: String {
    switch self {
    case .unknownStream(let stream):
      "there is no reader for the stream \(stream); a newer version may have landed it: update, then run again"
    case .unreadable(let reason): "it could not be read when it was pulled: \(reason)"
    }
  }
}
