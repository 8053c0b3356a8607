import Logging
import Storage

/// The stage from fund flows to matches: links by rule, surest first, the groups that the links connect, and the
/// verdict of each group.
struct Match {
  let database: any Database
  let batch: RecordBatch
  var logger = Logger(label: "crossfoot")

  /// Derives links, groups, pairs and the pairing of refunds from the assembled tables (`MatchTables`).
  ///
  /// - Returns: the groups that were left out, with the reason, so that the caller can report them.
  /// - Throws: `StorageError`.
  @discardableResult
  func run() throws -> [UnresolvedGroup] {
    let inputs = try MatchReader(database: database, tables: MatchTables(batch: batch)).read()
    let hashes = InitHashes(inputs)
    let links = MatchLink.all(inputs, aliases: hashes.aliases)
    let groups = MatchGroups(inputs, links: links, hashes: hashes)
    for large in LargeGroup.find(groups, inputs, links) { logger.warning("\(large.warning)") }
    let writer = MatchWriter(database: database, inputs: inputs)
    try writer.write(hashes)
    try writer.write(links)
    try writer.write(groups)
    let (results, unresolved) = match(groups, GroupMatcher(inputs, hashes: hashes, links: links))
    try writer.write(results)
    for group in unresolved {
      logger.error("group \(group.groupID) could not be matched: \(group.reason); the rest of the run is not affected")
    }
    return unresolved
  }

  /// The results at each snapshot, in the order of the groups' ids; a group whose sums overflow never ends the run.
  private func match(_ groups: MatchGroups, _ matcher: GroupMatcher) -> (
    results: [[GroupResult]], unresolved: [UnresolvedGroup]
  ) {
    var results: [[GroupResult]] = matcher.inputs.instants.map { _ in [] }
    var unresolved: [UnresolvedGroup] = []
    for id in groups.ids {
      let group = groups[id]
      do throws(AmountOverflow) {
        for result in try matcher.match(group) { results[Int(result.moment)].append(result) }
      } catch {
        unresolved.append(matcher.unresolved(group, error))
      }
    }
    return (results, unresolved)
  }
}
