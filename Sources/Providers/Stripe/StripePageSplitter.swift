/// Finds the elements of a page's `data` in a body that is not valid JSON as a whole: by quotes and brackets alone.
enum StripePageSplitter {
  /// An element's bytes and its `id`, empty if none was found.
  struct Element {
    var range: Range<Int>
    var id: String
  }

  /// The elements and `has_more`; nil unless the body is one object with all its brackets closed and an array `data`.
  static func split(_ body: [UInt8]) -> (elements: [Element], hasMore: Bool)? {
    var scan = Scan(body)
    while scan.step() {}
    guard scan.isClosed, scan.hasData else { return nil }
    return (scan.elements, scan.hasMore)
  }

  /// One walk over the bytes.
  private struct Scan {
    let body: [UInt8]
    var place = 0
    var depth = 0
    var hasData = false
    var hasMore = false
    var isClosed = false
    var elements: [Element] = []
    /// The last string at the top level, and at an element's own level.
    private var lastKey = ""
    private var isInData = false
    private var start = 0
    private var id = ""
    private var elementKey = ""

    init(_ body: [UInt8]) { self.body = body }

    /// Takes one token; false at the end or at an invalid one.
    mutating func step() -> Bool {
      guard place < body.count else { return false }
      let byte = body[place]
      if isClosed && !" \n\r\t".utf8.contains(byte) {
        isClosed = false
        return false
      }
      switch byte {
      case UInt8(ascii: "\""): return string()
      case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): return close()
      case UInt8(ascii: "t") where depth == 1 && lastKey == "has_more": hasMore = true
      default: break
      }
      place += 1
      return true
    }

    private mutating func open(_ byte: UInt8) {
      if depth == 1 && byte == UInt8(ascii: "[") && lastKey == "data" { (isInData, hasData) = (true, true) }
      if isInData && depth == 2 { (start, id, elementKey) = (place, "", "") }
      depth += 1
    }

    private mutating func close() -> Bool {
      depth -= 1
      place += 1
      if isInData && depth == 2 { elements.append(Element(range: start..<place, id: id)) }
      if depth == 1 { isInData = false }
      isClosed = depth == 0
      return depth >= 0
    }

    private mutating func string() -> Bool {
      let first = place + 1
      place = first
      while place < body.count, body[place] != UInt8(ascii: "\"") { place += body[place] == UInt8(ascii: "\\") ? 2 : 1 }
      guard place < body.count else { return false }
      if depth == 1 || (isInData && depth == 3) {
        keep(String(decoding: body[first..<min(place, first + 80)], as: UTF8.self))
      }
      place += 1
      return true
    }

    private mutating func keep(_ text: String) {
      guard depth == 3 else { return lastKey = text }
      if elementKey == "id" && id.isEmpty { id = text }
      elementKey = text
    }
  }
}
