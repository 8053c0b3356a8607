import Foundation
import TestSupport
import Testing

@testable import Providers

@Suite("The list of providers")
struct ProviderListTests {
  @Test("every provider's folder has its line in the list and its three files")
  func listAndFolder() throws {
    let folder = TestStore.repository + "/Sources/Providers"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let folders = names.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder) && isFolder.boolValue
    }
    #expect(
      folders.map { $0.lowercased() }.sorted()
        == ProviderList.kinds.map { $0.replacingOccurrences(of: "_", with: "") }.sorted())
    for provider in folders {
      // One module cannot have two files of one name: all but the first provider put their own in front.
      for file in ["Configuration", "Pull", "Read"] {
        let names = ["\(file).swift", "\(provider)\(file).swift"]
        #expect(
          names.contains { FileManager.default.fileExists(atPath: "\(folder)/\(provider)/\($0)") },
          "\(provider)/\(file).swift")
      }
    }
  }
}
