// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in our own targets; the packages we use keep their own settings.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  // Debug builds, the tests among them, check that no two accesses to a variable overlap; in release the check costs a
  // tenth of the reading.
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// One library target of ours: its folder under Sources carries its name.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one room: Tests mirrors Sources. `exclude` names what the tests read or run where it lies, and the
/// compiler has no use for.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)", exclude: exclude,
    swiftSettings: strict)
}

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "crossfoot",
  products: [.executable(name: "crossfoot", targets: ["crossfoot"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
  ],
  targets: [
    // The C libraries, each behind a shim or a module map of its own.
    // simdjson is written for an optimising compiler: without one, tests would wait for it (33 us a record rather than
    // 1.4).
    .target(
      name: "CSimdJSON", cxxSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))],
      linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .systemLibrary(name: "CZstd"),
    .systemLibrary(name: "CZip"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CExpat"),
    .systemLibrary(name: "CLibCrypto"),
    .systemLibrary(name: "CLibPQ"),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .systemLibrary(name: "CXLSXWriter"),

    // The flow, in its order.
    room("Payments"),
    room("Disk"),
    room("JSON", ["CSimdJSON"]),
    room("HTTP", ["CCurl", logging]),
    room("Cryptography", ["CLibCrypto"]),
    room("Files", ["CZlib", "Cryptography", "Disk"]),
    room("Landing", ["Payments", "JSON", "CZstd", "Cryptography", "Disk", logging]),
    room("Settings", ["Payments", yams]),
    room("Providers", ["Payments", "JSON", "HTTP", "Files", "Landing", "Settings", "Cryptography", logging]),
    room("Decisions", ["Payments", "Files"]),
    room("Alerts", ["Payments", "Files", "HTTP", "Settings", "Cryptography", logging]),
    room("Journal", ["Payments", "Storage"]),
    room("Sheets", ["CZip", "CExpat"]),
    room("Storage", ["CLibPQ", "CSQLite", logging]),
    room("OrderSources", ["Payments", "HTTP", "Files", "Landing", "JSON", "Settings", "Storage"]),
    room(
      "Reconciliation",
      [
        "Payments", "HTTP", "Landing", "Providers", "OrderSources", "Storage", "Settings", "Reports", "Decisions",
        "Journal", "Sheets", "Files", "Cryptography", "Disk",
        logging,
      ]),
    room("Reports", ["Payments", "Storage", "CXLSXWriter", "CZip", "CZlib", "Cryptography", yams, logging]),
    .executableTarget(
      name: "crossfoot",
      dependencies: [
        "Alerts", "Reconciliation", "Decisions", "Journal", "Sheets", "Files", "Marketplace", "Reports", "Settings",
        "Providers", "Storage", "Landing",
        "Payments", arguments, logging,
      ],
      swiftSettings: strict),
    room("Marketplace", ["Cryptography", flyingFox, logging]),

    // Tests.
    .target(
      name: "TestSupport", dependencies: [flyingFox, "Marketplace", "Storage"], path: "Tests/TestSupport",
      exclude: ["workbook.py", "examine-journal.py"],
      swiftSettings: strict),
    tests("Payments", ["Payments"]),
    tests("JSON", ["JSON"]),
    tests("HTTP", ["HTTP", logging]),
    tests("Cryptography", ["Cryptography"]),
    tests("Files", ["Files"]),
    tests("Landing", ["Landing", "Files", "Disk", "JSON"]),
    tests("Settings", ["Settings"]),
    tests("Providers", ["Providers", "HTTP", "Files", "Landing", "JSON", "Marketplace", "Settings", logging]),
    tests("Storage", ["Storage"]),
    tests("Decisions", ["Decisions"]),
    tests(
      "Alerts", ["Alerts", "HTTP", "Payments", "Settings", logging],
      exclude: ["certificates.py", "serve-https.py", "serve-smtp.py"]),
    tests("Journal", ["Journal", "Payments"]),
    tests("Sheets", ["Sheets"]),
    tests("OrderSources", ["OrderSources", "Landing", "JSON", "Payments", "Settings", "Storage"]),
    tests("Reports", ["Reports"]),
    tests("Reconciliation", ["Reconciliation", "HTTP", "Landing", "OrderSources", "Payments", "Storage"]),
    tests("Marketplace", ["Marketplace"]),
    tests("crossfoot", ["crossfoot", "Storage", "Disk"], exclude: ["faults.c"]),
    tests(
      "Cases",
      [
        "Reconciliation", "Journal", "Marketplace", "Reports", "Settings", "Providers", "OrderSources", "Payments",
        "Storage", "Sheets", "Landing", "JSON", "Cryptography",
        yams, logging,
      ],
      exclude: ["stories", "serve-localstripe.py"]),
  ],
  cxxLanguageStandard: .cxx17
)
