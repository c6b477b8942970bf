extension ShellCommand {
  /// The JSONPath of a filter of jq, or of Python's `json.load(sys.stdin)`; nil for any other.
  var jsonPath: String? {
    let words = arguments.compactMap(\.literal)
    switch program {
    case "jq": return words.last { !$0.hasPrefix("-") }.flatMap { Self.path(ofJQ: $0) }
    case "python", "python2", "python3": return words.last.flatMap { Self.path(ofPython: $0) }
    default: return nil
    }
  }

  /// Indicates that only the status of the response is written.
  var writesStatus: Bool {
    let words = arguments.compactMap(\.literal)
    return zip(words, words.dropFirst()).contains { option, format in
      ["-w", "--write-out"].contains(option) && (format.contains("%{http_code}") || format.contains("%{response_code}"))
    }
  }

  private static func path(ofJQ filter: String) -> String? {
    let filter = filter.trimmed
    guard filter.hasPrefix("."), !filter.contains(".."), !filter.contains("\""),
      filter.utf8.allSatisfy({ isShellNameByte($0) || ".[]".utf8.contains($0) })
    else { return nil }
    if filter == "." { return "$" }
    return "$" + filter.replacing(".[", with: "[").replacing("[]", with: "[*]")
  }

  /// The path of `print(json.load(sys.stdin)['data'][0]["id"])`.
  private static func path(ofPython program: String) -> String? {
    guard let start = program.firstRange(of: "json.load(sys.stdin)")?.upperBound else { return nil }
    let keys = program[start...].prefix { $0 != ")" }
    var path = "$"
    for step in keys.split(separator: "[") {
      guard let match = step.wholeMatch(of: bracketStep) else { return nil }
      let name = match.output.2 ?? match.output.3
      path += name.map { jsonPathSegment(String($0)) } ?? "[\(match.output.1 ?? "")]"
    }
    return path
  }
}

extension ShellScript {
  /// The variable and the JSONPath of `jq -r .id <<< "$NAME"` and `echo "$NAME" | jq -r .id`; nil for any other script.
  var variablePath: (variable: String, path: String)? {
    guard let index = commands.firstIndex(where: { $0.jsonPath != nil }), let path = commands[index].jsonPath,
      commands[(index + 1)...].allSatisfy({ ["tr", "xargs", "cut"].contains($0.program) })
    else { return nil }
    var input: ImportedText?
    switch commands[index].input {
    case .text(let text)?: input = text
    case .pipe(let source)? where source == index - 1 && index == 1:
      if case .text(let text)? = commands[source].plainOutput { input = text }
    default: break
    }
    guard let input = input?.trimmed, input.parts.count == 1, case .variable(let name) = input.parts[0] else {
      return nil
    }
    return (name, path)
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let bracketStep = /(?:(-?\d+)|'(.+)'|"(.+)")\]/
