import Foundation

/// A published file of which two runs gave different bytes.
package enum DifferingFile {
  /// Keeps both versions where somebody wants to look at them: `CROSSFOOT_TEST_KEEP` names a folder.
  package static func keep(_ name: String, _ first: Data?, _ again: Data?) {
    guard let folder = ProcessInfo.processInfo.environment["CROSSFOOT_TEST_KEEP"] else { return }
    let file = "\(folder)/\(UUID().uuidString)-" + name.replacing("/", with: "-")
    try? first?.write(to: URL(fileURLWithPath: file + ".first"))
    try? again?.write(to: URL(fileURLWithPath: file + ".again"))
  }
}
