import ReqrunKit
import Synchronization

/// One line at the end of a terminal that says how far the run is; all other output goes above it.
final class ProgressLine: Sendable {
  private struct State {
    var text = ""
    var isVisible = false
    var next = ContinuousClock.now
  }

  let isShown: Bool
  private let queue: OutputQueue
  private let state = Mutex(State())

  init(isShown: Bool, queue: OutputQueue) {
    self.isShown = isShown
    self.queue = queue
  }

  func show(_ progress: RunProgress) {
    state.withLock { state in
      let now = ContinuousClock.now
      guard now >= state.next, !queue.isBehind else { return }
      state.next = now + .milliseconds(100)
      let failures = progress.failures > 0 ? ", \(progress.failures) failed" : ""
      state.text =
        "… \(progress.finishedFiles) of \(progress.totalFiles) files, \(progress.requests) requests\(failures)"
      draw(&state)
    }
  }

  /// Writes something above the line.
  func around(_ body: () -> Void) {
    guard isShown else {
      body()
      return
    }
    state.withLock { state in
      erase(&state)
      body()
    }
  }

  func clear() {
    guard isShown else { return }
    state.withLock { erase(&$0) }
  }

  private func draw(_ state: inout State) {
    queue.write("\r\u{1B}[K\(state.text)", to: .error)
    state.isVisible = true
  }

  private func erase(_ state: inout State) {
    guard state.isVisible else { return }
    queue.write("\r\u{1B}[K", to: .error)
    state.isVisible = false
  }
}
