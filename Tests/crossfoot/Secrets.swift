import CZstd
import Foundation
import Marketplace
import Testing

/// What must be in no file, log or error: the keys and the personal values of the marketplace's customers.
struct Secrets {
  private let words: [String]

  /// Every part of twelve characters of a key counts as the key.
  init(keys: [String]) {
    let parts = keys.flatMap { key in
      (0...max(0, key.utf8.count - 12)).map { String(key.dropFirst($0).prefix(12)) }
    }
    words = parts + Market.personalTraces + ["Jenny Rosen", "jenny@"]
  }

  /// Looks through everything that was said and every file below the folder, compressed ones unpacked.
  func expectNone(in folder: String, said: String, _ location: SourceLocation) throws {
    if let word = found(in: Array(said.utf8)) { Issue.record("\(word) was said: \(said)", sourceLocation: location) }
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for name in names {
      guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      let plain = name.hasSuffix(".zst") ? Self.unpacked(bytes) : Array(bytes)
      if let word = found(in: plain) { Issue.record("\(word) stands in \(name)", sourceLocation: location) }
    }
  }

  /// The first word that occurs; zero bytes count as others, so that the system's own search can go over them.
  private func found(in bytes: [UInt8]) -> String? {
    var text = bytes
    text.withUnsafeMutableBufferPointer { buffer in
      for place in buffer.indices where buffer[place] == 0 { buffer[place] = 1 }
    }
    text.append(0)
    return text.withUnsafeBytes { buffer in
      guard let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress else { return nil }
      return words.first { strstr(start, $0) != nil }
    }
  }

  /// As much as can be unpacked of frames that may be cut.
  static func unpacked(_ bytes: Data) -> [UInt8] {
    guard let context = ZSTD_createDCtx() else { return [] }
    defer { ZSTD_freeDCtx(context) }
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 17)
    bytes.withUnsafeBytes { packed in
      var input = ZSTD_inBuffer(src: packed.baseAddress, size: packed.count, pos: 0)
      var made = 1
      while input.pos < input.size || made > 0 {
        made = piece.withUnsafeMutableBytes { room in
          var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
          return ZSTD_isError(ZSTD_decompressStream(context, &output, &input)) == 0 ? output.pos : -1
        }
        guard made >= 0 else { return }
        result += piece.prefix(made)
      }
    }
    return result
  }
}
