import Payments
import Reports
import Storage

/// The inputs of the reports of a derivation.
extension ReconciliationRun {
  /// The verdict with its reasons, and the figures.
  ///
  /// - Parameter doubt: why the clock of the run is in doubt.
  func summary(_ database: any Database, _ derivation: Derivation, _ doubt: String?) throws -> RunSummary {
    var figures = try SummaryFigures.read(from: database, range: range, folder: resources.reports + "/summary")
    let counting = try database.integer("select count(*) from discrepancy where counts = 1") ?? 0
    let rates = figures.convert(settings.reporting, lastDay: range.lastDay)
    let gaps = [doubt].compactMap { $0 } + derivation.coverage.gaps + rates
    let found: Verdict = !gaps.isEmpty ? .incomplete : counting > 0 ? .discrepancies : .clean
    let (verdict, reasons) = try BrokenProofs.judged(found, gaps, in: database)
    return RunSummary(
      verdict: verdict, reasons: reasons, range: range, timeZone: settings.reporting.timeZone, figures: figures)
  }

  /// Every report of the range, ready to be written.
  func reportRun(_ database: any Database) throws -> ReportRun {
    var run = ReportRun(
      catalogue: try catalogue(examinedIn: database), range: range,
      workbook: WorkbookSettings(maximumRows: Int(settings.workbookMaximumRows), dashboards: settings.dashboards),
      glossary: try glossary())
    run.writesStatements = writesStatements
    return run
  }
}
