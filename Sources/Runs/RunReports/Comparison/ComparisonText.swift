import Values

extension ReportComparison {
  private static let limit = 100

  /// The differences for people.
  package func text(isColored: Bool) -> String {
    let style = ConsoleStyle(isColored: isColored)
    var text = ""
    for kind in [Kind.failing, .slower, .shape, .gone, .new, .fixed] {
      guard let found = differences[kind] else { continue }
      text += "\(heading(kind, found.count, style)):\n"
      for difference in found.prefix(ReportComparison.limit) {
        let request = difference.request
        let place = "\(sanitizedForTerminal(request.path)):\(request.line)"
        let remark = difference.remark.isEmpty ? "" : ": \(sanitizedForTerminal(difference.remark))"
        text += "  \(style.bold(place))  \(elided(sanitizedForTerminal(request.name) + remark, to: 300))\n"
      }
      if found.count > ReportComparison.limit { text += "  … and \(found.count - ReportComparison.limit) more\n" }
      text += "\n"
    }
    return withoutWorkflowCommands(text + summary)
  }

  private func heading(_ kind: Kind, _ count: Int, _ style: ConsoleStyle) -> String {
    switch kind {
    case .failing: style.red("\(counted(count, "newly failing request"))")
    case .fixed: style.green("\(counted(count, "fixed request"))")
    case .slower: style.yellow("\(counted(count, "slower request"))")
    case .shape: style.yellow("\(counted(count, "changed response"))")
    case .new: "\(counted(count, "new request"))"
    case .gone: style.yellow("\(counted(count, "request")) that did not run again")
    }
  }

  private var summary: String {
    let counts = [
      ("newly failing", Kind.failing), ("fixed", .fixed), ("slower", .slower), ("changed", .shape), ("new", .new),
      ("gone", .gone),
    ].compactMap { word, kind in differences[kind].map { "\($0.count) \(word)" } }
    var text = "\(counted(compared, "request")) compared: "
    text += counts.isEmpty ? "no differences" : counts.joined(separator: ", ")
    if stillFailing > 0 { text += " · \(stillFailing) still failing" }
    if tooLong > 0 { text += " · \(counted(tooLong, "response")) too long to compare" }
    return text + "\n"
  }
}
