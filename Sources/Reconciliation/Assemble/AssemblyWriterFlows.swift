import Payments

/// Links, entries and fund flows.
extension AssemblyWriter {
  func writeLinks(_ assembly: Assembly, _ writer: TableWriter) throws {
    for (row, link) in zip(assembly.records.rows, assembly.links) {
      if let link { try write(link, of: row.rowID, assembly.records.provider, writer) }
    }
  }

  private func write(_ link: RowLink, of rowID: Text, _ provider: Text, _ writer: TableWriter) throws {
    try writer.add(provider)
    try writer.add(rowID)
    try writer.add(link.recordID)
    try writer.add(word: link.kind)
    try writer.add(link.paymentID)
    try writer.add(link.connectedAccount)
    try writer.add(link.presentmentCurrency)
    try writer.add(link.presentmentMinor)
    try writer.endRow()
  }

  func writeTransfers(_ assembly: Assembly, _ writer: TableWriter) throws {
    for transfer in assembly.transfers {
      try writer.add(assembly.records.provider)
      try writer.add(transfer.transferID)
      try writer.add(transfer.paymentID)
      try writer.add(word: transfer.rule)
      try writer.endRow()
    }
  }

  func writeEntries(_ assembly: Assembly, _ writer: TableWriter) throws {
    for bundle in assembly.bundles {
      for entry in bundle.entries { try write(entry, bundle.flowKey, assembly.records.provider, writer) }
    }
    for entry in assembly.accountEntries { try write(entry, nil, assembly.records.provider, writer) }
  }

  private func write(_ entry: Entry, _ flowKey: Text?, _ provider: Text, _ writer: TableWriter) throws {
    try writer.add(joined: provider, entry.rowID, Text(String(entry.ordinal)))
    try writer.add(provider)
    try writer.add(entry.account)
    try writer.add(flowKey)
    try writer.add(entry.paymentID)
    try writer.add(word: entry.kind)
    try write(entry.from, entry, writer)
    try write(entry.to, entry, writer)
    try writer.add(entry.connectedAccount)
    try writer.add(entry.currency)
    try writer.add(entry.amountMinor)
    try writer.add(entry.presentmentCurrency)
    try writer.add(entry.presentmentMinor)
    try writer.add(entry.exchangeRate)
    try writer.add(entry.feeType)
    try writer.add(entry.description)
    try writer.add(entry.bookedAt)
    try writer.add(entry.availableAt)
    try writer.add(entry.payoutID)
    try writer.add(entry.rowID)
    try writer.add(entry.recordID)
    try writer.add(entry.rowName)
    try writer.endRow()
  }

  /// The party of a role; a connected account by its id.
  private func write(_ role: Role, _ entry: Entry, _ writer: TableWriter) throws {
    guard role == .connected, let account = entry.connectedAccount else { return try writer.add(word: role) }
    try writer.add(joined: "connected", account)
  }

  func writeFlows(_ assembly: Assembly, _ writer: TableWriter) throws {
    for bundle in assembly.bundles {
      for (moment, flows) in bundle.flows.enumerated() {
        for flow in flows { try write(flow, moment, bundle, assembly.records.provider, writer) }
      }
    }
  }

  private func write(_ flow: FundFlow, _ moment: Int, _ bundle: PaymentBundle, _ provider: Text, _ writer: TableWriter)
    throws
  {
    try writer.add(moment)
    for text in [bundle.flowKey, flow.currency, provider, flow.account, bundle.paymentID] { try writer.add(text) }
    for sum in [
      flow.gross, flow.refunded, flow.disputed, flow.transferred, flow.transferReversed, flow.commission,
      flow.commissionReturned, flow.provider,
      flow.platform, flow.connected, flow.customer, flow.provider, flow.other,
    ] { try writer.add(sum) }
    try writer.add(flow.isInRange)
    try writer.add(flow.hasCapture)
    try writer.endRow()
  }
}
