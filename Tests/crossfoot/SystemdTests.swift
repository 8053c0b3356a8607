import Foundation
import TestSupport
import Testing

@testable import crossfoot

@Suite("The systemd unit", .onItsOwnThread)
struct SystemdTests {
  @Test("What init writes is hardened like the package's")
  func hardening() throws {
    let package = try String(contentsOfFile: NightSite.checkout + "/packaging/crossfoot.service", encoding: .utf8)
    let lines = SystemdService.hardening.split(separator: "\n").map(String.init)
    #expect(lines.count > 20 && lines.allSatisfy { package.contains("\n\($0)\n") })
    for shared in ["OnFailure=", "Restart=", "RestartPreventExitStatus=", "SuccessExitStatus=", "StartLimitBurst="] {
      let word = { (text: String) in text.split(separator: "\n").first { $0.hasPrefix(shared) } }
      #expect(word(package) == word(Self.unit().text) && word(package) != nil, "\(shared)")
    }
  }

  @Test("A folder in a home can be written, and no other home is shown where it need not be")
  func homes() {
    #expect(
      Self.unit().text.contains("ProtectHome=true\n")
        && Self.unit("/home/jenny/crossfoot").text.contains("ProtectHome=read-only\n"))
    #expect(
      Self.unit().text.contains("User=crossfoot\n") && Self.unit().text.contains("ReadWritePaths=\"/srv/crossfoot\" "))
  }

  @Test("systemd takes the unit and finds it exposed by 3.0 at most")
  func exposure() throws {
    let tool = "/usr/bin/systemd-analyze"
    guard FileManager.default.isExecutableFile(atPath: tool) else {
      try Test.cancel("systemd-analyze is not installed")
    }
    let folder = try TemporaryFolder()
    try folder.write("crossfoot.service", Self.unit().text)
    for file in [folder.path + "/crossfoot.service", NightSite.checkout + "/packaging/crossfoot.service"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: tool)
      process.arguments = ["security", "--offline=true", "--no-pager", "--threshold=30", file]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(file)")
    }
  }

  private static func unit(_ folder: String = "/srv/crossfoot") -> SystemdService {
    SystemdService(folder: folder, binary: "/usr/bin/crossfoot", user: "crossfoot")
  }
}
