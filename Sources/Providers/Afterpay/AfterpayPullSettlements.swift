import Files
import Foundation
import Landing
import Payments

/// The folder of settlement exports as a stream (docs/providers/afterpay.md section 2).
extension Afterpay {
  /// Lands what is new in the folder; returns the payments in rows dated `since` or later.
  func pullSettlements(_ directory: String, _ order: PullOrder, since: Int64, _ landing: Landing) async -> (
    StreamOutcome, Set<String>
  ) {
    let rules = AfterpayFileRules(configuration, since: since)
    let stream = FileStream(
      provider: name, stream: AfterpayStream.settlements.rawValue,
      source: LocalFiles(directory: directory, ignoring: configuration.ignoredFiles), rules: rules,
      logger: logger)
    return (await stream.pull(order, into: landing), rules.named)
  }

  /// Checks the folder, and how old its newest settlement date is.
  func examineSettlements() -> [Diagnostic] {
    guard let directory = configuration.settlementDirectory else {
      return [Diagnostic(.warning, "\(name): without settlement_directory neither fees nor payouts are known")]
    }
    do {
      let files = try DeliveredFolder(path: directory).files()
      let readings = files.filter { $0.name.lowercased().hasSuffix(".csv") }.compactMap { file in
        newestDate(in: file).map { (file.name, $0) }
      }
      guard let newest = readings.max(by: { $0.1 < $1.1 }) else {
        return [
          Diagnostic(
            .warning, "\(name): \(directory) holds no settlement export that can be read; export one from Business Hub")
        ]
      }
      return [Diagnostic(.good, "\(name): the newest settlement date is \(newest.1), in \(newest.0)")]
    } catch {
      return [Diagnostic(.bad, "\(name): \(error)")]
    }
  }

  private func newestDate(in file: DeliveredFile) -> CivilDate? {
    guard let rows = try? DelimitedFile(path: file.path, columns: AfterpayColumns.all) else { return nil }
    var newest: CivilDate?
    while (try? rows.next()) == true {
      guard !rows.text(1).isEmpty, let date = try? configuration.settlementDateFormat.date(rows.text(0)) else {
        continue
      }
      newest = newest.map { max($0, date) } ?? date
    }
    return newest
  }
}
