import Foundation
import Landing
import Reconciliation
import Reports
import Settings
import Storage
import TestSupport
import Testing

@testable import crossfoot

@Suite("Exit statuses", .onItsOwnThread)
struct ExitStatusTests {
  /// What went wrong, and the status of docs/contract.md section 1.
  static let table: [(error: any Error & Sendable, status: crossfoot.ExitStatus)] = [
    (Failure(.orderSource, "x"), .orderSource),
    (RunError.unreachable(["stripe: x"]), .unreachable),
    (RunError.credentials(["stripe: x"]), .credentials),
    (RunError.locked("x"), .locked),
    (LandingError.busy(folder: "x"), .locked),
    (LandingError.diskFull(file: "x"), .inputOutput),
    (ReportError.diskFull(path: "x"), .inputOutput),
    (ReportError.badDefinition(path: "x", line: 1, reason: "x"), .configuration),
    (StorageError.cannotOpen(place: "x", reason: "x"), .inputOutput),
    (StorageError.noSchema(folder: "x"), .configuration),
    (
      StorageError.statementFailed(engine: .postgresql, code: "53100", message: "x", statement: "x", line: nil),
      .inputOutput
    ),
    (
      StorageError.statementFailed(engine: .postgresql, code: "42601", message: "x", statement: "x", line: nil),
      .internalError
    ),
    (
      StorageError.statementFailed(engine: .postgresql, code: "08006", message: "x", statement: "x", line: nil),
      .inputOutput
    ),
    (
      StorageError.statementFailed(engine: .postgresql, code: "57P01", message: "x", statement: "x", line: nil),
      .inputOutput
    ),
    (
      StorageError.statementFailed(engine: .postgresql, code: "57014", message: "x", statement: "x", line: nil),
      .internalError
    ),
    (StorageError.damaged(place: "x", reason: "x"), .inputOutput),
    (SettingsError([.missingKey(SettingsPlace(file: "x", line: 1, keyPath: "y"), expected: "z")]), .configuration),
    (CocoaError(.fileWriteOutOfSpace), .inputOutput),
    (POSIXError(.ENOSPC), .inputOutput),
    (POSIXError(.ESRCH), .internalError),
  ]

  @Test("Each error ends with its own status", arguments: 0..<table.count)
  func status(row: Int) {
    #expect(Failure(Self.table[row].error).status == Self.table[row].status, "\(Self.table[row].error)")
  }

  @Test("The numbers are those of the contract")
  func numbers() {
    let all: [crossfoot.ExitStatus] = [
      .clean, .discrepancies, .incomplete, .usage, .orderSource, .unreachable, .internalError, .inputOutput, .locked,
      .credentials,
      .configuration,
    ]
    #expect(all.map(\.rawValue) == [0, 1, 2, 64, 65, 69, 70, 74, 75, 77, 78])
  }
}
