import Storage
import TestSupport
import Testing

/// Statements, rows and parameters: the same bodies on every engine.
@Suite struct StatementTests {
  @Test(arguments: TestStore.available)
  func `parameters go by their number, wherever they stand`(engine: TestStore) throws {
    try withStore(engine) { database in
      try database.execute("insert into tolerance (amount_minor, currency) values ($2, $1)", ["EUR", 5])
      #expect(
        try database.integer("select amount_minor from tolerance where amount_minor = $2 and currency = $1", ["EUR", 5]) == 5)
      #expect(try database.integer("select amount_minor + $1 from tolerance where amount_minor + $1 > 0", [7]) == 12)
    }
  }
}
