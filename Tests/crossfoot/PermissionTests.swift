import Foundation
import TestSupport
import Testing

@Suite("Permissions of what is written", .onItsOwnThread)
struct PermissionTests {
  /// What anybody but user and group may do with it, or the group beyond reading: nothing.
  private func tooOpen(below folder: String) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    return try names.filter { name in
      let found = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      guard let mode = found[.posixPermissions] as? Int, found[.type] as? FileAttributeType != .typeSymbolicLink else {
        return false
      }
      return mode & (found[.type] as? FileAttributeType == .typeDirectory ? 0o027 : 0o137) != 0
    }
  }

  @Test(
    "Store, landing zone, reports, journals and files of init are for user and group, whatever the umask allows"
  )
  func modes() async throws {
    try await NightSite.serve(orders: 20) { site in
      let before = Set(try tooOpen(below: site.folder.path))
      _ = try await site.run()
      _ = try await site.run("report", ["--statements"])
      for arguments in [
        ["export", "journal", "--format", "csv", "--output", "night.csv"] + site.days() + [
          "--resources", NightSite.checkout,
        ],
        ["init", "--directory", "new/place"],
      ] {
        let ended = try await CommandRun(arguments, in: site.folder.path)
        #expect(ended.status == 0, "\(ended.errors)")
      }
      #expect(Set(try tooOpen(below: site.folder.path)).subtracting(before).isEmpty)
      for name in [
        "crossfoot.db", "landing/published.jsonl", "output/\(site.range())/run.json", "night.csv",
        "new/place/crossfoot.yml",
      ] {
        #expect(FileManager.default.fileExists(atPath: site.folder.path + "/" + name), "\(name)")
      }
    }
  }
}
