import JSON
import Testing

/// Parses `text` and hands its root to `body`.
func reading<R>(_ text: String, _ body: (JSONValue) throws -> R) throws -> R {
  try JSONParser().parse(Array(text.utf8), body)
}

@Suite struct ReadingTests {
  let charge = """
    {"id": "ch_1", "amount": 1000, "captured": true, "customer": null, "balance_transaction": "txn_1",
     "payment_intent": {"id": "pi_1", "object": "payment_intent"},
     "fee_details": [{"amount": 59, "type": "stripe_fee"}, {"amount": "12", "type": "tax"}], "odd key": 1,
     "rate": 1.35576}
    """

  @Test func `a record gives each member in its type`() throws {
    try reading(charge) { charge throws in
      #expect(charge.kind == .object)
      #expect(try charge["id"].string() == "ch_1")
      #expect(try charge["amount"].int64() == 1000)
      #expect(try charge["captured"].bool())
      #expect(charge["customer"].kind == .null)
      #expect(charge["refunds"].kind == .missing)
      #expect(try charge["rate"].numberText() == "1.35576")
      #expect(charge["id"].isString("ch_1") && !charge["id"].isString("ch_2") && !charge["id"].isString("ch_12"))
      #expect(charge["fee_details"].elements.map { $0["type"].jsonText } == ["\"stripe_fee\"", "\"tax\""])
      #expect(charge["payment_intent"].members.map(\.name) == ["id", "object"])
      #expect(try charge.member(named: "amount")?.int64() == 1000)
      #expect(charge.member(named: "") == nil && charge.member(named: "nothing") == nil)
    }
  }

  @Test func `what may be absent is nil when it is null or not there`() throws {
    try reading(charge) { charge throws in
      #expect(try charge["customer"].optionalString() == nil)
      #expect(try charge["refunds"].optionalInt64() == nil)
      #expect(try charge["refunds"]["data"]["x"].optionalBool() == nil)
      #expect(try charge["rate"].optionalNumberText() == "1.35576")
      #expect(throws: JSONError.self) { try charge["id"].optionalInt64() }
    }
  }

  @Test func `an expandable member gives its id, expanded or not`() throws {
    try reading(charge) { charge throws in
      #expect(try charge["balance_transaction"].expandableID() == "txn_1")
      #expect(try charge["payment_intent"].expandableID() == "pi_1")
      #expect(try charge["customer"].expandableID() == nil)
      #expect(try charge["refunds"].expandableID() == nil)
      #expect(throws: JSONError.wrongType(path: "$.amount", expected: "a string", found: "the number 1000")) {
        try charge["amount"].expandableID()
      }
    }
  }

  @Test func `an error names the path and shows no string's text`() throws {
    try reading(charge) { charge throws in
      let second = Array(charge["fee_details"].elements)[1]
      let wrong = JSONError.wrongType(path: "$.fee_details[1].amount", expected: "a whole number", found: "a string")
      #expect(throws: wrong) { try second["amount"].int64() }
      #expect(wrong.description == "$.fee_details[1].amount: found a string, expected a whole number")
      #expect(throws: JSONError.missing(path: "$.fee_details[1].currency")) { try second["currency"].string() }
      #expect(throws: JSONError.missing(path: "$.refunds")) { try charge["refunds"]["data"].string() }
      #expect(throws: JSONError.self) { try charge["rate"].int64() }
      #expect(charge.member(named: "odd key")?.path == "$[\"odd key\"]")
      #expect(charge.path == "$")
    }
  }

  @Test func `whole numbers are exact to the ends of 64 bits and refused beyond`() throws {
    let numbers = """
      {"least": -9223372036854775808, "most": 9223372036854775807, "below": -9223372036854775809,
       "beyond": 9223372036854775808,
       "far": 123456789012345678901234567890, "zero": -0, "exponent": 1e3}
      """
    try reading(numbers) { numbers throws in
      #expect(try numbers["least"].int64() == .min)
      #expect(try numbers["most"].int64() == .max)
      #expect(try numbers["zero"].int64() == 0)
      #expect(throws: JSONError.numberOutOfRange(path: "$.below")) { try numbers["below"].int64() }
      #expect(throws: JSONError.numberOutOfRange(path: "$.beyond")) { try numbers["beyond"].int64() }
      #expect(throws: JSONError.numberOutOfRange(path: "$.far")) { try numbers["far"].int64() }
      #expect(try numbers["far"].numberText() == "123456789012345678901234567890")
      #expect(throws: JSONError.wrongType(path: "$.exponent", expected: "a whole number", found: "the number 1e3")) {
        try numbers["exponent"].int64()
      }
    }
  }

  @Test func `text comes out as valid UTF-8 without U+0000`() throws {
    let texts: [(String, String)] = [
      (#""caf\u00e9 \ud83d\ude00 \"\\\/\b\f\n\r\t""#, "café 😀 \"\\/\u{8}\u{c}\n\r\t"),
      (#""a\u0000b""#, "a\u{fffd}b"),
      (#""\ud800x""#, "\u{fffd}x"),
      (#""\udc00""#, "\u{fffd}"),
      (#""\ud800\ud800\udc00""#, "\u{fffd}\u{10000}"),
      (#""\u0000\ud83d\ude00\"\\\/\b\f\n\r\t\u20ac""#, "\u{fffd}😀\"\\/\u{8}\u{c}\n\r\t€"),
      (#""""#, ""),
    ]
    for (literal, meaning) in texts {
      #expect(try reading(literal) { try $0.string() } == meaning, "\(literal)")
      #expect(try reading("{\(literal): 1}") { $0.members.map(\.name) } == [meaning], "\(literal)")
    }
  }

  @Test func `of a name that stands twice the first counts`() throws {
    #expect(try reading(#"{"a": 1, "a": 2}"#) { try $0["a"].int64() } == 1)
  }

  @Test func `a document may lie in a larger buffer and be read without a copy`() throws {
    let buffer = Array("[1,2]{\"a\":3}".utf8) + [UInt8](repeating: UInt8(ascii: "7"), count: JSONParser.padding)
    let parser = JSONParser()
    try buffer.withUnsafeBytes { (bytes) throws -> Void in
      #expect(
        try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[..<5]), hasPadding: true) { $0.jsonText } == "[1,2]")
      #expect(
        try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[5..<12]), hasPadding: true) { $0.jsonText }
          == "{\"a\":3}")
    }
  }
}
