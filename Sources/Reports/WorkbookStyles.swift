import CXLSXWriter

typealias CellStyle = UnsafeMutablePointer<lxw_format>

/// The formats of the workbook's cells, created once per workbook.
struct WorkbookStyles {
  let title: CellStyle
  let subtitle: CellStyle
  let heading: CellStyle
  /// The heading of a column of figures.
  let figureHeading: CellStyle
  let text: CellStyle
  let wrapped: CellStyle
  let note: CellStyle
  let integer: CellStyle
  let date: CellStyle
  let instant: CellStyle
  let link: CellStyle
  let share: CellStyle
  let rate: CellStyle
  /// A cell that is to be filled in.
  let entry: CellStyle
  let good: CellStyle
  let warning: CellStyle
  let bad: CellStyle
  /// For conditional formats, which override a cell's own.
  let looks: [HighlightLook: CellStyle]
  /// By the digits of the currency, 0...4: with a minus sign, and additionally in red.
  let amounts: [CellStyle]
  /// The line of sums below a table: its label, its counts, and its amounts by the digits of the currency.
  let total: CellStyle
  let totalInteger: CellStyle
  let totalAmounts: [CellStyle]

  init(_ workbook: UnsafeMutablePointer<lxw_workbook>) throws(ReportError) {
    let maker = StyleMaker(workbook: workbook)
    title = try maker.make {
      format_set_bold($0); format_set_font_size($0, 16)
    }
    subtitle = try maker.make {
      format_set_bold($0); format_set_font_size($0, 12)
    }
    figureHeading = try maker.make {
      format_set_align($0, UInt8(LXW_ALIGN_RIGHT.rawValue))
      format_set_indent($0, 1)
      StyleMaker.setHeading($0)
    }
    heading = try maker.make { StyleMaker.setHeading($0) }
    text = try maker.make { _ in }
    wrapped = try maker.make { format_set_text_wrap($0) }
    note = try maker.make { format_set_italic($0) }
    integer = try maker.make { format_set_num_format($0, StyleMaker.count) }
    date = try maker.make {
      format_set_num_format($0, "yyyy\\-mm\\-dd"); format_set_align($0, UInt8(LXW_ALIGN_LEFT.rawValue))
    }
    instant = try maker.make {
      format_set_num_format($0, "yyyy\\-mm\\-dd hh:mm:ss")
      format_set_align($0, UInt8(LXW_ALIGN_LEFT.rawValue))
    }
    link = try maker.make {
      format_set_font_color($0, 0x1F4E9E); format_set_underline($0, UInt8(LXW_UNDERLINE_SINGLE.rawValue))
    }
    share = try maker.make { format_set_num_format($0, "0.00%\\ ;[Red]\\-0.00%\\ ") }
    rate = try maker.make { format_set_num_format($0, "0.0000####\\ \\ ") }
    entry = try maker.make {
      format_set_text_wrap($0); format_set_bg_color($0, 0xFFFBE6);
      format_set_border($0, UInt8(LXW_BORDER_HAIR.rawValue))
    }
    good = try maker.make {
      format_set_bold($0); format_set_bg_color($0, 0xD8F0DC)
    }
    warning = try maker.make {
      format_set_bold($0); format_set_bg_color($0, 0xFFF0C8)
    }
    bad = try maker.make {
      format_set_bold($0); format_set_bg_color($0, 0xF9D6D5)
    }
    looks = [
      .good: try maker.make { format_set_bg_color($0, 0xD8F0DC) },
      .warning: try maker.make { format_set_bg_color($0, 0xFFF0C8) },
      .bad: try maker.make {
        format_set_bold($0); format_set_bg_color($0, 0xF9D6D5)
      },
    ]
    total = try maker.make { StyleMaker.setTotal($0) }
    totalInteger = try maker.make {
      format_set_num_format($0, StyleMaker.count); StyleMaker.setTotal($0)
    }
    var (amounts, totalAmounts): ([CellStyle], [CellStyle]) = ([], [])
    for digits in 0...4 {
      amounts.append(try maker.amount(digits: digits) { _ in })
      totalAmounts.append(try maker.amount(digits: digits) { StyleMaker.setTotal($0) })
    }
    self.amounts = amounts
    self.totalAmounts = totalAmounts
  }
}

/// Creates formats that align cells to the top of their row.
private struct StyleMaker {
  let workbook: UnsafeMutablePointer<lxw_workbook>

  func make(_ set: (CellStyle) -> Void) throws(ReportError) -> CellStyle {
    guard let style = workbook_add_format(workbook) else { throw .workbook(place: "its formats", reason: "no memory") }
    format_set_align(style, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
    set(style)
    return style
  }

  static func setHeading(_ style: CellStyle) {
    format_set_bold(style)
    format_set_text_wrap(style)
    format_set_bg_color(style, 0xE7ECF2)
  }

  static func setTotal(_ style: CellStyle) {
    format_set_bold(style)
    format_set_top(style, UInt8(LXW_BORDER_THIN.rawValue))
  }

  /// Spaces after the figures separate them from the text of the next column.
  static let count = "#,##0\\ \\ "

  func amount(digits: Int, _ set: (CellStyle) -> Void) throws(ReportError) -> CellStyle {
    let figures = digits == 0 ? "#,##0" : "#,##0." + String(repeating: "0", count: digits)
    return try make {
      format_set_num_format($0, "\(figures)\\ \\ ;[Red]\\-\(figures)\\ \\ ")
      set($0)
    }
  }
}
