/// The sums of a table's columns, per currency.
struct ColumnTotals {
  private struct Sum {
    let currency: String
    let digits: Int
    var amount: Int64 = 0
    var overflows = false
  }
  /// By the column's index in the report; the currencies are in the order of their first row.
  private var sums: [[Sum]] = []

  var isEmpty: Bool { sums.allSatisfy(\.isEmpty) }
  var currencies: [String] { Set(sums.joined().map(\.currency)).sorted() }

  mutating func add(_ amount: Int64, digits: Int, currency: String, column: Int) {
    while sums.count <= column { sums.append([]) }
    var index = 0
    while index < sums[column].count, sums[column][index].currency != currency { index += 1 }
    if index == sums[column].count { sums[column].append(Sum(currency: currency, digits: digits)) }
    let sum = sums[column][index].amount.addingReportingOverflow(amount)
    sums[column][index].amount = sum.partialValue
    if sum.overflow { sums[column][index].overflows = true }
  }

  func sum(_ column: Int, _ currency: String, of report: ReportDefinition) throws(ReportError) -> (
    amount: Int64, digits: Int
  )? {
    guard sums.indices.contains(column), let sum = sums[column].first(where: { $0.currency == currency }) else {
      return nil
    }
    guard !sum.overflows else {
      throw .badCell(
        path: report.queryPath, row: 0, column: report.columns[column].name,
        reason: "the total in \(currency) is beyond what an amount can be")
    }
    return (sum.amount, sum.digits)
  }
}
