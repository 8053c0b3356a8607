import Foundation
import Marketplace
import TestSupport
import Testing

/// A disk that is full, as a small memory file system of its own.
@Suite("A full disk", .onItsOwnThread, .serialized)
struct DiskFullTests {
  @Test("While publishing: 74, named, and the former publication is untouched")
  func publishing() async throws {
    try await NightSite.serve(orders: 40, faults: 20) { site in
      try await TestDisk.mount("output", of: site) { disk in
        try await site.run().expect(1)
        let before = (site.link(), try site.published())
        try disk.leave(kibibytes: 16)
        let ended = try await site.run()
        #expect(ended.status == 74 && ended.output.isEmpty, "\(ended.errors)")
        #expect(
          ended.errors.contains(
            ": no space left on the disk; what was published or closed before is untouched. Free some space and run "
              + "the same command again\n"
          ),
          "\(ended.errors)")
        #expect(
          ended.errors.contains("crossfoot: \(site.folder.path)/output/.published/\(site.range())-2/"),
          "\(ended.errors)")
        #expect(try site.link() == before.0 && site.published() == before.1)
        try disk.leave(kibibytes: 4096)
        try await site.run("report").expect(1)
        #expect(try site.link() != before.0 && site.published().withoutWorkbook == before.1.withoutWorkbook)
      }
    }
  }

  @Test("While landing: nothing half is taken for whole, and the next pull goes on")
  func landing() async throws {
    try await NightSite.serve(orders: 40, faults: 20) { site in
      try await site.run().expect(1)
      let before = (site.link(), try site.published())
      try FileManager.default.removeItem(atPath: site.folder.path + "/landing")
      try site.forgetStore()
      try await TestDisk.mount("landing", of: site) { disk in
        try disk.leave(kibibytes: 8)
        let ended = try await site.run()
        #expect(ended.status == 74, "\(ended.output)\(ended.errors)")
        #expect(
          ended.errors.contains(
            "found no space left, expected room for what is written; free some and run the same command"),
          "\(ended.errors)")
        #expect(try site.link() == before.0 && site.published() == before.1)
        try disk.leave(kibibytes: 4096)
        try await site.run().expect(1)
        #expect(try site.published().withoutWorkbook == before.1.withoutWorkbook)
      }
    }
  }

  @Test("While storing: 74, and the former publication is untouched")
  func storing() async throws {
    try await NightSite.serve(orders: 40, faults: 20) { site in
      try await site.run().expect(1)
      let before = (site.link(), try site.published())
      try await TestDisk.mount("store", of: site) { disk in
        try site.configure { $0.replacing("sqlite:crossfoot.db", with: "sqlite:store/crossfoot.db") }
        try disk.leave(kibibytes: 300)
        let ended = try await site.run("run", ["--no-pull"])
        #expect(ended.status == 74 && ended.output.isEmpty, "\(ended.errors)")
        #expect(ended.errors.contains("full"), "\(ended.errors)")
        #expect(try site.link() == before.0 && site.published() == before.1)
        try disk.leave(kibibytes: 65536)
        try await site.run("run", ["--no-pull"]).expect(1)
        #expect(try site.published().withoutWorkbook == before.1.withoutWorkbook)
      }
    }
  }
}

/// A memory file system in the place of one of a site's folders.
struct TestDisk {
  private let path: String

  /// Mounts it while the body runs; only root may, so others skip the test.
  static func mount(_ name: String, of site: NightSite, _ body: (TestDisk) async throws -> Void) async throws {
    let disk = TestDisk(path: "\(site.folder.path)/\(name)")
    try FileManager.default.createDirectory(atPath: disk.path, withIntermediateDirectories: true)
    guard geteuid() == 0, try disk.mount("size=64m") else { try Test.cancel("only root may mount a small disk here") }
    do {
      try await body(disk)
    } catch {
      try disk.unmount()
      throw error
    }
    try disk.unmount()
  }

  /// Makes it so small that this much is left.
  func leave(kibibytes: Int) throws {
    var status = statvfs()
    #expect(statvfs(path, &status) == 0)
    let used = Int(status.f_blocks - status.f_bfree) * Int(status.f_frsize) / 1024
    #expect(try mount("remount,size=\(used + kibibytes)k"))
  }

  private func mount(_ options: String) throws -> Bool {
    try Self.run("/usr/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", path])
  }

  private func unmount() throws { #expect(try Self.run("/usr/bin/umount", [path])) }

  private static func run(_ program: String, _ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
