import CLibPQ

/// A PostgreSQL connection URL without what must not be shown: neither password nor options.
struct PostgreSQLPlace: CustomStringConvertible {
  /// Whether libpq can read the URL; its own message about one it cannot read may quote the password.
  let isValid: Bool
  /// `postgresql://user@host:port/database`.
  let description: String

  init(_ url: String) {
    guard let options = PQconninfoParse(url, nil) else {
      isValid = false
      description = "postgresql://…"
      return
    }
    defer { PQconninfoFree(options) }
    let found = Self.values(of: options)
    let user = found["user"].map { "\($0)@" } ?? ""
    let port = found["port"].map { ":\($0)" } ?? ""
    isValid = true
    description = "postgresql://\(user)\(found["host"] ?? found["hostaddr"] ?? "")\(port)/\(found["dbname"] ?? "")"
  }

  private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var found: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return found
  }
}
