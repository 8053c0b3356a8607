import Files
import Foundation
import Payments

/// The folder that receives a balance platform's reports: accounting reports, which contain the money, and payout
/// reports, which list what each payout pays. Its other reports repeat them.
struct AdyenPlatformFileRules: FileRules {
  /// Bookings of other platforms are not ours.
  let balancePlatform: String
  /// Time zone of the account, in which reports state local times.
  let timeZone: String

  var edition: String { "balance platform reports, 1" }

  func layout(of name: String) -> FileLayout {
    let name = name.lowercased()
    // The platform's other reports repeat these two; reports of a merchant account may be in the same folder.
    guard let kind = AdyenPlatformReport(name) else {
      return name.contains("balanceplatform_") || AdyenReportName.claims(name) || AdyenReportName.isOther(name)
        ? .unread : .foreign
    }
    return name.hasSuffix(".csv") ? Self.rows(kind) : .foreign
  }

  private static func rows(_ kind: AdyenPlatformReport) -> FileLayout {
    // A day without payouts gives an empty file.
    .rows(
      kind == .accounting ? AdyenPlatformColumns.accounting : AdyenPlatformColumns.payouts, mayBeEmpty: kind == .payouts
    )
  }

  func layout(ofHeading heading: FileHeading, name: String) -> FileLayout? {
    if heading.has(AdyenPlatformColumns.payouts) { return Self.rows(.payouts) }
    if heading.has(AdyenPlatformColumns.accounting) { return Self.rows(.accounting) }
    if AdyenColumns.looksLikeSettlement(heading) { return .unread }
    guard AdyenPlatformReport(name) != nil else { return nil }
    return .refused("it is no CSV; choose CSV for this report in the Customer Area, and deliver it again")
  }

  var namesStrays: Bool { true }

  func begin(_ file: DeliveredFile) -> any FileReading { AdyenPlatformFileReading(self) }
}

extension Adyen {
  /// The balance platform's reports, where the configuration names a folder that receives them.
  var platformReports: FileStream? {
    guard let folder = configuration.balancePlatformReportsDirectory, let platform = configuration.balancePlatform
    else { return nil }
    return FileStream(
      provider: name, stream: AdyenStream.platform.rawValue,
      source: LocalFiles(directory: folder, ignoring: configuration.ignored(in: folder)),
      rules: AdyenPlatformFileRules(balancePlatform: platform, timeZone: configuration.timeZone), logger: logger)
  }
}

/// The reports of a balance platform that are read, recognised by their names, whatever prefix or suffix was added.
enum AdyenPlatformReport {
  case accounting, payouts

  /// nil for a report of another kind. An interactive report is an excerpt of an accounting report that a user
  /// requested.
  init?(_ name: String) {
    let name = name.lowercased()
    if name.contains("balanceplatform_accounting_report")
      || name.contains("balanceplatform_accounting_interactive_report")
    {
      self = .accounting
    } else if name.contains("balanceplatform_payout_report") {
      self = .payouts
    } else {
      return nil
    }
  }
}

/// Sees one report row by row before it lands.
///
/// Of the rows of a transfer only those with a Transaction Id move money; of the others, only failed payouts carry
/// information that no later row repeats.
final class AdyenPlatformFileReading: FileReading {
  private let rules: AdyenPlatformFileRules
  private let clock: AdyenClock
  private(set) var reportedSpan: ClosedRange<Int64>?

  init(_ rules: AdyenPlatformFileRules) {
    self.rules = rules
    clock = AdyenClock(zone: TimeZone(identifier: rules.timeZone) ?? .gmt)
  }

  func read(_ row: FileRow) throws {
    guard row["balance_platform"] == rules.balancePlatform else {
      row.isLeftOut = true
      return
    }
    do {
      let bookedAt = try clock.instant(row["booking_date"], row["booking_date_time_zone"])
      reportedSpan =
        min(reportedSpan?.lowerBound ?? bookedAt, bookedAt)...max(reportedSpan?.upperBound ?? bookedAt, bookedAt)
    } catch {
      throw row.refused("booking_date: \(error)", recordID: row["transaction_id"])
    }
    for column in ["transfer_id", "transaction_id", "psp_payment_psp_reference"]
    where AdyenSettlementRowError.isDamaged(row[column]) {
      throw FileRefusal("row \(row.number): \(AdyenSettlementRowError.spreadsheet(column, row[column]))")
    }
    let category = AdyenPlatformRow.category(
      row["category"], type: row["type"].lowercased(), isOfPayment: !row["psp_payment_psp_reference"].isEmpty)
    let isFailedPayout = category == "bank" && AdyenPlatformRow.failures.contains(row["status"].lowercased())
    row.isLeftOut = row["transaction_id"].isEmpty && !isFailedPayout
  }
}
