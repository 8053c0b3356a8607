import Files
import Foundation
import HTTP

/// What `doctor` looks at: the report user, its role, whether the report is switched on, the folders, the clock.
extension Adyen {
  package func examine() async -> [Diagnostic] {
    var findings: [Diagnostic] = []
    switch configuration.reports {
    case .download: findings += await download()
    case .folder(let folder):
      findings.append(
        AdyenFolders.finding(name, folder, holds: "settlement detail reports") { AdyenReportName.claims($0) })
    case nil: break
    }
    if let folder = configuration.balancePlatformReportsDirectory {
      findings.append(
        AdyenFolders.finding(name, folder, holds: "balance platform reports") { AdyenPlatformReport($0) != nil })
    }
    if let folder = configuration.webhooksDirectory {
      findings.append(
        AdyenFolders.finding(name, folder, holds: "notifications") { file in
          [".json", ".jsonl"].contains { file.lowercased().hasSuffix($0) }
        })
    }
    return findings
  }

  /// Requests the first batch: whatever would make a nightly run fail makes this fail.
  private func download() async -> [Diagnostic] {
    guard let api else { return [] }
    let first = configuration.firstBatch ?? AdyenFolders.lowestBatch(configuration)
    do {
      let response = try await api.ask(AdyenReportName.file(first ?? 999_999_999), attempts: 2)
      var findings =
        [Diagnostic(.good, "\(name): Adyen accepts the report user")]
        + Diagnostic.clock(name, of: "Adyen", response.date, now: waiting.now())
      if let first {
        findings.append(
          response.status == 200
            ? Diagnostic(.good, "\(name): the settlement detail report of batch \(first) can be downloaded")
            : Diagnostic(
              .warning,
              "\(name): the settlement detail report of batch \(first) is not there; see that the Settlement details "
                + "report is generated automatically, as CSV, and that first_batch is right"))
      } else {
        findings.append(
          Diagnostic(
            configuration.webhooksDirectory == nil ? .bad : .warning,
            "\(name): no settlement batch is known; set first_batch to the number of the first one to read"))
      }
      return findings
    } catch {
      return [Diagnostic(.bad, error.sentence)]
    }
  }
}

/// Findings about a folder that is filled from outside.
enum AdyenFolders {
  static func finding(_ provider: String, _ folder: String, holds what: String, _ isWanted: (String) -> Bool)
    -> Diagnostic
  {
    do {
      let files = LocalFiles(directory: folder)
      let wanted = try files.list(known: []).files.filter { isWanted($0.name) }
      if let fault = files.faults(of: wanted).first { return Diagnostic(.bad, "\(provider): \(fault)") }
      return wanted.isEmpty
        ? Diagnostic(
          .warning, "\(provider): the folder \(folder) holds no \(what) yet; see that they are delivered there")
        : Diagnostic(.good, "\(provider): the folder \(folder) holds \(what) (\(wanted.count))")
    } catch {
      return Diagnostic(.bad, "\(provider): \(error)")
    }
  }

  /// The lowest batch that stored notifications announce.
  static func lowestBatch(_ configuration: AdyenConfiguration) -> Int64? {
    guard let folder = configuration.webhooksDirectory else { return nil }
    return AdyenNotificationPull.batches(configuration, in: folder).keys.min()
  }
}
