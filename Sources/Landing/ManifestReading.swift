import JSON

/// Reading a manifest: a landing zone of years has tens of thousands, and every run reads each of them once.
extension Manifest {
  /// The manifest in the bytes; unknown members are ignored.
  ///
  /// - Throws: `JSONError`.
  init(_ bytes: [UInt8], _ parser: JSONParser) throws {
    self = try parser.parse(bytes) { try Manifest($0) }
  }

  private init(_ json: JSONValue) throws {
    self.init(
      version: Int(try json["version"].int64()), file: try json["file"].string(), pull: try StreamPull(json["pull"]),
      observedAt: try json["observed_at"].int64(), startedAt: try json["started_at"].int64(),
      complete: try json["complete"].bool(), reason: try json["reason"].optionalString(),
      knownUntil: try json["known_until"].optionalInt64(),
      otherAccounts: try json["other_accounts"].optionalInt64().map(Int.init),
      objects: Int(try json["objects"].int64()), droppedFields: Int(try json["dropped_fields"].int64()),
      bytes: try json["bytes"].int64(), sha256: try json["sha256"].string(), pages: try Page.all(json["pages"]),
      sequence: try json["sequence"].optionalInt64(),
      previous: json["previous"].isAbsent ? nil : try ChainLink(json["previous"]),
      batch: try json["batch"].optionalInt64(), clockInDoubt: try json["clock_in_doubt"].optionalBool())
  }
}

extension Manifest.Page {
  fileprivate static func all(_ json: JSONValue) throws -> [Self] {
    guard json.kind == .array else {
      throw JSONError.wrongType(path: json.path, expected: "an array", found: "something else")
    }
    return try json.elements.map { page in
      Self(
        cursor: try page["cursor"].optionalString(), requestID: try page["request_id"].optionalString(),
        objects: Int(try page["objects"].int64()), bytes: try page["bytes"].int64())
    }
  }
}

extension StreamPull {
  fileprivate init(_ json: JSONValue) throws {
    self.init(
      provider: try json["provider"].string(), stream: try json["stream"].string(),
      request: try json["request"].string(), windowFrom: try json["window_from"].int64(),
      windowTo: try json["window_to"].int64(), coversFrom: try json["covers_from"].int64(),
      watermark: try json["watermark"].int64(), rangeFrom: try json["range_from"].int64(),
      rangeTo: try json["range_to"].int64())
  }
}

extension ChainLink {
  fileprivate init(_ json: JSONValue) throws {
    self.init(
      sequence: try json["sequence"].int64(), file: try json["file"].string(), sha256: try json["sha256"].string(),
      observedAt: try json["observed_at"].int64(), coversFrom: try json["covers_from"].int64(),
      windowTo: try json["window_to"].int64())
  }
}
