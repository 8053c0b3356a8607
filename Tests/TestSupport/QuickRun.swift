import Foundation
import Testing

/// `scripts/test --quick`: no other program runs beside the tests, neither a server nor LibreOffice.
package enum QuickRun {
  package static let isOn = ProcessInfo.processInfo.environment["CROSSFOOT_TEST_QUICK"] != nil

  /// Cancels the test that is about to start a program.
  package static func refuse(_ program: String) throws {
    if isOn { try Test.cancel("it starts \(program), which scripts/test without --quick does") }
  }
}
