/// The lists of PayPal's API: windows, pages and their limits.
extension PayPalSite {
  func transactions(_ request: SiteRequest, _ repeating: Bool) -> SiteAnswer {
    guard let from = request.value("start_date").flatMap(Moment.parse),
      let to = request.value("end_date").flatMap(Moment.parse)
    else {
      return error(400, "INVALID_REQUEST", "start_date and end_date are required, with seconds.")
    }
    guard from <= to, to - from <= 31 * 86_400 else {
      return error(
        400, "INVALID_REQUEST", "Date range is greater than 31 days.", issue: "Date range is greater than 31 days")
    }
    guard from <= refreshedAt else {
      return error(400, "INVALID_REQUEST", "Data for the given start date is not available.")
    }
    let size = request.value("page_size").flatMap { Int($0) } ?? 100
    let page = request.value("page").flatMap { Int($0) } ?? 1
    guard (1...500).contains(size), page >= 1 else {
      return error(400, "INVALID_REQUEST", "page_size is 1 to 500, page from 1.")
    }
    let isWhole = request.value("balance_affecting_records_only") == "N"
    let end = min(to, refreshedAt)
    let found = rows.filter { $0.at >= from && $0.at <= end && (isWhole || $0.isAffecting) }
    guard found.count <= mostRows else { return tooLarge(found.count) }
    var shown = found.dropFirst((page - 1) * size).prefix(size).map(\.json)
    if repeating, let first = shown.first { shown.append(first) }
    let pages = (found.count + size - 1) / size
    return .ok(
      """
      {"transaction_details":[\(shown.joined(separator: ","))],"account_number":"\(account)",\
      "start_date":"\(Moment.offset(from))",\
      "end_date":"\(Moment.offset(end))","last_refreshed_datetime":"\(Moment.offset(refreshedAt))","page":\(page),\
      "total_items":\(found.count),"total_pages":\(pages),"links":[]}
      """)
  }

  private func tooLarge(_ count: Int) -> SiteAnswer {
    SiteAnswer(
      status: 400,
      body: """
        {"name":"RESULTSET_TOO_LARGE","message":"Result set size is greater than the maximum limit. Change the filter \
        criteria and try again.",\
        "debug_id":"d0b1e7f5","maximum_items":\(mostRows),"total_items":\(count)}
        """)
  }

  func balances(_ request: SiteRequest) -> SiteAnswer {
    let asked = request.value("as_of_time").flatMap(Moment.parse) ?? refreshedAt
    var totals = misstatements
    var held: [String: Int64] = [:]
    for row in rows where row.at <= min(asked, refreshedAt) { totals[row.currency, default: 0] += row.effect }
    for row in rows where row.at <= min(asked, refreshedAt) && row.isHold {
      held[row.currency, default: 0] -= row.effect
    }
    if let currency = request.value("currency_code"), currency != "ALL" {
      totals = totals.filter { $0.key == currency.lowercased() }
    }
    let items = totals.sorted { $0.key < $1.key }.map { currency, available in
      let withheld = held[currency] ?? 0
      let amounts = [("total", available + withheld), ("available", available), ("withheld", withheld)]
      let texts = amounts.map { "\"\($0.0)_balance\":\(PayPalRendering.money($0.1, currency))" }.joined(separator: ",")
      return "{\"currency\":\"\(currency.uppercased())\",\"primary\":\(currency == "usd"),\(texts)}"
    }
    let time = Moment.text(min(asked, refreshedAt))
    return .ok(
      """
      {"balances":[\(items.joined(separator: ","))],"account_id":"\(account)","as_of_time":"\(time)",\
      "last_refresh_time":"\(time)"}
      """)
  }

  func disputeList(_ request: SiteRequest, _ repeating: Bool) -> SiteAnswer {
    let size = request.value("page_size").flatMap { Int($0) } ?? 10
    guard (1...50).contains(size) else { return error(400, "INVALID_REQUEST", "page_size is 1 to 50.") }
    let after = request.value("update_time_after").flatMap(Moment.parse) ?? Int64.min
    let before = request.value("update_time_before").flatMap(Moment.parse) ?? Int64.max
    let started = request.value("start_time").flatMap(Moment.parse) ?? Int64.min
    let states = request.value("dispute_state")?.split(separator: ",").map(String.init)
    let found = disputes.filter {
      $0.updatedAt >= after && $0.updatedAt <= before && $0.at >= started && (states?.contains($0.state) ?? true)
    }
    let first = request.value("next_page_token").flatMap { Int($0.dropFirst(4)) } ?? 0
    var shown = found.dropFirst(first).prefix(size).map(\.summary)
    if repeating, let again = shown.first { shown.append(again) }
    var links = "{\"href\":\"https://api.paypal.com/v1/customer/disputes\",\"rel\":\"self\",\"method\":\"GET\"}"
    if first + size < found.count {
      links +=
        """
        ,{"href":"https://api.paypal.com/v1/customer/disputes?page_size=\(size)&next_page_token=tok_\(first + size)",
        """
      links += "\"rel\":\"next\",\"method\":\"GET\"}"
    }
    return .ok("{\"items\":[\(shown.joined(separator: ","))],\"links\":[\(links)]}")
  }
}
