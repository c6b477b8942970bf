import Diagnostics
import HTTPMessages
import RunReports
import Values

extension RunProgress {
  /// One line of at most that many columns: the progress of the run, and the transfer with the most left, or else the
  /// oldest request in flight.
  package func line(columns: Int) -> String {
    let failed = failures > 0 ? ", \(failures) failed" : ""
    let counts = "… \(finishedFiles) of \(counted(totalFiles, "file")), \(counted(requests, "request"))\(failed)"
    guard let current = current(nameColumns: max(8, columns / 4)) else { return elided(counts, to: columns) }
    let line = "\(counts) · \(current)"
    return displayWidth(of: line) <= columns ? line : elided("… \(current)", to: columns)
  }

  private func current(nameColumns: Int) -> String? {
    let moving = transfers.filter { !$0.isFinished }
    if let longest = moving.max(by: { $0.remainingBytes < $1.remainingBytes }) {
      return longest.text(nameColumns: nameColumns) + more(than: moving.count)
    }
    guard let oldest = running.first else { return nil }
    // A quick request needs no ticking clock.
    let time = oldest.duration < .seconds(1) ? "" : " \(remainingTimeText(oldest.duration))"
    return elided(sanitizedForTerminal(oldest.name), to: nameColumns * 2) + time + more(than: running.count)
  }

  private func more(than count: Int) -> String { count > 1 ? " and \(count - 1) more" : "" }
}

extension RunTransfer {
  /// The number of remaining bytes; for transfers of unknown length, that of transferred ones.
  fileprivate var remainingBytes: Int64 { totalBytes.map { $0 - completedBytes } ?? completedBytes }

  /// The text, such as `↓ name 1.5 of 20 MiB (7 %), 2 MiB/s, 9 s left`.
  fileprivate func text(nameColumns: Int) -> String {
    let arrow = direction == .upload ? "↑" : "↓"
    var text = "\(arrow) \(elided(sanitizedForTerminal(name), to: nameColumns)) \(byteCountText(completedBytes))"
    if let totalBytes {
      text += " of \(byteCountText(totalBytes))"
      if totalBytes > 0 { text += " (\(Int(Double(completedBytes) * 100 / Double(totalBytes))) %)" }
    }
    if let bytesPerSecond, bytesPerSecond < 1e18 {
      text += ", \(byteCountText(Int64(max(0, bytesPerSecond.rounded()))))/s"
    }
    if let timeLeft { text += ", \(remainingTimeText(timeLeft)) left" }
    return text
  }
}

/// A rounded duration for people: `9 s`, `4 min 30 s`, `2 h 5 min`.
private func remainingTimeText(_ duration: Duration) -> String {
  let seconds = duration.components.seconds
  if seconds < 60 { return "\(seconds) s" }
  if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
  return "\(seconds / 3600) h \(seconds / 60 % 60) min"
}
