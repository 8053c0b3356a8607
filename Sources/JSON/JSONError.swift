/// Why a document or a value could not be read; contains the place, and never the text of a string.
package enum JSONError: Error, Equatable {
  /// The value at `path` is of another type.
  case wrongType(path: String, expected: String, found: String)
  /// Nothing is at `path`.
  case missing(path: String)
  /// The number at `path` does not fit an Int64.
  case numberOutOfRange(path: String)
  /// The bytes are not a JSON document; `offset` counts bytes from 0.
  case malformed(offset: Int, reason: String)
  /// Arrays and objects are nested deeper than `limit`.
  case tooDeep(limit: Int)
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongType(let path, let expected, let found): "\(path): found \(found), expected \(expected)"
    case .missing(let path): "\(path): found nothing, expected a value"
    case .numberOutOfRange(let path): "\(path): found a number beyond 64 bits, expected one that fits"
    case .malformed(let offset, let reason): "byte \(offset): found \(reason), expected one JSON document"
    case .tooDeep(let limit): "found more than \(limit) levels of arrays and objects, expected fewer"
    }
  }
}
