extension ReportColumn {
  /// A choice that allows any text: the cell can be filled in, and no list is offered.
  static let anyText = "*"

  /// Long texts are wrapped, everything else stays on one line.
  var isWrapped: Bool { (format == .text || format == .prose) && width >= 30 }
}

extension CellFormat {
  var isFigure: Bool { self == .amount || self == .integer || self == .share }

  /// The text that a sheet shows instead; nil: the text itself.
  func words(of bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .prose: Prose.text(String(decoding: bytes, as: UTF8.self))
    case .title: Prose.title(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }
}
