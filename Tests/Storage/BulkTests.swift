import Storage
import TestSupport
import Testing

/// Bulk loads: what goes in comes out, on every engine.
@Suite struct BulkTests {
  @Test(arguments: TestStore.all)
  func `text comes back as it went in, whatever it holds`(engine: TestStore) throws {
    let texts = [
      "", "\\N", "\\.", "a\tb", "a\nb", "a\r\nb", "\\", "\\t", "ends with \\", "\"quoted\", and more", "żółć 漢字 🧾",
      "\u{1}\u{7f}\u{8}\u{b}\u{c}",
      "x\0y", String(repeating: "long ", count: 1000),
    ]
    try withStore(engine) { database in
      try database.transaction {
        let loader = try database.bulkLoader(into: "business_day", columns: ["ordinal", "day", "starts_at", "ends_at"])
        for (ordinal, text) in texts.enumerated() {
          try loader.append(integer: Int64(ordinal))
          try loader.append(text: "\(ordinal):\(text)")
          try loader.append(integer: .min)
          try loader.append(.integer(.max))
          try loader.endRow()
        }
        try #expect(loader.finish() == texts.count)
      }
      var found: [String] = []
      try database.query("select day, starts_at, ends_at from business_day order by ordinal") { row in
        found.append(row.text(0) ?? "null")
        try #expect(row.integer(1) == .min && row.integer(2) == .max)
      }
      #expect(found == texts.enumerated().map { "\($0.offset):\($0.element.filter { $0 != "\0" })" })
    }
  }

  @Test(arguments: TestStore.all)
  func `nulls stay nulls and utf8 needs no string`(engine: TestStore) throws {
    try withStore(engine) { database in
      try database.transaction {
        let loader = try database.bulkLoader(into: "order_payment_reference", columns: ["order_id", "value"])
        for value in ["a", ""] {
          try loader.append(text: "o-1")
          try Array(value.utf8).withUnsafeBytes { try loader.append(utf8: $0) }
          try loader.endRow()
        }
        try #expect(loader.finish() == 2)
        let refunds = try database.bulkLoader(into: "order_refund", columns: Self.refundColumns)
        try append(refund: "r-1", amount: 5, to: refunds)
        try #expect(refunds.finish() == 1)
      }
      try #expect(database.integer("select count(*) from order_payment_reference where value = ''") == 1)
      try #expect(database.integer("select count(*) from order_refund where payment_reference is null") == 1)
    }
  }

  private static let refundColumns = [
    "refund_id", "source", "order_id", "refunded_at", "currency", "amount_minor", "payment_reference", "landed_file",
    "landed_line",
  ]

  private func append(refund id: String, amount: Int64, to loader: any BulkLoader) throws {
    for text in [id, "shop", "o-1"] { try loader.append(text: text) }
    try loader.append(integer: 0)
    try loader.append(text: "EUR")
    try loader.append(integer: amount)
    try loader.append(text: nil)
    try loader.append(integer: Int64?.some(1))
    try loader.append(integer: 1)
    try loader.endRow()
  }

  @Test(arguments: TestStore.all)
  func `a known key is replaced and the last row of a key wins`(engine: TestStore) throws {
    try withStore(engine) { database in
      for round in 0..<2 {
        try database.transaction {
          let loader = try database.bulkLoader(
            into: "order_refund", columns: Self.refundColumns, replacing: ["refund_id"])
          for number in 0..<1000 { try append(refund: "r-\(number % 500)", amount: Int64(number + round), to: loader) }
          try #expect(loader.finish() == 1000)
        }
      }
      try #expect(database.integer("select count(*) from order_refund") == 500)
      try #expect(database.integer("select min(amount_minor) from order_refund") == 501)
      try #expect(database.integer("select max(amount_minor) from order_refund") == 1000)
    }
  }

  @Test(arguments: TestStore.all)
  func `a table of nothing but keys takes a row once`(engine: TestStore) throws {
    try withStore(engine) { database in
      let columns = ["order_id", "value"]
      try database.transaction {
        let loader = try database.bulkLoader(into: "order_payment_reference", columns: columns, replacing: columns)
        for _ in 0..<3 {
          for column in columns { try loader.append(text: column) }
          try loader.endRow()
        }
        try #expect(loader.finish() == 3)
      }
      try #expect(database.integer("select count(*) from order_payment_reference") == 1)
    }
  }

  @Test(arguments: TestStore.all)
  func `two loads and a reading take turns`(engine: TestStore) throws {
    try withStore(engine) { database in
      try database.execute("insert into tolerance values ('EUR', 1), ('USD', 2)")
      try database.transaction {
        let moments = try database.bulkLoader(into: "moment", columns: ["moment", "instant"], replacing: ["moment"])
        let references = try database.bulkLoader(into: "order_payment_reference", columns: ["order_id", "value"])
        let wide = String(repeating: "wide", count: 100)
        try database.query("select currency, amount_minor from tolerance order by currency") { row in
          for number in 0..<3000 {
            try moments.append(integer: Int64(number))
            try moments.append(integer: row.integer(1))
            try moments.endRow()
            try references.append(text: row.text(0))
            try references.append(text: "\(wide)\(number)")
            try references.endRow()
          }
        }
        try #expect(moments.finish() == 6000)
        try #expect(references.finish() == 6000)
      }
      try #expect(database.integer("select count(*) from moment where instant = 2") == 3000)
      try #expect(database.integer("select count(*) from order_payment_reference") == 6000)
    }
  }

  @Test(arguments: TestStore.all)
  func `a load that fails, or is not finished, leaves nothing`(engine: TestStore) throws {
    struct Refused: Error {}
    try withStore(engine) { database in
      #expect(throws: StorageError.loaderOutsideTransaction(table: "moment")) {
        try database.bulkLoader(into: "moment", columns: ["moment", "instant"])
      }
      #expect(throws: StorageError.wrongColumnCount(table: "moment", expected: 2, found: 1)) {
        try load(into: database, rows: [[1, 1], [2]])
      }
      #expect(throws: StorageError.self) { try load(into: database, rows: [[1, 1], [1, 2]]) }
      #expect(throws: StorageError.self) { try load(into: database, rows: [[1, nil]]) }
      try #expect(database.integer("select count(*) from moment") == 0)
      try load(into: database, rows: [[1, 1], [2, 2]])
      try #expect(database.integer("select count(*) from moment") == 2)
    }
  }

  private func load(into database: any Database, rows: [[SQLValue]]) throws {
    try database.transaction {
      let loader = try database.bulkLoader(into: "moment", columns: ["moment", "instant"])
      for row in rows {
        for value in row { try loader.append(value) }
        try loader.endRow()
      }
      _ = try loader.finish()
    }
  }
}
