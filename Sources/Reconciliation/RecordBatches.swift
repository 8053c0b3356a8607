import Storage

/// All groups of records, a batch at a time: the memory of a derivation is that of a batch, whatever the range.
struct RecordBatches {
  let database: any Database
  /// Groups in a batch: a group is an order with its payment, or a row by itself.
  var size = 5000
  /// The groups that are derived: all of them, or those that are alive.
  var table = "record_group"

  /// The batches, by the groups' numbers; records without a group of their own have 0 and are in the first.
  ///
  /// - Throws: `StorageError`.
  func all() throws -> [RecordBatch] {
    var ends: [Int64] = []
    var groups = 0
    var last: Int64 = 0
    try database.query("select group_no from \(table) order by group_no") { row in
      last = try row.integer(0) ?? 0
      groups += 1
      if groups % size == 0 { ends.append(last) }
    }
    if ends.last ?? -1 < last { ends.append(last) }
    if ends.isEmpty { ends = [0] }
    var batches: [RecordBatch] = []
    var start: Int64 = 0
    for (place, end) in ends.enumerated() {
      batches.append(RecordBatch(number: Int64(place + 1), groups: start...end))
      start = end + 1
    }
    return batches
  }
}
