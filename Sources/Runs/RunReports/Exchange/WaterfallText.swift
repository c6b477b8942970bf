import HTTPSemantics

/// The phases of an exchange as bars, one after another.
package struct WaterfallText {
  let style: ConsoleStyle
  let width: Int?

  private static let names = ["name lookup", "connect", "TLS", "waiting", "receiving"]

  package init(style: ConsoleStyle, width: Int?) { (self.style, self.width) = (style, width) }

  /// A line for each phase that took place, and the sum.
  package func text(of timings: ExchangeTimings) -> String {
    var phases: [(name: String, start: Duration, end: Duration)] = []
    var start = Duration.zero
    for (name, end) in zip(Self.names, timings.ends) {
      guard let end, end >= start else { continue }
      phases.append((name, start, end))
      start = end
    }
    let columns = max(10, min(60, (width ?? 80) - 26))
    var text = ""
    for phase in phases {
      let bar = bar(from: phase.start, to: phase.end, of: timings.total, columns)
      text += "\(padded(phase.name, to: 11))  \(bar)  \(roundedDurationText(phase.end - phase.start))\n"
    }
    return text + "\(padded("total", to: 11))  \(String(repeating: " ", count: columns))  "
      + "\(style.bold(roundedDurationText(timings.total)))\n"
  }

  private func bar(from start: Duration, to end: Duration, of total: Duration, _ columns: Int) -> String {
    let whole = max(total / .nanoseconds(1), 1)
    let first = min(columns - 1, Int(start / .nanoseconds(1) / whole * Double(columns)))
    let last = max(first + 1, min(columns, Int((end / .nanoseconds(1) / whole * Double(columns)).rounded())))
    return String(repeating: " ", count: first) + style.cyan(String(repeating: "█", count: last - first))
      + String(repeating: " ", count: columns - last)
  }

  private func padded(_ text: String, to count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - text.count))
  }
}

extension ExchangeTimings {
  /// The ends of all phases in their order, from the start; nil for those that did not take place.
  var ends: [Duration?] { [nameLookup, connect, tls, firstByte, total] }
}
