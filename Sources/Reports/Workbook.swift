import CXLSXWriter
import Foundation

/// How the workbook is written.
package struct WorkbookSettings: Sendable {
  /// The maximum number of rows of a detail sheet; beyond it the sheet refers to the CSV file.
  package var maximumRows: Int
  /// The folder for a sheet's rows until the file is assembled; nil: the folder of the publication.
  package var temporaryDirectory: String?
  /// URL templates of the providers' dashboards with `{id}`, by configured name.
  package var dashboards: [String: String] = [:]

  /// The format allows 1,048,576 rows; some are reserved for headings, a note and the sums.
  package static let limit = 1_048_000

  package init(maximumRows: Int = 1_000_000, temporaryDirectory: String? = nil, dashboards: [String: String] = [:]) {
    self.maximumRows = min(max(maximumRows, 1), Self.limit)
    self.temporaryDirectory = temporaryDirectory
    self.dashboards = dashboards
  }

  /// The URL of an id on a provider's dashboard; nil where no template is configured.
  func dashboard(of provider: String, id: String) -> String? {
    guard let template = dashboards[provider] else { return nil }
    return template.replacing("{id}", with: id.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? id)
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// A workbook being written in constant memory: the rows of each sheet are compressed as they arrive, and put into the
/// library's archive at the end.
///
/// All sheets are created first, in order, then filled one after the other. The same cells give the same bytes: the
/// only date in the file is `createdAt`.
final class Workbook {
  let path: String
  let title: String
  let styles: WorkbookStyles
  private let directory: String
  private let createdAt: Int64
  private var handle: UnsafeMutablePointer<lxw_workbook>?
  private var sheets: [SheetRows] = []

  /// - Parameter createdAt: the time of creation in the file's properties, Unix seconds.
  init(path: String, title: String, createdAt: Int64, settings: WorkbookSettings) throws(ReportError) {
    self.path = path
    self.title = title
    self.createdAt = createdAt
    directory = settings.temporaryDirectory ?? (path as NSString).deletingLastPathComponent
    let opened = directory.withCString { tmpdir in
      var options = lxw_workbook_options(
        constant_memory: 1, tmpdir: UnsafeMutablePointer(mutating: tmpdir), use_zip64: 0)
      return workbook_new_opt(path, &options)
    }
    guard let opened else { throw .workbook(place: path, reason: "the library could not begin it") }
    handle = opened
    styles = try WorkbookStyles(opened)
    try setProperties(title: title, createdAt: createdAt)
  }

  deinit { if let handle { lxw_workbook_free(handle) } }

  /// Adds a sheet after the others.
  func addSheet(_ name: String) throws(ReportError) -> SheetRows {
    guard let handle, let sheet = workbook_add_worksheet(handle, name) else {
      throw .workbook(place: "sheet \(name)", reason: "it could not be added (no temporary file?)")
    }
    let rows = SheetRows(sheet, directory: directory)
    sheets.append(rows)
    return rows
  }

  /// A chart with a title, to be inserted into a sheet.
  func addChart(_ type: lxw_chart_type, title: String) throws(ReportError) -> UnsafeMutablePointer<lxw_chart> {
    guard let handle, let chart = workbook_add_chart(handle, UInt8(type.rawValue)) else {
      throw .workbook(place: "the chart \(title)", reason: "no memory")
    }
    chart_title_set_name(chart, title)
    var font = lxw_chart_font()
    font.size = 11
    font.bold = UInt8(LXW_TRUE.rawValue)
    chart_title_set_name_font(chart, &font)
    return chart
  }

  /// Assembles the file and makes sure that all of it was written to the disk.
  ///
  /// - Parameter isFlushed: false for one of very many files, which are flushed together.
  func close(isFlushed: Bool = true) throws(ReportError) {
    guard let handle else { return }
    self.handle = nil
    let code = workbook_close(handle)
    guard code == LXW_NO_ERROR else { throw failure(code, (path as NSString).lastPathComponent) }
    let archive = try WorkbookArchive(path: path)
    try archive.setDate(createdAt)
    var tables = 1
    for (index, sheet) in sheets.enumerated() {
      try sheet.drain()
      let own = tables..<(tables + sheet.tables.count)
      if sheet.part.size > 0 { try archive.insert(sheet.part, sheet: index + 1, tables: own, directory: directory) }
      tables = own.upperBound
    }
    try archive.add(sheets.map(\.tables))
    try archive.close()
    if isFlushed { try DurableFile.flush(path) }
  }

  /// Throws the error for a code of the library.
  static func check(_ code: lxw_error, _ place: @autoclosure () -> String) throws(ReportError) {
    guard code == LXW_NO_ERROR else { throw .workbook(place: place(), reason: String(cString: lxw_strerror(code))) }
  }

  private func failure(_ code: lxw_error, _ place: String) -> ReportError {
    if isDiskFull(path) { return .diskFull(path: path) }
    return .workbook(place: place, reason: String(cString: lxw_strerror(code)))
  }

  private func setProperties(title: String, createdAt: Int64) throws(ReportError) {
    var properties = lxw_doc_properties()
    properties.created = time_t(createdAt)
    let title = strdup(title)
    let author = strdup("Crossfoot")
    defer {
      free(title)
      free(author)
    }
    properties.title = title
    properties.author = author
    try Self.check(workbook_set_properties(handle, &properties), "its properties")
  }
}

/// Whether the file system of a path is full.
func isDiskFull(_ path: String) -> Bool {
  var status = statvfs()
  guard statvfs((path as NSString).deletingLastPathComponent, &status) == 0 else { return false }
  return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
}
