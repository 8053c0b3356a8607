/// Splits a reply page at the elements of its root's list (`data` by default), even if the page is not valid JSON.
///
/// A page that is not valid as a whole still has sound records: each element is then parsed by itself, and only the
/// broken ones are lost. The scanner examines brackets and strings only. Where an element's own brackets do not match,
/// it looks for the next element by the beginning of the first one (`{"id":`, white space included), and returns the
/// broken one unchanged.
package struct PageSplitter {
  /// Where each element of the list lies in the page, in bytes; broken ones included.
  package private(set) var elements: [Range<Int>] = []
  /// The root's `has_more`, if the scanner found it.
  package private(set) var hasMore: Bool?
  /// Whether the root and its list end as they should; false for a truncated page, or one with an element with
  /// unmatched brackets.
  package private(set) var isWhole = false

  /// The positions of the root's other members, name and value, as far as the scanner found them.
  private var others: [(name: Range<Int>, value: Range<Int>)] = []

  private let page: UnsafeRawBufferPointer
  /// The list's name, with its quotes.
  private let listName: [UInt8]
  /// Whether the list was found and ended as it should.
  private var isListWhole = false

  /// Splits the page; one without that array yields no elements.
  package init(_ page: UnsafeRawBufferPointer, list: String = "data") {
    self.page = page
    listName = Array("\"\(list)\"".utf8)
    var at = skipBlank(0)
    guard at < page.count, page[at] == UInt8(ascii: "{") else { return }
    at = skipBlank(at + 1)
    while at < page.count, page[at] == UInt8(ascii: "\""), let name = string(at) {
      at = skipBlank(name.upperBound)
      guard at < page.count, page[at] == UInt8(ascii: ":") else { return }
      guard let end = member(name, skipBlank(at + 1)) else { return }
      at = skipBlank(end)
      if at < page.count, page[at] == UInt8(ascii: ",") { at = skipBlank(at + 1) }
    }
    isWhole = isListWhole && at < page.count && page[at] == UInt8(ascii: "}") && skipBlank(at + 1) == page.count
  }

  /// The JSON text of a member of the root beside the list, unchanged; nil when the scanner did not find it.
  package func text(of member: String) -> String? {
    let name = Array("\"\(member)\"".utf8)
    guard let found = others.first(where: { page[$0.name].elementsEqual(name) }) else { return nil }
    return String(decoding: page[found.value.lowerBound..<trimmed(found.value)], as: UTF8.self)
  }

  /// Scans one member of the root; returns where it ends.
  private mutating func member(_ name: Range<Int>, _ start: Int) -> Int? {
    if page[name].elementsEqual(listName), start < page.count, page[start] == UInt8(ascii: "[") {
      return list(start + 1)
    }
    guard let end = value(start) else { return nil }
    others.append((name, start..<end))
    if isText(name, "\"has_more\"") {
      hasMore = isText(start..<end, "true") ? true : isText(start..<end, "false") ? false : nil
    }
    return end
  }

  /// Scans the elements of the list; returns where the array ends.
  private mutating func list(_ start: Int) -> Int? {
    isListWhole = true
    var at = skipBlank(start)
    while at < page.count, page[at] != UInt8(ascii: "]") {
      if let end = value(at), isBoundary(end, beforeObject: false) {
        elements.append(at..<end)
        at = skipBlank(end)
        if page[at] == UInt8(ascii: ",") { at = skipBlank(at + 1) }
      } else {
        isListWhole = false
        let next = nextElement(after: at)
        elements.append(at..<trimmed(at..<(next ?? page.count)))
        at = next ?? page.count
      }
    }
    return at < page.count ? at + 1 : nil
  }

  /// Whether an element may end here: the array ends, or another element follows, which must be an object if required.
  private func isBoundary(_ end: Int, beforeObject: Bool) -> Bool {
    let at = skipBlank(end)
    guard at < page.count else { return false }
    if page[at] == UInt8(ascii: "]") { return true }
    guard page[at] == UInt8(ascii: ",") else { return false }
    let next = skipBlank(at + 1)
    return !beforeObject || (next < page.count && page[next] == UInt8(ascii: "{"))
  }

  /// The next position that begins as the first element does, with a value that may be an element.
  private func nextElement(after start: Int) -> Int? {
    guard let opening = opening(of: elements.first?.lowerBound ?? start) else { return nil }
    var at = start + 1
    while at + opening.count <= page.count {
      if page[at] == UInt8(ascii: "{"), page[at..<at + opening.count].elementsEqual(page[opening]), let end = value(at),
        isBoundary(end, beforeObject: true)
      {
        return at
      }
      at += 1
    }
    return nil
  }

  /// How an element begins: up to and including its first name.
  private func opening(of start: Int) -> Range<Int>? {
    guard start < page.count, page[start] == UInt8(ascii: "{") else { return nil }
    let name = skipBlank(start + 1)
    guard name < page.count, page[name] == UInt8(ascii: "\""), let end = string(name)?.upperBound else { return nil }
    return start..<end
  }

  /// Where the value that begins here ends, by its brackets and strings; nil when it does not.
  private func value(_ start: Int) -> Int? {
    var open: [UInt8] = []
    var at = start
    while at < page.count {
      switch page[at] {
      case UInt8(ascii: "\""):
        guard let end = string(at)?.upperBound else { return nil }
        at = end - 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(page[at] + 2)  // the closing bracket's code
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open.isEmpty { return at }
        guard open.removeLast() == page[at] else { return nil }
      case UInt8(ascii: ",") where open.isEmpty: return at
      default: break
      }
      at += 1
      if open.isEmpty && isEnd(at) { return at }
    }
    return nil
  }

  private func isEnd(_ at: Int) -> Bool {
    let last = page[at - 1]
    return last == UInt8(ascii: "}") || last == UInt8(ascii: "]") || last == UInt8(ascii: "\"")
  }

  /// The string that begins here, quotes included; nil when it has no end, or contains a line break.
  private func string(_ start: Int) -> Range<Int>? {
    var at = start + 1
    while at < page.count, page[at] != UInt8(ascii: "\""), page[at] != UInt8(ascii: "\n") {
      at += page[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard at < page.count, page[at] == UInt8(ascii: "\"") else { return nil }
    return start..<at + 1
  }

  private func isText(_ range: Range<Int>, _ text: StaticString) -> Bool {
    page[range.lowerBound..<trimmed(range)].elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The end of the range without the trailing white space and comma.
  private func trimmed(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, page[end - 1] == UInt8(ascii: ",") || isBlank(page[end - 1]) { end -= 1 }
    return end
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

  private func skipBlank(_ start: Int) -> Int {
    var at = start
    while at < page.count, isBlank(page[at]) { at += 1 }
    return at
  }
}
