import Values

/// Reads command lines of curl, as shells and browsers write them.
enum CurlImport {
  static let kind = ImportReader(
    extensions: ["curl", "sh", "bash", "zsh", "bat", "cmd"], recognizes: recognizes, read: read)

  private static func recognizes(_ source: ImportSource) -> Bool {
    guard !source.bytes.prefix(4096).contains(0) else { return false }
    let beginning = String(decoding: source.bytes.prefix(1 << 16), as: UTF8.self)
    if otherCommand(source) != nil { return true }
    let isScript = kind.extensions.contains(source.fileExtension) || beginning.hasPrefix("#!")
    for line in beginning.split(whereSeparator: \.isNewline) {
      let line = String(line).trimmed
      let text = line.hasPrefix("$ ") ? line.dropFirst(2) : line[...]
      if text.hasPrefix("curl ") || text.hasPrefix("curl.exe ") { return true }
      if isScript, line.contains("curl ") { return true }
      if !isScript, !line.isEmpty, !line.hasPrefix("#"), !line.contains("=") { return false }
    }
    return false
  }

  /// The name of what browsers copy in place of a command line of curl; nil for anything else.
  private static func otherCommand(_ source: ImportSource) -> String? {
    let text = String(decoding: source.bytes.prefix(1 << 14), as: UTF8.self)
    if text.firstMatch(of: powerShellCommand) != nil {
      return "a command of PowerShell"
    }
    return text.prefixMatch(of: callOfFetch) == nil ? nil : "a call of fetch"
  }

  private static func read(
    _ sources: [ImportSource], _ selection: ImportSelection, _ bag: inout DiagnosticBag
  ) -> ImportedCollection? {
    var collection = ImportedCollection()
    collection.files = collection.read(sources, &bag) { source, bag in
      if let other = otherCommand(source) {
        return source.refused(
          "is \(other)", help: "choose \"Copy as cURL\" in the network tools of the browser", &bag)
      }
      let script = ShellScript(source.text)
      if let quote = script.openQuote {
        source.addError(
          "this quote has no end", at: { _ in quote..<quote + 1 },
          help: "copy the command as a whole, or close the quote", &bag)
        return nil
      }
      var reader = CurlScriptReader()
      reader.read(script)
      guard !reader.requests.isEmpty else {
        return source.refused(
          "has no command line of curl with a URL", help: "write a line such as: curl https://api.example.com/users",
          &bag)
      }
      if reportMisspeltOption(of: reader.requests, in: source, &bag) { return nil }
      var file = ImportedFile(path: [source.stem])
      file.variables = reader.variables
      file.requests = reader.requests
      file.untranslated = reader.untranslated
      return file
    }
    return collection.files.isEmpty ? nil : collection
  }

  /// Reports an option that curl doesn't have, and that differs little from one that it has.
  private static func reportMisspeltOption(
    of requests: [ImportedRequest], in source: ImportSource, _ bag: inout DiagnosticBag
  ) -> Bool {
    for part in requests.flatMap(\.untranslated) where part.reason == CurlOperation.unknownOptions {
      guard part.source.hasPrefix("--"),
        let near = nearestWord(to: String(part.source.dropFirst(2)), among: CurlOption.all.map(\.name))
      else { continue }
      let word = sanitizedForTerminal(part.source)
      source.addError(
        "curl has no option `\(word)`",
        at: { text in
          let places = text.utf8.indices.filter { text.utf8[$0...].starts(with: part.source.utf8) }
          return places.first.map { $0..<$0 + part.source.utf8.count } ?? 0..<0
        }, help: "did you mean `--\(near)`?", &bag)
      return true
    }
    return false
  }
}

extension ShellCommand {
  /// The assignments of a command that consists of them; nil for any other.
  var assignments: [(name: String, value: ImportedText)]? {
    var rest = commandWords
    if let first = rest.first?.literal, ["export", "declare", "local", "readonly", "set"].contains(first) {
      rest = rest.dropFirst().drop { $0.hasPrefix("-") }
    }
    let found = rest.compactMap(\.assignment)
    return !found.isEmpty && found.count == rest.count ? found : nil
  }

  /// The output of a command that only writes its arguments or a file; nil for any other.
  var plainOutput: ShellInput? {
    var rest = arguments
    switch program {
    case "echo":
      var end = "\n"
      while let option = rest.first?.literal, ["-n", "-E", "-e", "-ne", "-en"].contains(option) {
        if option.contains("n") { end = "" }
        if option.contains("e"), rest.dropFirst().contains(where: { $0.source.contains("\\") }) { return nil }
        rest = rest.dropFirst()
      }
      let words = rest.reduce(ImportedText()) { $0.isEmpty ? $1 : $0 + ImportedText(" ") + $1 }
      return .text(words + ImportedText(end))
    case "printf":
      if rest.count == 2, rest.first?.literal == "%s" || rest.first?.literal == "%s\\n" {
        let text = rest.last ?? ImportedText()
        return .text(rest.first?.literal == "%s" ? text : text + ImportedText("\n"))
      }
      guard rest.count == 1, let text = rest.first, !text.source.contains(where: { "\\%".contains($0) }) else {
        return nil
      }
      return .text(text)
    case "cat":
      switch (rest.count, input) {
      case (1, _): return rest.first.map { .file($0) }
      case (0, .text(let text)?): return .text(text)
      case (0, .file(let path)?): return .file(path)
      default: return nil
      }
    default: return nil
    }
  }
}

extension ImportedText {
  /// The words of a function's body, with the arguments of its call in place of `$1` and `$@`.
  func replacingArguments(_ arguments: [ImportedText]) -> [ImportedText] {
    if parts.count == 1, case .unknown(let source) = parts[0],
      let match = source.wholeMatch(of: allArguments)
    {
      return Array(arguments.dropFirst(max(0, (match.output.1.flatMap { Int($0) } ?? 1) - 1)))
    }
    let text = replacingParts { part in
      guard case .unknown(let source) = part,
        let match = source.wholeMatch(of: numberedArgument),
        let number = Int(match.output.1 ?? match.output.2 ?? "")
      else { return nil }
      return number <= arguments.count ? arguments[number - 1] : ImportedText(String(match.output.3 ?? ""))
    }
    return [text]
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let powerShellCommand =
  /(?m)^\s*(?:\$\w+ *= *)?(?:Invoke-(?:WebRequest|RestMethod)|iwr|irm) +-/
nonisolated(unsafe) private let callOfFetch = /\s*(?:await +)?fetch\(["']/
nonisolated(unsafe) private let allArguments = /\$[@*]|\$\{[@*](?::(\d))?\}/
nonisolated(unsafe) private let numberedArgument = /\$([1-9])|\$\{([1-9])(?::?-([^$`"'\\{}]*))?\}/
