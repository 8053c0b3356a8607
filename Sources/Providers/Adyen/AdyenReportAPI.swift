import Foundation
import HTTP
import Logging

/// The download of settlement detail reports, as report service user (docs/providers/adyen.md section 1.2).
struct AdyenReportAPI: Sendable {
  private let client: HTTPClient
  private let authorization: String
  private let merchantAccount: String
  let provider: String

  /// - Returns: nil where nothing is to be downloaded.
  /// - Throws: `HTTPError.insecureBaseURL`.
  init?(_ configuration: AdyenConfiguration, waiting: Waiting, logger: Logger) throws {
    guard case .download(let baseURL, let username, let password) = configuration.reports,
      let account = configuration.merchantAccount
    else { return nil }
    provider = configuration.name
    merchantAccount = account
    authorization = "Basic " + Data("\(username):\(password.revealed)".utf8).base64EncodedString()
    var retry = configuration.retry
    // A report is one body with every row of its batch, and only one is downloaded at a time.
    retry.bodyLimit = 256 << 20
    client = try HTTPClient(
      baseURL: baseURL, retry: retry, caFile: configuration.caFile, connections: 1, waiting: waiting, logger: logger)
  }

  /// A batch's report; nil while it does not exist.
  ///
  /// The URL is built from the configuration and the number alone: the one in a notification is not signed.
  ///
  /// - Parameter named: the name with a date under which it was announced, which is tried first.
  /// - Throws: `ProviderFailure`.
  func report(_ batch: Int64, named: String? = nil) async throws(ProviderFailure) -> AdyenReport? {
    for name in [named, AdyenReportName.file(batch)].compactMap({ $0 }) {
      let response = try await ask(name)
      if response.status == 200 { return AdyenReport(name: name, batch: batch, body: response.body) }
    }
    return nil
  }

  /// The answer of status 200 or 404.
  func ask(_ name: String, attempts: Int? = nil) async throws(ProviderFailure) -> HTTPResponse {
    let label = "\(provider) \(name)"
    let request = HTTPRequest(
      url: "/reports/download/MerchantAccount/\(merchantAccount)/\(name)", headers: [("Accept", "text/csv, */*")],
      secretHeaders: [("Authorization", authorization)], label: label, bodyFault: Self.fault)
    do {
      let response = try await client.get(request, attempts: attempts)
      if response.status == 200 || response.status == 404 { return response }
      throw RefusedAnswer(response, asking: label, provider: provider).ofReport
    } catch {
      throw ProviderFailure(error, asking: label)
    }
  }

  /// Detects bodies that are not a report: a web page, a message, nothing.
  private static let fault: @Sendable (HTTPResponse) -> String? = { response in
    let start = response.body.first { !" \t\r\n".utf8.contains($0) }
    return switch start {
    case nil: "its body is empty"
    case UInt8(ascii: "<"): "its body is a web page and no CSV"
    case UInt8(ascii: "{"): "its body is a message and no CSV"
    default: nil
    }
  }
}

extension RefusedAnswer {
  /// The meaning of an answer that is neither a report nor states that there is none.
  fileprivate var ofReport: ProviderFailure {
    switch code {
    case 401:
      credentials("Adyen refused the report user", "check its username and password in the configuration")
    case 403:
      failure(
        .forbidden, "the report user lacks the role \"Merchant Report Download\" for this merchant account",
        "grant it in the Customer Area, then run again")
    case 300...399: failure(.other, "the answer leads elsewhere", "links are not followed: check base_url")
    default: ProviderFailure(kind: .other, sentence: "\(what): \(status) instead of the report")
    }
  }
}
