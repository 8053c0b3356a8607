import Foundation
import Storage
import TestSupport
import Testing

/// Each page of a SQLite store has a sum: what changed on the disk is an error, never another figure.
@Suite struct PageSumTests {
  /// A closed store of some fifty pages, and what is in it.
  private static func withFilledStore(_ body: (_ path: String, _ rows: [String]) throws -> Void) throws {
    try withStoreURL(.sqlite) { url in
      let path = String(url.dropFirst("sqlite:".count))
      do {
        let database = try StoreURL(url).open()
        try database.script(
          "create table amount (id text primary key, minor integer); create index i on amount (minor)")
        try database.transaction {
          for row in 0..<4000 {
            try database.execute(
              "insert into amount values ($1, $2)", [.text("ch_\(row * 7919 % 100_003)"), .integer(Int64(row * 31))])
          }
        }
        try database.script("pragma wal_checkpoint(truncate)")
      }
      try body(path, try rows(path))
    }
  }

  /// Everything that a reader can get out of the file, by the table and by both indexes.
  private static func rows(_ path: String) throws -> [String] {
    let database = try StoreURL("sqlite:\(path)").open()
    var rows: [String] = []
    for order in ["rowid", "minor", "id"] {
      try database.query("select id, minor from amount order by \(order)") { row in
        rows.append("\(row.text(0) ?? "") \(try row.integer(1) ?? -1)")
      }
    }
    return rows
  }

  private static func isDamage(_ error: any Error) -> Bool { (error as? StorageError)?.isDamage == true }

  @Test func `a bit that changed anywhere in the file is found when it is read, and by the check`() throws {
    try Self.withFilledStore { path, rows in
      let file = URL(fileURLWithPath: path)
      let whole = try Data(contentsOf: file)
      #expect(whole.count > 20 * 8192)
      var random = SeededGenerator(seed: 20_261_123)
      var (found, foundByCheck) = (0, 0)
      // Every byte of the first header, and others of all pages.
      let places = Array(0..<100) + (0..<300).map { _ in Int.random(in: 100..<whole.count, using: &random) }
      for place in places {
        var changed = whole
        changed[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
        try changed.write(to: file)
        do {
          #expect(try Self.rows(path) == rows, "the bit at \(place) changed what is read")
        } catch {
          found += 1
          #expect(Self.isDamage(error), "\(place): \(error)")
        }
        do {
          let database = try StoreURL("sqlite:\(path)").open()
          try StoreHealth.check(database, url: "sqlite:\(path)", isFull: false)
        } catch  where Self.isDamage(error) { foundByCheck += 1 }
      }
      #expect(found == places.count, "by reading")
      #expect(foundByCheck == places.count, "by the check")
      try whole.write(to: file)
      #expect(try Self.rows(path) == rows)
    }
  }

  @Test func `a page in the place of another is found`() throws {
    try Self.withFilledStore { path, _ in
      let file = URL(fileURLWithPath: path)
      var bytes = try Data(contentsOf: file)
      let (one, other) = (3 * 8192..<4 * 8192, 5 * 8192..<6 * 8192)
      let page = bytes.subdata(in: one)
      bytes.replaceSubrange(one, with: bytes.subdata(in: other))
      bytes.replaceSubrange(other, with: page)
      try bytes.write(to: file)
      let error = #expect(throws: StorageError.self) { try Self.rows(path) }
      #expect(
        error?.isDamage == true && error?.description.contains("not as it was written") == true, "\(error as Any)")
    }
  }

  private static let making = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1])
    connection.execute('create table t (n)')
    connection.execute('insert into t values (7)')
    connection.commit()
    """

  private static let reading = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1])
    assert connection.execute('pragma integrity_check').fetchone() == ('ok',)
    assert connection.execute('select count(*) from amount').fetchone() == (4000,)
    """

  /// What a program that knows nothing of the sums ends with.
  private static func python(_ script: String, _ path: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, path]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test func `a file that another program made, without sums, is read as it is`() throws {
    try withStoreURL(.sqlite) { url in
      let path = String(url.dropFirst("sqlite:".count))
      let status = try Self.python(Self.making, path)
      #expect(status == 0)
      let database = try StoreURL(url).open()
      try StoreHealth.check(database, url: url, isFull: false)
      #expect(try database.integer("select n from t") == 7)
    }
  }

  @Test func `another program reads a store with sums`() throws {
    try Self.withFilledStore { path, _ in
      let status = try Self.python(Self.reading, path)
      #expect(status == 0)
    }
  }
}
