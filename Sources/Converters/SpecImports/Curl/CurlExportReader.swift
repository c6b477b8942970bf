import Values

/// Reads the commands of scripts of `reqrun export curl` that are none of curl: checks, captures and loops.
struct CurlExportReader {
  /// The variables with a value as JSON, by their names.
  private var aliases: [String: String] = [:]
  /// The values that variables have from the next request on, and the comments before it.
  private var variables: [ImportedVariable] = []
  private var comments: [String] = []
  /// A loop that waits for something, and what it waits for.
  private var poll: (attempts: Int, interval: String?, until: ShellExpectations)?
  /// The expectations of the last request.
  private var expectations = ShellExpectations()

  /// Returns whether a script has the functions of an export.
  static func isExport(_ script: ShellScript) -> Bool {
    script.functions["curl"]?.contains("--output \"$scratch/body\"") ?? false
  }

  /// The words of a command, with values of functions, and without names for values as JSON.
  func resolved(_ words: [ImportedText]) -> [ImportedText] {
    words.map { word in
      word.replacingParts { part in
        switch part {
        case .variable(let name): aliases[name].map { ImportedText(.variable($0)) }
        case .unknown(let source): Self.function(source).map { ImportedText($0) }
        default: nil
        }
      }
    }
  }

  private static func function(_ source: String) -> ImportedText.Part? {
    if source == "$(uuid)" { return .expression("uuid") }
    if source.hasPrefix("$(date -u +%Y-") { return .expression("now") }
    if let match = source.wholeMatch(of: encodedVariable) {
      return .expression("url_encode({{\(match.output.1)}})")
    }
    if let match = source.wholeMatch(of: randomNumber),
      let count = Int(match.output.1), case let low = match.output.2.flatMap({ Int($0) }) ?? 0
    {
      return .expression("random_int(\(low), \(low + count - 1))")
    }
    if let match = source.wholeMatch(of: randomText) {
      return .expression("random_string(\(match.output.1))")
    }
    return nil
  }

  // MARK: requests

  /// Gives new requests what stands before their command.
  mutating func begin(_ requests: ArraySlice<ImportedRequest>, of command: ShellCommand) -> [ImportedRequest] {
    expectations = ShellExpectations()
    var result = Array(requests)
    for index in result.indices {
      let lines = comments + command.comments
      // The label is the last line that gives no reason.
      let label = lines.lastIndex { !$0.hasPrefix("not exported: ") && !$0.hasPrefix("left out: ") }
      result[index].comments = lines.indices.filter { $0 != label }.map { lines[$0] }
      if let label, lines[label].wholeMatch(of: methodAndPath) == nil { result[index].name = lines[label] }
      let read = result[index].readVariables
      result[index].variables = variables.filter { read.contains($0.name) }
      if command.words.first?.assignment?.name == "cookies" {
        result[index].settings.set(session: .cookies, .text("none"))
      }
      if command.words.first?.literal == "if" {
        result[index].remark("expected failures", "the command must fail")
      }
    }
    comments = []
    return result
  }

  /// Reads a command; returns whether it is one of an export.
  mutating func read(_ command: ShellCommand, _ requests: inout [ImportedRequest], _ shared: inout [ImportedVariable])
    -> Bool
  {
    let arguments = Array(resolved(Array(command.arguments)))
    switch command.program {
    case "expect":
      let patterns = arguments.compactMap(\.literal)
      if poll != nil { poll?.until.add(status: patterns) } else { expectations.add(status: patterns) }
    case "check", "holds":
      guard let condition = arguments.first else { return true }
      let isKnown =
        command.program == "holds"
        ? poll?.until.add(condition: condition) ?? false : expectations.add(condition: condition)
      if !isKnown, let last = requests.indices.last { requests[last].remark("checks by jq", condition.source) }
    case "for":
      let count = command.source.firstMatch(of: countedBraces).flatMap { Int($0.output.1) }
      poll = (count ?? 1, nil, ShellExpectations())
      comments = command.comments
    case "sleep": poll?.interval = arguments.first?.literal
    case "done": endPoll(&requests)
    case "break", "touch", "return", "exit", "then", "fi", "echo", "rm", "trap", "set", "cd", "true": break
    case nil: return read(assignmentsOf: command, &requests, &shared)
    default: return false
    }
    if let last = requests.indices.last { requests[last].expect = expectations.members }
    return true
  }

