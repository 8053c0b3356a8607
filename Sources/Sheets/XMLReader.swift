import CExpat

/// Reads XML as events with expat; a document type, and with it every custom entity, is refused.
final class XMLReader {
  /// The local name of an element, without its prefix, and its attributes.
  var start: (_ name: String, _ attributes: [String: String]) -> Void = { _, _ in }
  var end: (_ name: String) -> Void = { _ in }
  var text: (UnsafeRawBufferPointer) -> Void = { _ in }

  /// The maximum length of a single token of XML, bytes: expat buffers it as a whole.
  private static let longest = 4 << 20

  private let parser: XML_Parser
  private let place: String
  private var hasDocumentType = false
  /// Bytes received since the last event.
  private var silent = 0

  /// - Parameter place: the file and part, for errors.
  init(_ place: String) throws(SheetError) {
    guard let parser = XML_ParserCreate(nil) else { throw SheetError("\(place): no memory") }
    self.parser = parser
    self.place = place
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let user, let name else { return }
        let reader = XMLReader.heard(user)
        reader.start(XMLReader.local(name), XMLReader.pairs(attributes))
      },
      { user, name in
        guard let user, let name else { return }
        XMLReader.heard(user).end(XMLReader.local(name))
      })
    XML_SetCharacterDataHandler(parser) { user, bytes, count in
      guard let user, let bytes else { return }
      XMLReader.heard(user).text(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
      guard let user else { return }
      let reader = XMLReader.heard(user)
      reader.hasDocumentType = true
      XML_StopParser(reader.parser, 0)
    }
  }

  deinit { XML_ParserFree(parser) }

  /// - Throws: `SheetError` with the line of the error.
  func parse(_ bytes: UnsafeRawBufferPointer) throws(SheetError) {
    try feed(bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), isFinal: false)
  }

  func finish() throws(SheetError) { try feed("", 0, isFinal: true) }

  private static func heard(_ user: UnsafeMutableRawPointer) -> XMLReader {
    let reader = Unmanaged<XMLReader>.fromOpaque(user).takeUnretainedValue()
    reader.silent = 0
    return reader
  }

  private func feed(_ bytes: UnsafePointer<CChar>?, _ count: Int32, isFinal: Bool) throws(SheetError) {
    silent += Int(count)
    guard XML_Parse(parser, bytes, count, isFinal ? 1 : 0) != XML_STATUS_OK else {
      guard silent <= Self.longest else {
        throw SheetError("\(place) holds something longer than any workbook does; it is not read")
      }
      return
    }
    if hasDocumentType { throw SheetError("\(place) declares a document type, which no workbook does; it is not read") }
    let reason = String(cString: XML_ErrorString(XML_GetErrorCode(parser)))
    throw SheetError("\(place), line \(XML_GetCurrentLineNumber(parser)): \(reason); save the workbook again")
  }

  private static func local(_ name: UnsafePointer<CChar>) -> String {
    let name = String(cString: name)
    return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private static func pairs(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String: String] {
    var pairs: [String: String] = [:]
    var place = 0
    while let name = attributes?[place], let value = attributes?[place + 1] {
      pairs[String(cString: name)] = String(cString: value)
      place += 2
    }
    return pairs
  }
}
