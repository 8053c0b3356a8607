import ArgumentParser
import Foundation
import Landing
import OrderSources
import Reconciliation
import Reports
import Settings
import Storage

/// The exit status of a command: docs/contract.md section 1. The numbers from 64 on are those of sysexits.
enum ExitStatus: Int32, Sendable {
  /// Reports published; nothing at or above `--fail-on`.
  case clean = 0
  /// Reports published; discrepancies at or above `--fail-on`.
  case discrepancies = 1
  /// Reports published; something could not be read in full.
  case incomplete = 2
  case usage = 64
  /// An order source was refused as a whole.
  case orderSource = 65
  /// No configured provider could be reached.
  case unreachable = 69
  case internalError = 70
  /// The disk is full, or something cannot be written.
  case inputOutput = 74
  /// Another run holds the lock.
  case locked = 75
  /// Every configured provider refused the credentials.
  case credentials = 77
  case configuration = 78

  /// Exits the command with this status, after all output.
  func end() throws {
    if self != .clean { throw ExitCode(rawValue) }
  }
}

/// An error with the status it ends a command with.
struct Failure: Error, CustomStringConvertible {
  let status: ExitStatus
  /// For standard error; never contains a secret.
  let message: String

  var description: String { message }

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Finds the status of any error: an unknown error is internal.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as SettingsError: self.init(.configuration, error.description)
    case let error as RunError: self.init(error.status, error.description)
    case let error as OrderSourceError: self.init(.orderSource, error.description)
    case let error as PeriodError: self.init(.usage, error.description)
    case let error as BundleError: self.init(error.isUsage ? .usage : .inputOutput, error.description)
    case let error as PeriodLogError: self.init(.inputOutput, error.description)
    case let error as AdjustmentLogError: self.init(.inputOutput, error.description)
    case let error as SealError: self.init(.inputOutput, error.description)
    case let error as RebuildError: self.init(.configuration, error.description)
    case let error as RetentionError: self.init(error.status, error.description)
    case let error as ErasureError: self.init(error.status, error.description)
    case let error as OutdatedStore:
      self.init(.inputOutput, "\(error.description); `crossfoot rebuild` derives it again")
    case let error as StorageError: self.init(error.status, error.description)
    case let error as LandingError: self.init(error.status, error.description)
    case let error as OrderSourceError: self.init(.orderSource, error.description)
    case let error as SQLStatementError: self.init(.configuration, error.description)
    case let error as ReportError: self.init(error.status, error.description)
    case let error as CocoaError where error.isWriting: self.init(.inputOutput, Self.words(for: error, "write"))
    case let error as CocoaError where error.underlying is POSIXError:
      self.init(.inputOutput, Self.words(for: error, "read"))
    case let error as POSIXError where Self.full.contains(error.code):
      self.init(.inputOutput, "cannot write: \(error.code)")
    case let error where Self.isOfFile(error):
      self.init(.inputOutput, "cannot read a file: \((error as NSError).localizedDescription)")
    default: self.init(.internalError, "internal error: \(error)")
    }
  }

  /// Foundation's errors of files have the codes below 1024 of its domain, whatever they are made of.
  private static func isOfFile(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSCocoaErrorDomain && (0..<1024).contains(error.code)
  }

  private static let full: [POSIXErrorCode] = [.ENOSPC, .EDQUOT, .EROFS, .EIO, .EFBIG, .EACCES, .EPERM]

  private static func words(for error: CocoaError, _ action: String) -> String {
    let reason = (error.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
    return "cannot \(action) \(error.filePath ?? error.url?.path ?? "a file"): \(reason ?? error.localizedDescription)"
  }
}

extension CocoaError {
  fileprivate var isWriting: Bool {
    [.fileWriteOutOfSpace, .fileWriteNoPermission, .fileWriteVolumeReadOnly, .fileWriteUnknown, .fileWriteFileExists]
      .contains(
        code)
  }
}

extension RunError {
  fileprivate var status: ExitStatus {
    switch self {
    case .locked: .locked
    case .credentials: .credentials
    case .unreachable: .unreachable
    }
  }
}

extension RetentionError {
  fileprivate var status: ExitStatus {
    switch self {
    case .notConfigured: .configuration
    case .damaged, .letGo: .inputOutput
    }
  }
}

extension ErasureError {
  fileprivate var status: ExitStatus {
    switch self {
    case .notAReference, .namedByManifest: .usage
    case .damaged: .inputOutput
    }
  }
}

extension StorageError {
  fileprivate var status: ExitStatus {
    switch self {
    case .unknownScheme, .noSchema, .schemaChanged, .occupied, .notAllowed: .configuration
    case .cannotOpen, .damaged: .inputOutput
    default: isInputOutput ? .inputOutput : isRightMissing ? .configuration : .internalError
    }
  }
}

extension LandingError {
  fileprivate var status: ExitStatus {
    switch self {
    case .busy: .locked
    case .lineBreak: .internalError
    default: .inputOutput
    }
  }
}

extension ReportError {
  fileprivate var status: ExitStatus {
    switch self {
    case .badDefinition, .queryFailed, .badCell: .configuration
    case .diskFull, .cannotWrite, .workbook: .inputOutput
    }
  }
}
