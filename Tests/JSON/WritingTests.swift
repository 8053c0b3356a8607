import Foundation
import JSON
import TestSupport
import Testing

@Suite struct WritingTests {
  @Test func `an allow-list keeps what it names, applies to elements, and counts what it drops`() throws {
    let kept: FieldSet = [
      "id": .all, "amount": .all, "customer": ["id"], "metadata": ["order_id"], "fee_details": ["amount", "type"],
      "balance_transaction": ["id", "net"],
    ]
    let charge = """
      {"id":"ch_1", "amount":1.50e3, "receipt_email":"a@example.com",
       "customer":{"id":"cus_1","name":"A","address":{"city":"B"}},
       "metadata":{"order_id":"A-1","note":"call me"},
       "fee_details":[{"amount":59,"type":"tax","description":"x"},{"amount":1}],
       "balance_transaction":"txn_1", "billing_details":{"name":"A","phone":"1"}}
      """
    var output: [UInt8] = []
    let dropped = try reading(charge) { $0.writeJSON(into: &output, keeping: kept) }
    #expect(
      String(decoding: output, as: UTF8.self)
        == #"""
        {"id":"ch_1","amount":1.50e3,"customer":{"id":"cus_1"},"metadata":{"order_id":"A-1"},\#
        "fee_details":[{"amount":59,"type":"tax"},{"amount":1}],"balance_transaction":"txn_1"}
        """#
    )
    #expect(dropped == 6)
  }

  @Test func `two allow-lists together keep what either keeps`() {
    let one: FieldSet = ["id": .all, "metadata": ["a"]]
    let other: FieldSet = ["metadata": ["b"], "charge": .all]
    #expect(one.union(other) == ["id": .all, "metadata": ["a", "b"], "charge": .all])
    #expect(one.union(.all) == .all)
  }

  @Test func `control characters are escaped, other text is left as it is`() throws {
    #expect(try reading(#""\"\\\/\n\u001f\u00e9😀""#) { $0.jsonText } == "\"\\\"\\\\/\\u000a\\u001fé😀\"")
    #expect(try reading("{\"a\\\"\":[]}") { $0.jsonText } == "{\"a\\\"\":[]}")
    #expect(try reading("{}") { $0.jsonText } == "{}")
    #expect(try reading("{}") { $0["a"].jsonText } == "null")
  }

  @Test func `random documents come back as Foundation reads them`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let parser = JSONParser()
    for round in 0..<300 {
      let document = RandomJSON.document(using: &random)
      let ours = try parser.parse(Array(document.utf8)) { $0.jsonText }
      let expected =
        try JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed) as? NSObject
      let found = try JSONSerialization.jsonObject(with: Data(ours.utf8), options: .fragmentsAllowed) as? NSObject
      #expect(found == expected, "seed \(seed), round \(round)")
      #expect(try parser.parse(Array(ours.utf8)) { $0.jsonText } == ours, "seed \(seed), round \(round)")
    }
  }

  @Test func `random damage is refused or read, and never crashes`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let parser = JSONParser()
    for _ in 0..<2000 {
      var bytes = Array(RandomJSON.document(using: &random).utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // What is accepted can be written and read again.
      if let text = try? parser.parse(bytes, { $0.jsonText }) {
        #expect((try? parser.parse(Array(text.utf8)) { $0.jsonText }) == text, "seed \(seed)")
      }
    }
  }
}
