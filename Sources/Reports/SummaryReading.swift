import Foundation
import Payments
import Storage

extension SummaryFigures {
  /// Reads the figures with the statements of `<reports>/summary`.
  ///
  /// - Parameter folder: the folder that contains totals.sql, orders.sql, severities.sql, owners.sql, types.sql,
  ///   worst.sql, changes.sql, passed.sql, tie_out.sql, roll_forward.sql and proofs.sql.
  /// - Throws: `ReportError`; `MoneyError` for a currency that ISO 4217 does not list.
  package static func read(from database: any Database, range: ReportRange, folder: String) throws -> SummaryFigures {
    let reader = FigureReader(database: database, range: range, folder: folder)
    var figures = SummaryFigures()
    try reader.rows("totals") { row in figures.totals.append(try totals(row)) }
    try reader.rows("orders") { row in figures.matches[row.text(0) ?? ""] = try row.integer(1) ?? 0 }
    try reader.rows("severities") { row in
      figures.severities.append(
        Severity(
          severity: row.text(0) ?? "", new: try row.integer(1) ?? 0, persisting: try row.integer(2) ?? 0,
          decided: try row.integer(3) ?? 0, resolved: try row.integer(4) ?? 0))
    }
    try reader.rows("types") { row in
      figures.types.append(
        TypeCount(
          type: row.text(0) ?? "", severity: row.text(1) ?? "", currency: row.text(2) ?? "",
          cases: try row.integer(3) ?? 0,
          differenceMinor: try row.integer(4) ?? 0))
    }
    try reader.rows("owners") { row in figures.owners.append((row.text(0) ?? "", try row.integer(1) ?? 0)) }
    try reader.rows("worst") { row in
      figures.worst.append(
        Worst(
          discrepancyID: row.text(0) ?? "", severity: row.text(1) ?? "", type: row.text(2) ?? "",
          state: row.text(3) ?? "",
          explanation: row.text(4) ?? ""))
    }
    try reader.rows("changes") { row in
      figures.changes.append(
        Change(
          type: row.text(0) ?? "", severity: row.text(1) ?? "", new: try row.integer(2) ?? 0,
          resolved: try row.integer(3) ?? 0))
    }
    try reader.rows("passed") { row in figures.passed = try row.integer(0) ?? 0 }
    try reader.rows("tie_out") { row in figures.tieOut.append(try tieOut(row)) }
    try reader.rows("roll_forward") { row in figures.balances.append(try balance(row)) }
    try reader.rows("proofs") { row in
      figures.proofs.append(
        Proof(
          proof: row.text(0) ?? "", provider: row.text(1) ?? "", account: row.text(2) ?? "",
          currency: row.text(3) ?? "",
          lines: try row.integer(4) ?? 0, failing: try row.integer(5) ?? 0))
    }
    return figures
  }

  private static func tieOut(_ row: any Row) throws -> TieOut {
    TieOut(
      provider: row.text(0) ?? "", account: row.text(1) ?? "", currency: try Currency(code: row.text(2) ?? ""),
      captured: try row.integer(3) ?? 0, tender: try row.integer(4) ?? 0, discrepancies: try row.integer(5) ?? 0,
      pending: try row.integer(6) ?? 0, withinTolerance: try row.integer(7) ?? 0, residual: try row.integer(8) ?? 0,
      holds: try row.integer(9) == 1)
  }

  private static func balance(_ row: any Row) throws -> Balance {
    Balance(
      provider: row.text(0) ?? "", account: row.text(1) ?? "", currency: try Currency(code: row.text(2) ?? ""),
      opening: try row.integer(3) ?? 0, moved: try row.integer(4) ?? 0, closing: try row.integer(5) ?? 0,
      stated: try row.integer(6))
  }

  private static func totals(_ row: any Row) throws -> Totals {
    var totals = Totals(provider: row.text(0) ?? "", currency: try Currency(code: row.text(1) ?? ""))
    totals.captured = try row.integer(2) ?? 0
    totals.refunded = try row.integer(3) ?? 0
    totals.disputed = try row.integer(4) ?? 0
    totals.fees = try row.integer(5) ?? 0
    totals.transferred = try row.integer(6) ?? 0
    totals.commission = try row.integer(7) ?? 0
    totals.kept = try row.integer(8) ?? 0
    totals.paidOut = try row.integer(9) ?? 0
    totals.exchange = try row.integer(10) ?? 0
    totals.reserves = try row.integer(11) ?? 0
    totals.adjustments = try row.integer(12) ?? 0
    totals.unclassified = try row.integer(13) ?? 0
    totals.stated = try row.integer(14) ?? 0
    return totals
  }
}

/// Runs the statements of the summary's folder.
private struct FigureReader {
  let database: any Database
  let range: ReportRange
  let folder: String

  func rows(_ name: String, _ body: (any Row) throws -> Void) throws {
    let path = "\(folder)/\(name).sql"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ReportError.badDefinition(path: path, line: 0, reason: "cannot be read; is --resources right?")
    }
    let query = try ReportQuery(text, path: path)
    do { try database.query(query.sql, query.values(range), body) } catch let error as StorageError {
      throw ReportError.refused(path, error)
    }
  }
}
