import Foundation
import HTTP
import Logging

/// The download of settlement detail reports, as report service user (docs/providers/adyen.md section 1.2).
struct AdyenReportAPI: Sendable {
  private let client: HTTPClient
  private let authorization: String
  private let merchantAccount: String
  let provider: String

  /// - Returns: nil where nothing is downloaded.
  /// - Throws: `HTTPError.insecureBaseURL`.
  init?(_ configuration: AdyenConfiguration, waiting: Waiting, logger: Logger) throws {
    guard case .download(let baseURL, let username, let password) = configuration.reports,
      let account = configuration.merchantAccount
    else { return nil }
    provider = configuration.name
    merchantAccount = account
    authorization = "Basic " + Data("\(username):\(password.revealed)".utf8).base64EncodedString()
    var retry = configuration.retry
    // A report comes whole, with every row of its batch, and one at a time.
    retry.bodyLimit = 256 << 20
    client = try HTTPClient(
      baseURL: baseURL, retry: retry, caFile: configuration.caFile, connections: 1, waiting: waiting, logger: logger)
  }

  /// A batch's report; nil while there is none.
  ///
  /// The URL is made of the configuration and the number alone: the one in a notification is not signed.
  ///
  /// - Parameter named: the name with a day under which it was announced, which is asked for first.
  /// - Throws: `AdyenFailure`.
  func report(_ batch: Int64, named: String? = nil) async throws(AdyenFailure) -> AdyenReport? {
    for name in [named, AdyenReportName.file(batch)].compactMap({ $0 }) {
      let response = try await ask(name)
      if response.status == 200 { return AdyenReport(name: name, batch: batch, body: response.body) }
    }
    return nil
  }

  /// The answer of status 200 or 404.
  func ask(_ name: String, attempts: Int? = nil) async throws(AdyenFailure) -> HTTPResponse {
    let label = "\(provider) \(name)"
    let request = HTTPRequest(
      url: "/reports/download/MerchantAccount/\(merchantAccount)/\(name)", headers: [("Accept", "text/csv, */*")],
      secretHeaders: [("Authorization", authorization)], label: label, bodyFault: Self.fault)
    do {
      let response = try await client.get(request, attempts: attempts)
      if response.status == 200 || response.status == 404 { return response }
      throw AdyenFailure(response, asking: label, provider: provider)
    } catch {
      throw AdyenFailure(error, asking: label)
    }
  }

  /// What is no report as a whole: a web page, a message, nothing.
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

/// Why Adyen did not give a report.
struct AdyenFailure: Error, Sendable {
  /// What kept the whole account away, if it did.
  var refusal: PullOutcome.Refusal?
  /// For people: what was asked, what came instead, what to do; contains no password.
  var sentence: String

  init(refusal: PullOutcome.Refusal? = nil, sentence: String) {
    self.refusal = refusal
    self.sentence = sentence
  }

  init(_ error: any Error, asking what: String) {
    switch error {
    case let failure as AdyenFailure: self = failure
    case let error as HTTPError:
      self.init(refusal: error.isUnreachable ? .unreachable : nil, sentence: error.description)
    case is CancellationError: self.init(sentence: "\(what): the pull was cancelled; run it again")
    default: self.init(sentence: "\(what): \(error)")
    }
  }

  init(_ response: HTTPResponse, asking what: String, provider: String) {
    let status = "status \(response.status)" + (response.requestID.map { ", request \($0)" } ?? "")
    switch response.status {
    case 401:
      self.init(
        refusal: .credentials,
        sentence:
          "provider \(provider): Adyen refused the report user (\(status)); check its username and password in the "
          + "configuration"
      )
    case 403:
      self.init(
        sentence:
          "\(what): the report user lacks the role \"Merchant Report Download\" for this merchant account (\(status)); "
          + "grant it in the Customer Area, then run again")
    case 300...399:
      self.init(sentence: "\(what): the answer leads elsewhere (\(status)); links are not followed: check base_url")
    default: self.init(sentence: "\(what): \(status) instead of the report")
    }
  }
}
