import Values

/// A selection of many diagnostics, with a summary of the rest.
package struct DiagnosticDigest {
  /// The number of diagnostics of the same kind that are drawn.
  private static let drawnAlike = 3
  private static let minFolded = 3
  /// The maximum number drawn for one file.
  private static let drawnOfFile = 100
  /// The number up to which they needn't be counted.
  private static let uncounted = 10
  private static let namedPlaces = 10

  /// The diagnostics to draw, in order.
  private var drawn: [Diagnostic] = []
  /// A line for each kind that isn't drawn everywhere, for each file whose diagnostics aren't all drawn, and for the
  /// total.
  private var lines: [String] = []

  package init(_ diagnostics: [Diagnostic]) {
    var kinds: [Kind: [Int]] = [:]
    for (index, diagnostic) in diagnostics.enumerated() { kinds[Kind(diagnostic), default: []].append(index) }
    var folded: Set<Int> = []
    for places in kinds.values where places.count >= Self.drawnAlike + Self.minFolded {
      folded.formUnion(places.dropFirst(Self.drawnAlike))
    }
    var reportedKinds: Set<Kind> = []
    var ofFile: [String: Int] = [:]
    var fullFiles: [String] = []
    for (index, diagnostic) in diagnostics.enumerated() {
      let kind = Kind(diagnostic)
      if folded.contains(index) {
        if reportedKinds.insert(kind).inserted, let all = kinds[kind] {
          lines.append(Self.line(diagnostic, all.dropFirst(Self.drawnAlike).map { diagnostics[$0] }))
        }
        continue
      }
      if let name = diagnostic.range?.source.name {
        ofFile[name, default: 0] += 1
        if ofFile[name] == Self.drawnOfFile + 1 { fullFiles.append(name) }
        if ofFile[name, default: 0] > Self.drawnOfFile { continue }
      }
      drawn.append(diagnostic)
    }
    for name in fullFiles {
      let rest = (ofFile[name] ?? Self.drawnOfFile) - Self.drawnOfFile
      lines.append("\(sanitizedForTerminal(name)): \(rest) more not shown; correct the first ones")
    }
    if let total = Self.total(diagnostics) { lines.append(total) }
  }

  package func text(isColored: Bool, width: Int?) -> String {
    let renderer = DiagnosticRenderer(style: isColored ? .colored : .plain, width: width)
    var text = renderer.render(drawn) + "\n"
    for line in lines { text += "\n\(wrapped(line, to: width))\n" }
    return withoutWorkflowCommands(text)
  }

  /// The common part of diagnostics at different places.
  private struct Kind: Hashable {
    let severity: Severity
    let message: String
    let help: String?

    init(_ diagnostic: Diagnostic) {
      severity = diagnostic.severity
      message = diagnostic.message
      help = diagnostic.help
    }
  }

  private static func line(_ first: Diagnostic, _ rest: [Diagnostic]) -> String {
    let places = rest.prefix(namedPlaces).compactMap { $0.range.map { sanitizedForTerminal($0.location) } }
    let more = rest.count > places.count && !places.isEmpty ? ", …" : ""
    let list = places.isEmpty ? "" : ": \(places.joined(separator: ", "))\(more)"
    return "\(rest.count) more like \"\(sanitizedForTerminal(first.message))\"\(list)"
  }

  private static func total(_ diagnostics: [Diagnostic]) -> String? {
    let errors = diagnostics.filter { $0.severity == .error }
    guard errors.count > uncounted else { return nil }
    let files = Set(errors.compactMap { $0.range?.source.name }).count
    return counted(errors.count, "error") + (files > 0 ? " in \(counted(files, "file"))" : "")
  }
}
