import Values

/// The last lines of a run with failures: they name the failed requests, and the files that did not run.
struct FailureList {
  static let limit = 20
  private static let columnLimit = 300

  let style: ConsoleStyle
  let width: Int?

  /// `FAILED users.yaml:109 create a user: status: expected 201, actual 400`; empty without failures.
  func text(_ digest: ProblemDigest<Void>) -> String {
    let (entries, rest) = digest.entries()
    if entries.isEmpty { return "" }
    var text = "\n"
    for entry in entries {
      let problem = entry.problem
      let name = problem.name.map { " \(sanitizedForTerminal($0)):" } ?? ""
      let place = sanitizedForTerminal(problem.place)
      text += lines("FAILED \(place)\(name) \(sanitizedForTerminal(problem.message))", place: place)
      if let others = entry.others({ sanitizedForTerminal($0) }) { text += lines("  … \(others)") }
    }
    if rest > 0 { text += "… and \(rest) more failed\n" }
    return text
  }

  /// `WARNING users.yaml:3: message`; empty without warnings.
  func text(ofWarnings warnings: [Diagnostic]) -> String {
    if warnings.isEmpty { return "" }
    let shown = warnings.prefix(Self.limit).map { warning in
      let text = lines("WARNING \(sanitizedForTerminal(warning.placedMessage))")
      return style.yellow("WARNING") + text.dropFirst("WARNING".count)
    }
    let rest = warnings.count - shown.count
    return "\n" + shown.joined() + (rest > 0 ? "… and \(counted(rest, "more warning"))\n" : "")
  }

  /// - Parameter place: the place behind the first word.
  private func lines(_ text: String, place: String? = nil) -> String {
    let indent = "  "
    let text = elided(text, to: Self.columnLimit)
    var lines = width.map { wrappedLines(text, width: max(20, $0 - indent.utf8.count)) } ?? [text]
    if let place, lines[0].hasPrefix("FAILED \(place)") {
      let rest = lines[0].dropFirst("FAILED \(place)".count)
      lines[0] = "\(style.red("FAILED")) \(style.bold(place))\(rest)"
    }
    return lines.joined(separator: "\n\(indent)") + "\n"
  }
}

extension ProblemDigest.Entry {
  /// `and 60 more like it: b.yaml:3, c.yaml:4, …`; nil without others.
  ///
  /// - Parameter written: the form of a place.
  func others(_ written: (String) -> String) -> String? {
    if alike == 0 { return nil }
    let list = places.map(written).joined(separator: ", ") + (places.count < alike ? ", …" : "")
    return "and \(alike) more like it" + (places.isEmpty ? "" : ": \(list)")
  }
}
