import Foundation

/// A program started by a test. Not Foundation's `Process`: on Linux, its wait for a second child does not return while
/// a first one runs, and after some thousand programs it reads memory that is not its own.
package final class Child {
  package let id: pid_t
  /// Where its error output is read; -1 when nobody listens.
  private let ear: Int32

  /// - Parameters:
  ///   - isHeard: its error output can be listened to with `says`.
  ///   - folder: where it runs; nil: where the tests run.
  ///   - environment: nil: that of the tests.
  ///   - output: a file that takes both of its outputs.
  ///   - errors: a file that takes its error output instead.
  ///   - answering: the open files that it reads questions from and writes results to.
  package init(
    _ words: [String], in folder: String? = nil, environment: [String: String]? = nil, isHeard: Bool = false,
    output: String? = nil, errors: String? = nil, answering: (input: Int32, output: Int32)? = nil
  ) throws {
    try QuickRun.refuse(words.joined(separator: " "))
    var ends: [Int32] = [-1, -1]
    if isHeard && pipe(&ends) != 0 { throw CocoaError(.executableLoad) }
    for end in ends where isHeard { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    if let output {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    }
    if let errors {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    if isHeard { posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO) }
    if let answering {
      posix_spawn_file_actions_adddup2(&actions, answering.input, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, answering.output, STDOUT_FILENO)
    }
    // Nothing else is inherited: Foundation's `Process` waits until nobody has the other end of a socket of its own,
    // and a program that was started meanwhile would keep it open for as long as it runs.
    try Self.closeFrom(&actions, STDERR_FILENO + 1)
    if let folder { try Self.changeFolder(&actions, folder) }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let status =
      environment == nil
      ? posix_spawn(&id, words[0], &actions, nil, &arguments, environ)
      : posix_spawn(&id, words[0], &actions, nil, &arguments, &variables)
    if isHeard { close(ends[1]) }
    ear = ends[0]
    self.id = id
    if status != 0 { throw CocoaError(.executableLoad) }
  }

  /// `posix_spawn_file_actions_addclosefrom_np` of glibc 2.34, which its Swift module does not show.
  private static func closeFrom(_ actions: inout posix_spawn_file_actions_t, _ first: Int32) throws {
    typealias Add = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    guard let found = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { throw CocoaError(.executableLoad) }
    guard unsafeBitCast(found, to: Add.self)(&actions, first) == 0 else { throw CocoaError(.executableLoad) }
  }

  /// `posix_spawn_file_actions_addchdir_np` of glibc 2.29.
  private static func changeFolder(_ actions: inout posix_spawn_file_actions_t, _ folder: String) throws {
    typealias Add = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32
    guard let found = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { throw CocoaError(.executableLoad) }
    guard unsafeBitCast(found, to: Add.self)(&actions, folder) == 0 else { throw CocoaError(.executableLoad) }
  }

  deinit { if ear >= 0 { close(ear) } }

  /// Waits for its end; its exit status, or the number of the signal that ended it.
  @discardableResult package func wait() -> Int32 { Self.wait(id) }

  /// The same for a test that others share their threads with.
  package func ended() async -> Int32 {
    let id = id
    return await withCheckedContinuation { waiting in
      DispatchQueue.global().async { waiting.resume(returning: Self.wait(id)) }
    }
  }

  private static func wait(_ id: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
  }

  /// Asks it to end, and waits for that.
  package func end() {
    kill(id, SIGTERM)
    wait()
  }

  /// Listens until it says those words; false when it ends without.
  package func says(_ words: String) -> Bool {
    var text = ""
    var piece = [UInt8](repeating: 0, count: 4096)
    while !text.contains(words) {
      let count = read(ear, &piece, piece.count)
      if count <= 0 { return false }
      text += String(decoding: piece[..<count], as: UTF8.self)
    }
    return true
  }
}
