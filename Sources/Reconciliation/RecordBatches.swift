import Storage

/// All groups of records, one batch at a time: a derivation needs the memory of one batch, whatever the range.
struct RecordBatches {
  let database: any Database
  /// How many groups a batch has: a group is an order with its payment, or a row by itself.
  var size = 5000
  /// The table with the groups to derive: all of them, or those that are alive.
  var table = "record_group"

  /// The batches, by the groups' numbers; records without a group have number 0 and are in the first batch.
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
