import Values

/// Reads the commands of a script: those of curl, and what others give them.
struct CurlScriptReader {
  private(set) var requests: [ImportedRequest] = []
  private(set) var variables: [ImportedVariable] = []
  private(set) var untranslated: [Untranslated] = []
  private var jars: Set<String> = []
  /// The requests whose whole bodies variables have.
  private var bodies: [String: Int] = [:]
  /// The bodies of functions by their names, and those that are called.
  private var functions: [String: String] = [:]
  private var called: Set<String> = []
  /// The number of bytes of functions that may still be read.
  private var budget = 1 << 20
  private var export: CurlExportReader?
  /// The maximum number of URLs of a command, with those of ranges and alternatives.
  private static let maxURLs = 100

  /// Commands that only show, filter or wait, and the ends of loops and conditions.
  private static let harmless: Set<String> = [
    "awk", "cat", "cd", "clear", "cut", "done", "echo", "else", "esac", "exit", "fi", "grep", "head", "jq", "less",
    "more", "pause", "printf", "pwd", "rm", "sed", "set", "setlocal", "shopt", "sleep", "sort", "tail", "tee", "tr",
    "true", "wc", "xargs", "xmllint", "}", "mkdir", "trap",
  ]
  private static let conditions: Set<String> = ["[", "[[", "case", "for", "function", "select", "test"]

  /// Reads all commands.
  ///
  /// - Parameter depth: the number of substitutions around the script.
  mutating func read(_ script: ShellScript, depth: Int = 0) {
    functions.merge(script.functions) { $1 }
    if depth == 0, CurlExportReader.isExport(script) { export = CurlExportReader() }
    var last: [ShellCommand] = []
    for (index, command) in script.commands.enumerated() {
      if command.program == "trap", let name = command.arguments.first?.literal, functions[name] != nil {
        last.append(ShellCommand(words: [ImportedText(name)]))
      } else if command.program == "curl" {
        read(command, of: script)
      } else if export?.read(command, &requests, &variables) ?? false {
        continue
      } else if let name = command.program, functions[name] != nil, depth < 4 {
        call(name, command, depth)
      } else if let assignments = command.assignments {
        for (name, value) in assignments { assign(name, value, depth, comments: command.comments) }
      } else if !isHarmless(command, index, in: script) {
        let isCondition = command.program.map(Self.conditions.contains) ?? false
        let reason = isCondition ? "conditions and loops" : "commands other than curl"
        untranslated.remark(reason, command.source)
      }
    }
    for command in last { if let name = command.program { call(name, command, depth) } }
    if depth == 0 {
      removeUnreadBodies()
      for (name, body) in functions.sorted(by: { $0.key < $1.key })
      where export == nil && !called.contains(name) && body.contains("curl ") {
        untranslated.remark("functions that are not called", "\(name)() {\(body)}")
      }
    }
  }

  /// Reads the body of a function, with the arguments of its call.
  private mutating func call(_ name: String, _ command: ShellCommand, _ depth: Int) {
    guard let body = functions[name], budget > body.utf8.count else { return }
    budget -= body.utf8.count
    called.insert(name)
    var script = ShellScript(body)
    let arguments = Array(command.arguments)
    for index in script.commands.indices {
      script.commands[index].words = script.commands[index].words.flatMap { $0.replacingArguments(arguments) }
      if index == 0 { script.commands[index].comments = command.comments + script.commands[index].comments }
    }
    read(script, depth: depth + 1)
  }

  private func isHarmless(_ command: ShellCommand, _ index: Int, in script: ShellScript) -> Bool {
    guard let program = command.program else { return true }
    if Self.harmless.contains(program) { return true }
    if case .pipe? = command.input, command.jsonPath != nil { return true }
    // The remark on one that feeds curl is where its output would be sent.
    let next = index + 1
    guard script.commands.indices.contains(next), case .pipe(index)? = script.commands[next].input else { return false }
    return script.commands[next].program == "curl"
  }

  // MARK: variables

  private mutating func assign(_ name: String, _ value: ImportedText, _ depth: Int, comments: [String]) {
    if let inner = value.substitution {
      let script = ShellScript(inner)
      if let (variable, path) = script.variablePath, let index = bodies[variable] {
        return requests[index].captures.set(name, .text(path))
      }
      if depth < 4, let index = script.commands.firstIndex(where: { $0.program == "curl" }) {
        return assign(name, script, index, depth, comments: comments)
      }
    }
    let known = value.withKnownSubstitutions
    if known.hasUnknown { return untranslated.remark("values of other commands", "\(name)=\(value.source)") }
    variables.replace(with: [ImportedVariable(name: name, value: .text(known))])
  }