  private mutating func endPoll(_ requests: inout [ImportedRequest]) {
    guard let poll, let last = requests.indices.last else { return }
    self.poll = nil
    var members: [(key: String, value: ImportedValue)] = [("attempts", .integer(poll.attempts))]
    if let interval = poll.interval { members.append(("interval", .text("\(interval)s"))) }
    if !poll.until.members.isEmpty { members.append(("until", .mapping(poll.until.members))) }
    requests[last].settings.set(.poll, .mapping(members))
  }

  // MARK: variables

  private mutating func read(
    assignmentsOf command: ShellCommand, _ requests: inout [ImportedRequest], _ shared: inout [ImportedVariable]
  ) -> Bool {
    guard command.words.count == 1, let (name, value) = command.words[0].assignment else { return false }
    if name == "scratch" || name == "includes" { return true }
    let last = requests.indices.last
    // `name=${name:?}` is read from the environment, `name=${name-value}` too, but has a value.
    if value.parts == [.variable(name)] { return true }
    if let match = command.source.wholeMatch(of: assignmentWithDefault), match.output.2 == name {
      let value = ImportedValue.text(resolved([BashReader.word(String(match.output.4))])[0])
      if match.output.3.isEmpty {
        shared.append(ImportedVariable(name: name, value: value))
        return true
      }
      if let last, let capture = requests[last].captures.first(where: { $0.key == name })?.value {
        requests[last].captures.set(name, capture.with("default", value))
        return true
      }
    }
    guard let script = value.substitution else {
      let value = resolved([value])[0]
      // Those of a request follow its label.
      if !command.comments.isEmpty || !comments.isEmpty || last == nil {
        comments += command.comments
        variables.replace(with: [ImportedVariable(name: name, value: .text(value))])
      } else if let last {
        requests[last].captures.set(name, .mapping([("value", .text(value))]))
      }
      return true
    }
    if name.hasSuffix("_json"), script.hasPrefix("jq -") {
      aliases[name] = String(name.dropLast("_json".count))
      return true
    }
    guard let source = Self.source(script, depth: 0), let last else { return false }
    requests[last].captures.set(name, source)
    return true
  }

  /// The capture that a substitution takes from the last response.
  private static func source(_ script: String, depth: Int) -> ImportedValue? {
    let commands = ShellScript(script).commands
    guard let first = commands.first, depth < 3 else { return nil }
    let words = first.arguments.map { $0.literal ?? "" }
    var source: ImportedValue
    switch first.program {
    case "jq":
      guard let path = ShellExpectations.path(words.first { !$0.hasPrefix("-") } ?? "") else { return nil }
      source = .text(path)
    case "header": source = .mapping([("header", .text(words.first ?? ""))])
    case "cookie": source = .mapping([("cookie", .text(words.first ?? ""))])
    case "sed": source = .text(words.contains("1p") ? "status" : "url")
    case "cat": source = .text("body")
    case "wc": source = .text("bytes")
    case "absolute":
      guard let inner = first.arguments.first?.substitution, let found = self.source(inner, depth: depth + 1) else {
        return nil
      }
      source = found
    default: return nil
    }
    for filter in commands.dropFirst() where filter.program == "match" {
      source = source.with("regex", .text(filter.arguments.first?.literal ?? ""))
    }
    return source
  }
}

extension ImportedValue {
  /// A capture with a word beside its source.
  fileprivate func with(_ key: String, _ value: ImportedValue) -> ImportedValue {
    var members = self.members ?? []
    if self.members == nil, case .node(let node) = self, let source = node.scalar?.text {
      members = [source.hasPrefix("$") ? ("json", self) : (source, .bool(true))]
    }
    members.set(key, value)
    return .mapping(members)
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let methodAndPath = /[A-Z]+ \S+/
nonisolated(unsafe) private let countedBraces = /\{1\.\.(\d{1,9})\}/
nonisolated(unsafe) private let assignmentWithDefault = /(\w+)=\$\{(\w+)(:?)-((?s:.*))\}/
nonisolated(unsafe) private let encodedVariable = /\$\(encode "\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?"\)/
nonisolated(unsafe) private let randomNumber = /\$\(\(RANDOM % (\d{1,9})(?: \+ (-?\d{1,9}))?\)\)/
nonisolated(unsafe) private let randomText = /\$\(head -c \d+ \/dev\/urandom .* cut -c 1-(\d{1,3})\)/
