import Foundation
import TestSupport
import Testing

@testable import Providers

@Suite("The list of providers")
struct ProviderListTests {
  @Test("every provider's folder has its line in the list, its three files, and its fixtures")
  func listAndFolder() throws {
    let folder = TestStore.repository + "/Sources/Providers"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let folders = names.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder) && isFolder.boolValue
    }
    #expect(folders.map { $0.lowercased() }.sorted() == ProviderList.kinds.map { $0.replacingOccurrences(of: "_", with: "") }.sorted())
    for provider in folders {
      for file in ["Configuration", "Pull", "Read"] {
        #expect(FileManager.default.fileExists(atPath: "\(folder)/\(provider)/\(file).swift"), "\(provider)/\(file).swift")
      }
    }
  }
}