  /// Captures what a script makes of the output of its command at an index, which is curl.
  private mutating func assign(
    _ name: String, _ script: ShellScript, _ index: Int, _ depth: Int, comments: [String]
  ) {
    let count = requests.count
    read(script, depth: depth + 1)
    guard requests.count > count else { return }
    requests[count].comments = comments + requests[count].comments
    capture(name, script.commands[(index + 1)...], of: script.commands[index])
  }

  /// Captures the output of curl, after the commands that filter it.
  private mutating func capture(_ name: String, _ filters: ArraySlice<ShellCommand>, of command: ShellCommand) {
    let last = requests.count - 1
    var source = ImportedValue.text("body")
    bodies[name] = last
    if command.writesStatus {
      source = .text("status")
      bodies[name] = nil
    }
    for filter in filters {
      if let path = filter.jsonPath {
        source = .text(path)
        bodies[name] = nil
      } else if !["cat", "cut", "head", "tee", "tr", "xargs"].contains(filter.program) {
        requests[last].remark("filters of responses", filter.source)
      }
    }
    requests[last].captures.set(name, source)
    variables.removeAll { $0.name == name }
  }

  /// Removes captures of whole bodies that only jq has read.
  private mutating func removeUnreadBodies() {
    if bodies.isEmpty { return }
    let read = Set(requests.flatMap(\.readVariables))
    for (name, index) in bodies where !read.contains(name) && requests[index].captures.count > 1 {
      requests[index].captures.removeAll { $0.key == name }
    }
  }

  // MARK: requests

  private mutating func read(_ command: ShellCommand, of script: ShellScript) {
    let arguments = export?.resolved(Array(command.arguments)) ?? Array(command.arguments)
    var words = arguments.map(\.withKnownSubstitutions)[...]
    if words.contains(where: { ["-V", "--version", "-h", "--help", "-M", "--manual"].contains($0.literal) }) { return }
    // A closing brace or bracket of the shell is not a URL.
    while let last = words.last?.literal, ["}", "]", "]]"].contains(last) { words = words.dropLast() }
    var found: [ImportedRequest] = []
    let operations = CurlOperation.all(in: words)
    if operations.contains(where: \.isContradictory) {
      untranslated.remark("command lines that curl rejects", command.source)
      return
    }
    for operation in operations {
      if operation.urls.isEmpty {
        untranslated.remark("command lines without a URL", command.source)
        continue
      }
      found += requests(of: operation, input: input(of: command, in: script), command)
      for argument in operation.arguments where argument.option.name == "cookie-jar" {
        if let path = argument.value.literal { jars.insert(path) }
      }
    }
    if !found.isEmpty { found[0].comments = command.comments }
    if let composed = export?.begin(found[...], of: command) { found = composed }
    requests += found
  }

  private mutating func requests(
    of operation: CurlOperation, input: ShellInput?, _ command: ShellCommand
  ) -> [ImportedRequest] {
    var requests: [ImportedRequest] = []
    for (index, url) in operation.urls.enumerated() {
      if let scheme = url.literal?.firstRange(of: "://").map({ url.source[..<$0.lowerBound].lowercased() }),
        !["http", "https"].contains(scheme)
      {
        untranslated.remark("protocols other than HTTP", command.source)
        continue
      }
      let free = Self.maxURLs - requests.count
      let globs = operation.has("globoff") ? [url] : CurlGlob.expanded(url, limit: free + 1)
      let upload = operation.uploads.indices.contains(index) ? operation.uploads[index] : nil
      for url in globs.prefix(free) {
        var request = CurlReading(operation, url: url, upload: upload, input: input, jars: jars).request
        // The first one has the remarks on what has no form in all.
        if !requests.isEmpty { request.untranslated = [] }
        requests.append(request)
      }
      if globs.count > free {
        requests[requests.count - 1].remark("URLs after the first \(Self.maxURLs) of a command", url.source)
        break
      }
    }
    return requests
  }

  // MARK: standard input

  private func input(of command: ShellCommand, in script: ShellScript) -> ShellInput? {
    switch command.input {
    case nil: return nil
    case .file(let path)?: return .file(path)
    case .text(let text)?: return .text(text)
    case .pipe(let index)?:
      guard script.commands.indices.contains(index) else { return nil }
      return script.commands[index].plainOutput ?? .unknown(script.commands[index].source)
    }
  }
}
