import OperatingSystem
import Synchronization

/// The handler of SIGINT, SIGTERM and SIGHUP, which end the process by default.
final class SignalHandler: Sendable {
  private struct State {
    var body: (@Sendable (Int32) -> Void)?
    var count = 0
  }

  private let state = Mutex(State())

  /// Sets the handler of the first two signals; a third one always ends the process.
  func set(_ body: @escaping @Sendable (Int32) -> Void) {
    state.withLock { $0.body = body }
  }

  func handle(_ signal: Int32) {
    let (body, count) = state.withLock { state in
      state.count += 1
      return (state.body, state.count)
    }
    guard let body, count < 3 else { endProcess(128 + signal) }
    body(signal)
  }
}

let signalHandler = SignalHandler()
