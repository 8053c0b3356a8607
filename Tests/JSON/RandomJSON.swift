import TestSupport

/// Random JSON text: any nesting, blanks, escapes and number forms, names distinct within an object.
enum RandomJSON {
  static func document(using random: inout SeededGenerator) -> String {
    blank(&random) + value(depth: 0, &random) + blank(&random)
  }

  private static func value(depth: Int, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<(depth > 5 ? 5 : 8), using: &random) {
    case 0: "null"
    case 1: Bool.random(using: &random) ? "true" : "false"
    case 2: String(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random))
    case 3: ["0", "-0", "1.5", "-0.25", "1e3", "2.5E-3", "100.00", "0.1"].randomElement(using: &random) ?? "0"
    case 4: string(&random)
    case 5: "[" + list(&random) { value(depth: depth + 1, &$0) } + "]"
    default: object(depth: depth, &random)
    }
  }

  private static func object(depth: Int, _ random: inout SeededGenerator) -> String {
    var number = 0
    let members = list(&random) { random in
      number += 1
      let name = "\"\(number)" + string(&random).dropFirst()
      return name + blank(&random) + ":" + blank(&random) + value(depth: depth + 1, &random)
    }
    return "{" + members + "}"
  }

  private static func list(_ random: inout SeededGenerator, _ item: (inout SeededGenerator) -> String) -> String {
    var items: [String] = []
    for _ in 0..<Int.random(in: 0..<5, using: &random) { items.append(blank(&random) + item(&random) + blank(&random)) }
    return items.isEmpty ? blank(&random) : items.joined(separator: ",")
  }

  private static func string(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "order", "é", "😀", "\\\"", "\\\\", "\\/", "\\n", "\\t", "\\u00e9", "\\ud83d\\ude00", "{", "]", ",", ":", " ",
      "\u{7f}",
    ]
    let length = Int.random(in: 0..<(Int.random(in: 0..<10, using: &random) == 0 ? 200 : 8), using: &random)
    return "\"" + (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined() + "\""
  }

  private static func blank(_ random: inout SeededGenerator) -> String {
    ["", "", "", " ", "\n", "\t", " \r\n "].randomElement(using: &random) ?? ""
  }
}
