import Diagnostics
import HTTPMessages
import RunReports

extension RunProgress {
  /// One line of so many columns at most: how far the run is, and the transfer that has the longest way to go.
  package func line(columns: Int) -> String {
    let failed = failures > 0 ? ", \(failures) failed" : ""
    let counts = "… \(finishedFiles) of \(totalFiles) files, \(requests) requests\(failed)"
    let running = transfers.filter { !$0.isFinished }
    guard let longest = running.max(by: { $0.remainingBytes < $1.remainingBytes }) else {
      return elided(counts, to: columns)
    }
    var transfer = longest.text(nameColumns: max(8, columns / 4))
    if running.count > 1 { transfer += " and \(running.count - 1) more" }
    let line = "\(counts) · \(transfer)"
    return displayWidth(of: line) <= columns ? line : elided("… \(transfer)", to: columns)
  }
}

extension RunTransfer {
  /// Of those whose length isn't known, the one that has moved most counts.
  fileprivate var remainingBytes: Int64 { totalBytes.map { $0 - completedBytes } ?? completedBytes }

  /// Such as `↓ name 1.5 of 20 MiB (7 %), 2 MiB/s, 9 s left`.
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

/// A duration for people, without what does not matter in it: `9 s`, `4 min 30 s`, `2 h 5 min`.
private func remainingTimeText(_ duration: Duration) -> String {
  let seconds = duration.components.seconds
  if seconds < 60 { return "\(seconds) s" }
  if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
  return "\(seconds / 3600) h \(seconds / 60 % 60) min"
}
