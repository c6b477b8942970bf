import HTTPSemantics
import RunReports
import Values

extension RunProgress {
  /// One line of at most that many columns: the progress of the run, and the transfer with the most left, or else the
  /// oldest request in flight. Less important numbers are left out if they don't fit.
  package func line(columns: Int) -> String {
    let current = current(columns: columns)
    for detail in (0...3).reversed() {
      let counts = "… " + counts(detail: detail)
      guard let current else {
        if displayWidth(of: counts) <= columns || detail == 0 { return elided(counts, to: columns) }
        continue
      }
      for text in current {
        let line = "\(counts) · \(text)"
        if displayWidth(of: line) <= columns { return line }
      }
    }
    let results = "… \(results) · "
    let room = columns - displayWidth(of: results)
    if transfers.allSatisfy(\.isFinished), let text = waiting(columns: room, nameColumns: room) {
      return results + text
    }
    return requestLine(columns: columns)
  }

  /// One line of at most that many columns: the progress of the request, where there is only one.
  package func requestLine(columns: Int) -> String {
    let current = current(columns: columns)
    let lines = (current ?? []).map { "… \($0)" }
    return lines.first { displayWidth(of: $0) <= columns } ?? elided(lines.last ?? "…", to: columns)
  }

  /// The columns without which the name of a request says nothing.
  private static let minColumns = 12

  private var results: String { counted(requests, "request") + (failures > 0 ? ", \(failures) failed" : "") }

  /// - Parameter detail: 0 for files, requests and failures; 1 with the time left, 2 with the files that run, 3 with
  ///   the rate.
  private func counts(detail: Int) -> String {
    var text = "\(finishedFiles) of \(counted(totalFiles, "file"))"
    if detail >= 2, runningFiles > 1 { text += " (\(runningFiles) running)" }
    text += ", \(results)"
    if detail >= 3, let rate = requestsPerSecond { text += ", \(rateText(rate))/s" }
    if detail >= 1, let timeLeft { text += ", \(remainingTimeText(timeLeft)) left" }
    return text
  }

  private func rateText(_ rate: Double) -> String {
    if rate >= 9.95 { return String(Int(min(rate, 1e15).rounded())) }
    let tenths = Int((max(0, rate) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The forms of the text on what is under way, the longest first; nil if nothing is.
  private func current(columns: Int) -> [String]? {
    let nameColumns = max(8, columns / 4)
    let moving = transfers.filter { !$0.isFinished }
    if let longest = moving.max(by: { $0.remainingBytes < $1.remainingBytes }) {
      return longest.texts(nameColumns: nameColumns).map { $0 + more(than: moving.count) }
    }
    return waiting(columns: columns, nameColumns: columns / 2).map { [$0] }
  }

  /// The oldest request in flight; nil if there is none, or no room for it.
  private func waiting(columns: Int, nameColumns: Int) -> String? {
    guard let oldest = running.first else { return nil }
    let round = oldest.round.map { $0 > 1 ? ", round \($0)" : "" } ?? ""
    // A quick request needs no ticking clock.
    let time = oldest.duration < .seconds(1) ? "" : " \(remainingTimeText(oldest.duration))"
    let rest = round + time + more(than: running.count)
    let room = min(columns - displayWidth(of: rest), max(Self.minColumns, nameColumns))
    return room < Self.minColumns ? nil : elided(sanitizedForTerminal(oldest.name), to: room) + rest
  }

  private func more(than count: Int) -> String { count > 1 ? " and \(count - 1) more" : "" }
}

extension RunTransfer {
  /// The number of remaining bytes; for transfers of unknown length, that of transferred ones.
  fileprivate var remainingBytes: Int64 { totalBytes.map { $0 - completedBytes } ?? completedBytes }

  private static let barColumns = 10

  /// The text with and without a bar, such as `↓ name ███░░░░░░░ 6 of 20 MiB (30 %), 2 MiB/s, 9 s left`.
  fileprivate func texts(nameColumns: Int) -> [String] {
    let arrow = direction == .upload ? "↑" : "↓"
    let name = "\(arrow) \(elided(sanitizedForTerminal(name), to: nameColumns))"
    var text = byteCountText(completedBytes)
    var bar: String?
    if let totalBytes {
      text += " of \(byteCountText(totalBytes))"
      if totalBytes > 0 {
        let percent = Double(completedBytes) * 100 / Double(totalBytes)
        text += " (\(Int(percent)) %)"
        let full = Int(min(max(0, percent), 100)) * Self.barColumns / 100
        bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.barColumns - full)
      }
    }
    if let bytesPerSecond, bytesPerSecond < 1e18 {
      text += ", \(byteCountText(Int64(max(0, bytesPerSecond.rounded()))))/s"
    }
    if let timeLeft { text += ", \(remainingTimeText(timeLeft)) left" }
    return (bar.map { ["\(name) \($0) \(text)"] } ?? []) + ["\(name) \(text)"]
  }
}

/// A rounded duration for people: `9 s`, `4 min 30 s`, `2 h 5 min`.
private func remainingTimeText(_ duration: Duration) -> String {
  let seconds = duration.components.seconds
  if seconds < 60 { return "\(seconds) s" }
  if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
  return "\(seconds / 3600) h \(seconds / 60 % 60) min"
}
