import Payments
import Storage

/// Writes the results of a batch into the derived tables.
struct AssemblyWriter {
  let database: any Database
  let batch: RecordBatch

  /// - Throws: `StorageError`.
  func write(_ assemblies: [Assembly]) throws {
    try write(.duplicate, assemblies, writeDuplicates)
    try write(.presentment, assemblies, writePresentments)
    try write(.capture, assemblies, writeCaptures)
    try write(.payment, assemblies, writePayments)
    try write(.refund, assemblies, writeRefunds)
    try write(.dispute, assemblies, writeDisputes)
    try write(.dayLine, assemblies, writeDayLines)
    try write(.link, assemblies, writeLinks)
    try write(.transfer, assemblies, writeTransfers)
    try write(.entry, assemblies, writeEntries)
    try write(.flow, assemblies, writeFlows)
    try write(.refundState, assemblies, writeRefundStates)
    try write(.disputeState, assemblies, writeDisputeStates)
    try writePaymentStates(assemblies)
  }

  /// One bulk load; the closure writes each element.
  func write<Element>(_ table: DerivedTable, _ elements: [Element], _ body: (Element, TableWriter) throws -> Void)
    throws
  {
    let writer = try TableWriter(table, in: database)
    for element in elements { try body(element, writer) }
    try writer.finish()
  }

  private func writeDayLines(_ assembly: Assembly, _ writer: TableWriter) throws {
    for line in assembly.resolution.dayLines {
      for text in [assembly.records.provider, line.payoutID, line.rowID, line.currency] { try writer.add(text) }
      for number in [line.netMinor, line.landedFile, line.landedLine] { try writer.add(number) }
      try writer.endRow()
    }
  }
}
