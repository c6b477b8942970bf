import CommandLineOptions
import ReqrunKit
import Synchronization
import Values

/// One line at the end of a terminal with the progress of the run; all other output goes above it.
final class ProgressLine: Sendable {
  private struct State {
    var text = ""
    var isVisible = false
    var next = ContinuousClock.now
  }

  let isShown: Bool
  private let queue: OutputQueue
  private let text: @Sendable (_ progress: RunProgress, _ columns: Int) -> String
  private let state = Mutex(State())

  init(
    isShown: Bool, queue: OutputQueue,
    text: @escaping @Sendable (_ progress: RunProgress, _ columns: Int) -> String = { $0.line(columns: $1) }
  ) {
    self.isShown = isShown
    self.queue = queue
    self.text = text
  }

  func show(_ progress: RunProgress) {
    state.withLock { state in
      let now = ContinuousClock.now
      // Otherwise a finished transfer would stay until the next report.
      let isDue = now >= state.next || progress.transfers.contains { $0.isFinished }
      guard isDue, !queue.isBehind else { return }
      state.next = now + .milliseconds(100)
      // Some terminals would wrap a line that fills the last column.
      let text = text(progress, (terminalWidth() ?? 80) - 1)
      if state.isVisible, text == state.text { return }
      draw(text, &state)
    }
  }

  /// Writes other output above the line.
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

  private func draw(_ text: String, _ state: inout State) {
    queue.write(beginning(state) + text, to: .error)
    state.text = text
    state.isVisible = true
  }

  private func erase(_ state: inout State) {
    guard state.isVisible else { return }
    queue.write(beginning(state), to: .error)
    state.isVisible = false
  }

  /// Moves to the beginning of the line, and clears it.
  private func beginning(_ state: State) -> String {
    // A terminal that has become narrower has wrapped the line.
    let columns = displayWidth(of: state.text)
    guard state.isVisible, let width = terminalWidth(), columns > width else { return "\r\u{1B}[K" }
    return "\u{1B}[\((columns - 1) / width)A\r\u{1B}[J"
  }
}
