/// Reads a workbook's parts in a test, so that no program has to be installed for it: the list of parts, and RFC 1951.
struct Archive {
  /// Name and content of each part.
  private(set) var parts: [(name: String, text: String)] = []
  /// The moments of writing that the parts carry.
  private(set) var moments: Set<[UInt8]> = []

  init(_ bytes: [UInt8]) throws {
    func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
    var at = number(bytes.count - 6, 4)
    while at + 46 <= bytes.count, number(at, 4) == 0x0201_4B50 {
      let (name, extra, comment) = (number(at + 28, 2), number(at + 30, 2), number(at + 32, 2))
      let local = number(at + 42, 4)
      let start = local + 30 + number(local + 26, 2) + number(local + 28, 2)
      var inflater = Inflater(bytes: bytes, at: start)
      let content =
        number(at + 10, 2) == 8 ? try inflater.inflate() : Array(bytes[start..<(start + number(at + 20, 4))])
      parts.append(
        (String(decoding: bytes[(at + 46)..<(at + 46 + name)], as: UTF8.self), String(decoding: content, as: UTF8.self))
      )
      moments.insert(Array(bytes[(at + 12)..<(at + 16)]))
      at += 46 + name + extra + comment
    }
  }

  /// All sheets, one after the other.
  var sheets: String { parts.filter { $0.name.hasPrefix("xl/worksheets/") }.map(\.text).joined() }
}

/// Deflated bytes that are none.
struct BrokenArchive: Error {}

/// Inflates one stream, bit by bit: slow and short.
private struct Inflater {
  let bytes: [UInt8]
  var at: Int
  private var bit = 0
  private var output: [UInt8] = []

  init(bytes: [UInt8], at: Int) {
    self.bytes = bytes
    self.at = at
  }

  mutating func inflate() throws -> [UInt8] {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try stored()
      case 1: try block(Self.fixed, Code(Array(repeating: 5, count: 30)))
      case 2: try dynamic()
      default: throw BrokenArchive()
      }
    }
    return output
  }

  private static let fixed = Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })

  private mutating func bits(_ count: Int) throws -> Int {
    var value = 0
    for place in 0..<count {
      guard at < bytes.count else { throw BrokenArchive() }
      value |= (Int(bytes[at]) >> bit & 1) << place
      bit += 1
      if bit == 8 { (bit, at) = (0, at + 1) }
    }
    return value
  }

  private mutating func stored() throws {
    if bit > 0 { (bit, at) = (0, at + 1) }
    let count = try bits(16)
    _ = try bits(16)
    for _ in 0..<count { output.append(UInt8(try bits(8))) }
  }

  private mutating func dynamic() throws {
    let (literals, distances, lengths) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    var code = [Int](repeating: 0, count: 19)
    for place in order.prefix(lengths) { code[place] = try bits(3) }
    let lengthCode = Code(code)
    var all: [Int] = []
    while all.count < literals + distances {
      let symbol = try symbol(lengthCode)
      switch symbol {
      case 16: all += Array(repeating: all.last ?? 0, count: try bits(2) + 3)
      case 17: all += Array(repeating: 0, count: try bits(3) + 3)
      case 18: all += Array(repeating: 0, count: try bits(7) + 11)
      default: all.append(symbol)
      }
    }
    try block(Code(Array(all[..<literals])), Code(Array(all[literals...])))
  }

  private mutating func block(_ literals: Code, _ distances: Code) throws {
    let lengthBase = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
    ]
    let distanceBase = [
      1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
      8193,
      12289, 16385,
      24577,
    ]
    while true {
      let symbol = try symbol(literals)
      if symbol == 256 { return }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      let place = symbol - 257
      let length = lengthBase[place] + (try bits(place < 8 || place == 28 ? 0 : place / 4 - 1))
      let far = try self.symbol(distances)
      let distance = distanceBase[far] + (try bits(far < 4 ? 0 : far / 2 - 1))
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private mutating func symbol(_ code: Code) throws -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= try bits(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      (index, first) = (index + count, (first + count) << 1)
      value <<= 1
    }
    throw BrokenArchive()
  }
}

/// A canonical Huffman code: how many symbols each length has, and the symbols in their order.
private struct Code {
  var counts = [Int](repeating: 0, count: 16)
  var symbols: [Int] = []

  init(_ lengths: [Int]) {
    for length in lengths where length > 0 { counts[length] += 1 }
    for length in 1...15 { symbols += lengths.indices.filter { lengths[$0] == length } }
  }
}
