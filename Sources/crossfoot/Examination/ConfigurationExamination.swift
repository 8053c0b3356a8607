import Foundation
import Providers
import Settings

/// What the configuration names and does not exist: folders, queries, order files.
enum ConfigurationExamination {
  static func findings(_ workplace: Workplace) -> [Finding] {
    let settings = workplace.settings
    let providers = workplace.providers.map(\.name).joined(separator: ", ")
    let standing = DoctorFinding(.good, "\(settings.file): \(providers); days in \(settings.reporting.timeZone)")
    return [Finding(.configuration, standing)] + further(settings) + orders(settings.orders)
  }

  private static func further(_ settings: Settings) -> [Finding] {
    (settings.checks + settings.reports).filter { !isFolder($0) }.map { folder in
      Finding(.configuration, DoctorFinding(.bad, "the folder \(folder) (checks or reports) does not exist"))
    }
  }

  private static func orders(_ sources: [OrderSourceEntry]) -> [Finding] {
    if sources.isEmpty {
      return [Finding(.orders, DoctorFinding(.warning, "no order source: payments are not compared with orders"))]
    }
    return sources.flatMap { source in files(of: source).map { finding(source.name, $0) } }
  }

  private static func files(of source: OrderSourceEntry) -> [String] {
    switch source.kind {
    case .csv(let orders, let refunds): [orders] + [refunds].compactMap { $0 }
    case .postgresql(_, let query, let refundsQuery): [query] + [refundsQuery].compactMap { $0 }
    case .par(let directory, _): [directory]
    }
  }

  private static func finding(_ source: String, _ path: String) -> Finding {
    let isThere = FileManager.default.isReadableFile(atPath: path)
    let sentence = isThere ? "\(source): \(path) can be read" : "\(source): \(path) is not there or cannot be read"
    return Finding(.orders, DoctorFinding(isThere ? .good : .bad, sentence))
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
