import Foundation
import Payments
import Providers

/// Whether the clock is kept right: a wrong one asks providers for the wrong window.
enum ClockExamination {
  static func finding() -> DoctorFinding {
    let now = Instant.text(.now)
    switch isSynchronized {
    case true?: return DoctorFinding(.good, "\(now), kept in step with a time server")
    case false?:
      return DoctorFinding(.warning, "\(now), not kept in step with a time server; a wrong clock asks for the wrong days")
    case nil: return DoctorFinding(.warning, "\(now); whether a time server keeps it in step is not known here")
    }
  }

  #if canImport(Glibc)
    /// What the kernel says; nil where it may not be asked.
    private static var isSynchronized: Bool? {
      var state = timex()
      let answer = adjtimex(&state)
      return answer < 0 ? nil : answer != TIME_ERROR
    }
  #else
    private static var isSynchronized: Bool? { nil }
  #endif
}
