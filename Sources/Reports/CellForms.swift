extension ReportColumn {
  /// A choice that allows any text: the cell is to be filled in, and no list is offered.
  static let anyText = "*"

  /// Long texts break into lines, everything else stays on one.
  var isWrapped: Bool { (format == .text || format == .prose) && width >= 30 }
}

extension CellFormat {
  var isFigure: Bool { self == .amount || self == .integer || self == .share }

  /// What a sheet shows instead of a text; nil: the text itself.
  func words(of bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .prose: Prose.text(String(decoding: bytes, as: UTF8.self))
    case .title: Prose.title(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }
}
