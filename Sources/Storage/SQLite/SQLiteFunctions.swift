import CSQLite

/// Our own SQL functions on SQLite; PostgreSQL's are defined in sql/schema/postgresql/000-functions.sql.
enum SQLiteFunctions {
  /// Registers them on a connection. All return null where an argument is null, and fail the statement where one is not
  /// an integer.
  static func register(on connection: OpaquePointer) throws {
    try register("proportion", 3, on: connection) { context, _, values in
      SQLiteFunctions.answer(context, "proportion", values, 3) { Proportion.of($0[0], $0[1], $0[2]) }
    }
    try register("least_of", 2, on: connection) { context, _, values in
      SQLiteFunctions.answer(context, "least_of", values, 2) { .success(min($0[0], $0[1])) }
    }
    try register("greatest_of", 2, on: connection) { context, _, values in
      SQLiteFunctions.answer(context, "greatest_of", values, 2) { .success(max($0[0], $0[1])) }
    }
  }

  private typealias Body = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private static func register(_ name: String, _ arity: Int32, on connection: OpaquePointer, _ body: Body) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(connection, name, arity, flags, nil, body, nil, nil, nil)
    guard code == SQLITE_OK else { throw StorageError.cannotOpen(place: name, reason: SQLiteCode.name(code)) }
  }

  private static func answer(
    _ context: OpaquePointer?, _ name: String, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int,
    _ body: ([Int64]) -> Result<Int64, Proportion.Failure>
  ) {
    var arguments: [Int64] = []
    for index in 0..<count {
      let value = values?[index]
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: arguments.append(sqlite3_value_int64(value))
      case SQLITE_NULL: return sqlite3_result_null(context)
      default: return sqlite3_result_error(context, "\(name): an argument is no integer", -1)
      }
    }
    switch body(arguments) {
    case .success(let result): sqlite3_result_int64(context, result)
    case .failure(let failure): sqlite3_result_error(context, "\(name): \(failure.rawValue)", -1)
    }
  }
}

/// `amount` × `part` / `whole` to the nearest unit, halves away from zero, exact in 128 bits.
///
/// Results beyond 10^18 are limited to 10^18: a thousand times any amount that was read, so it equals none, and sums
/// with it stay within 64 bits.
enum Proportion {
  /// Why there is no result.
  enum Failure: String, Error { case divisionByZero = "division by zero" }
  private static let most: UInt64 = 1_000_000_000_000_000_000

  static func of(_ amount: Int64, _ part: Int64, _ whole: Int64) -> Result<Int64, Failure> {
    if whole == 0 { return .failure(.divisionByZero) }
    let isNegative = ((amount < 0) != (part < 0)) != (whole < 0)
    let product = amount.magnitude.multipliedFullWidth(by: part.magnitude)
    let divisor = whole.magnitude
    let magnitude = product.high < divisor ? rounded(product, by: divisor) : most
    return .success(isNegative ? -Int64(magnitude) : Int64(magnitude))
  }

  private static func rounded(_ product: (high: UInt64, low: UInt64), by divisor: UInt64) -> UInt64 {
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    return quotient >= most ? most : quotient + (remainder >= divisor - remainder ? 1 : 0)
  }
}
