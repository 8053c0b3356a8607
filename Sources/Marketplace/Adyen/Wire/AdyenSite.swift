/// Where the report files of merchant accounts are downloaded, with HTTP Basic (digest 1.2).
struct AdyenSite: AccountSite {
  static let user = "report_123456@Company.AcmeGroup"
  static let password = "loopback-report-password"

  /// The files by path, e.g. `/reports/download/MerchantAccount/AcmeNL/settlement_detail_report_batch_214.csv`.
  let files: [String: String]

  func answer(_ request: SiteRequest, repeating: Bool) -> SiteAnswer {
    guard request.method == "GET" || request.method == "HEAD" else { return refusal(405) }
    guard request.basic == "\(Self.user):\(Self.password)" else { return refusal(401) }
    guard let file = files[request.path] else { return refusal(404) }
    return SiteAnswer(status: 200, body: file, headers: ["Content-Type": "text/csv"])
  }

  func failure(_ status: Int) -> String { "" }

  private func refusal(_ status: Int) -> SiteAnswer {
    SiteAnswer(status: status, body: failure(status), headers: ["Content-Type": "text/plain"])
  }
}
