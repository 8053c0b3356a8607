import OrderSources
import Providers
import Storage

extension ReconciliationRun {
  /// How far each source is complete.
  func sourceCoverage(_ database: any Database) throws -> SourceCoverage {
    let streams = Streams(database: database, rangeEnd: range.endsAt)
    var coverage = SourceCoverage()
    for provider in providers {
      let promises = Dictionary(
        uniqueKeysWithValues: provider.streams.map { stream in
          let lag = stream.isFolder || stream.subjects.isEmpty ? nil : provider.lag
          return (stream.name, Streams.Promise(lag: lag, bringsAgain: !stream.isFolder))
        })
      coverage.add(
        provider: provider.name, streams: provider.streams,
        try streams.extents(ofProvider: provider.name, promises: promises))
    }
    coverage.addAllProviders(providers.map(\.name))
    for subject in OrderStream.allCases.map(\.rawValue) {
      var extents: [String: StreamExtent] = [:]
      for source in orderSources where source.streams.contains(subject) {
        extents[source.name] =
          try streams.extents(ofOrders: source.name)[subject] ?? StreamExtent(reason: "nothing of it has landed")
      }
      coverage.add(orders: subject, extents)
    }
    try database.query(
      "select reason from quarantine where source = $1 and landed_file is null order by location",
      [.text(Reader.landingZone)]
    ) { row in coverage.add(gap: row.text(0) ?? "") }
    if try database.integer("select 1 from landing_fault where source = ''") != nil { coverage.addBreak() }
    return coverage
  }
}
