/// The requests of a `.http` file, as lines: REST Client, the HTTP Client of JetBrains and httpyac have the same form.
struct HTTPFile {
  /// Lines `@name = value`, and the index of the block that each stands in.
  private(set) var variables: [(name: String, value: String, block: Int)] = []
  /// The prefixes of XPaths, from lines `@xpath_ns prefix=URI`.
  private(set) var namespaces: [(name: String, value: String)] = []
  private(set) var blocks: [Block] = []
  /// The paths behind `# @import`.
  private(set) var imports: [String] = []

  /// Mistakes, each with the number of its line.
  private(set) var problems: [(line: Int, message: String, help: String, isWarning: Bool)] = []

  private enum State { case before, head, body, recorded }

  private let lines: [String]
  private var index = 0
  private var state = State.before
  private var block = Block()
  /// The number of the line with which the body begins.
  private var bodyLine = 0

  init(_ text: String) {
    lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
    while index < lines.count {
      let line = lines[index]
      index += 1
      readLine(line)
    }
    finish()
  }

  /// Ends a block. What stands before its request, if it has none, is for the whole file or nothing.
  private mutating func finish() {
    let remarks = takeRemarks()
    if HTTPFile.isOpenJSON(block.body) {
      problems.append((bodyLine, "the JSON that begins here is never closed", "add a closing `}`", true))
    }
    while block.body.last?.trimmed.isEmpty ?? false { block.body.removeLast() }
    let isUsed =
      !block.requestLine.isEmpty || !block.others.isEmpty || !block.before.isEmpty || !block.after.isEmpty
    if isUsed { blocks.append(block) }
    block = Block()
    state = .before
    for line in remarks { readBefore(line) }
  }

  /// Takes the comments and variables at the end of a body, which an empty line divides from it; of a text they are
  /// part.
  private mutating func takeRemarks() -> [String] {
    let type = block.header("content-type")?.lowercased() ?? ""
    if type.hasPrefix("text/") || type.hasPrefix("multipart/") { return [] }
    func isRemark(_ line: String) -> Bool { line.trimmed.isEmpty || comment(line) != nil || variable(line) != nil }
    var start = block.body.lastIndex { !isRemark($0) }.map { $0 + 1 } ?? 0
    while start > 0, start < block.body.count, !block.body[start].trimmed.isEmpty { start += 1 }
    defer { block.body.removeSubrange(start...) }
    return Array(block.body[start...])
  }

  private mutating func readLine(_ line: String) {
    if line.hasPrefix("###") {
      finish()
      block.title = String(line.drop { $0 == "#" }).trimmed
      return
    }
    if state == .recorded || readHandler(line) { return }
    switch state {
    case .before: readBefore(line)
    case .head: readHead(line)
    case .body: readBody(line)
    case .recorded: break
    }
  }

  // MARK: scripts and what follows a request

  /// Reads scripts, files of responses and assertions, which may stand anywhere.
  private mutating func readHandler(_ line: String) -> Bool {
    let isScript = line.hasPrefix("> {%") || line.hasPrefix(">{%")
    if isScript || line.hasPrefix("< {%") || line.hasPrefix("<{%") {
      let script = takeScript(line, until: "%}")
      if isScript { block.after.append(script) } else { block.before.append(script) }
      return true
    }
    if isScriptStart(line) {
      let script = takeScript(line, until: "}}")
      if block.requestLine.isEmpty { block.before.append(script) } else { block.after.append(script) }
      return true
    }
    if line.hasPrefix("?? ") {
      block.assertions.append(String(line.dropFirst(3)).trimmed)
      return true
    }
    guard state != .before else { return false }
    // Names of recorded responses, which the editor adds.
    if line.hasPrefix("<> ") { return true }
    if line.hasPrefix(">> ") || line.hasPrefix(">>! ") {
      block.others.append(Untranslated(reason: "saved responses", source: line))
      return true
    }
    let assertion = line.hasPrefix("> ") ? String(line.dropFirst(2)) : line
    if assertion.hasPrefix("EXPECTED_RESPONSE_") {
      block.assertions.append(assertion)
      return true
    }
    if line.hasPrefix("> "), [".js", ".mjs", ".ts", ".cjs"].contains(where: { line.trimmed.hasSuffix($0) }) {
      block.others.append(Untranslated(reason: "scripts in files", source: line))
      return true
    }
    // The response that httpyac keeps below a request.
    let isResponse = line.hasPrefix("HTTP/1") || line.hasPrefix("HTTP/2")
    if isResponse, line.split(separator: " ").count > 1, line.split(separator: " ")[1].allSatisfy(\.isNumber) {
      state = .recorded
      return true
    }
    return false
  }

  /// Returns whether a line begins a script of httpyac: two braces, and at most the event after them.
  private func isScriptStart(_ line: String) -> Bool {
    guard line.hasPrefix("{{") else { return false }
    let rest = String(line.dropFirst(2)).trimmed
    return rest.isEmpty || (rest.hasPrefix("@") || rest.hasPrefix("+")) && !rest.contains("}")
  }

  /// Takes the lines of a script up to its end; one without an end goes to the end of the file.
  private mutating func takeScript(_ first: String, until end: String) -> String {
    let isInline = end == "%}"
    let start = first.firstRange(of: isInline ? "{%" : "{{")?.upperBound ?? first.startIndex
    let rest = String(first[start...])
    if isInline, let close = rest.firstRange(of: end) { return String(rest[..<close.lowerBound]) }
    var script = isInline ? [rest] : []
    while index < lines.count {
      let line = lines[index]
      index += 1
      if isInline ? line.contains(end) : line.trimmed == end {
        if isInline, let close = line.firstRange(of: end) { script.append(String(line[..<close.lowerBound])) }
        break
      }
      script.append(line)
    }
    return script.joined(separator: "\n")
  }

  // MARK: before a request

  private mutating func readBefore(_ line: String) {
    let text = line.trimmed
    if text.isEmpty { return }
    if text.hasPrefix("/*") {
      readComment(text)
    } else if let comment = comment(text) {
      readComment(comment: comment, line: text)
    } else if text.hasPrefix("@xpath_ns "), let space = variable("@" + text.dropFirst("@xpath_ns ".count)) {
      namespaces.append(space)
    } else if let variable = variable(text) {
      variables.append((variable.name, variable.value, blocks.count))
    } else if text.hasPrefix("import ") || text.hasPrefix("run ") {
      block.others.append(Untranslated(reason: "requests of other files", source: text))
    } else if Self.isTarget(text) {
      block.requestLine = text
      state = .head
    } else {
      readOther(text)
    }
  }

  /// Reads lines that are not a request, up to an empty one.
  private mutating func readOther(_ first: String) {
    var text = [first]
    while index < lines.count, !lines[index].trimmed.isEmpty, !lines[index].hasPrefix("###") {
      text.append(lines[index])
      index += 1
    }
    block.others.append(Untranslated(reason: "text that is not a request", source: text.joined(separator: "\n")))
  }

  /// Reads a comment between `/*` and `*/`.
  private mutating func readComment(_ first: String) {
    var text = [String(first.dropFirst(2))]
    while !(text.last?.contains("*/") ?? true), index < lines.count {
      text.append(lines[index])
      index += 1
    }
    for line in text {
      let line = line.replacing("*/", with: "").trimmed
      if !line.isEmpty { block.comments.append(line) }
    }
  }

  private mutating func readComment(comment: String, line: String) {
    guard comment.hasPrefix("@") else {
      if !comment.isEmpty { block.comments.append(comment) }
      return
    }
    let name = comment.dropFirst().prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    var value = String(comment.dropFirst(1 + name.count)).trimmed
    if value.hasPrefix("=") || value.hasPrefix(":") { value = String(value.dropFirst()).trimmed }
    if name == "import" { imports.append(value) }
    block.tags.append(Tag(name: String(name), value: value, line: line))
  }

  // MARK: requests

  private mutating func readHead(_ line: String) {
    let text = line.trimmed
    if text.isEmpty {
      state = .body
      return
    }
    if block.headers.isEmpty, text.hasPrefix("?") || text.hasPrefix("&") || line.first?.isWhitespace ?? false,
      comment(text) == nil
    {
      block.requestLine += text
    } else if let comment = comment(text) {
      readComment(comment: comment, line: text)
    } else if let first = line.first, first.isWhitespace, !block.headers.isEmpty {
      block.headers[block.headers.count - 1] += " " + text
    } else if Self.isHeader(text) {
      block.headers.append(text)
    } else if Self.isRequestLine(text) {
      next(text)
    } else if let name = Self.headerWithoutColon(text) {
      let value = text.dropFirst(name.count).drop { $0 == " " }
      problems.append((index, "this header has no colon", "write `\(name): \(value)`", false))
    } else if ["GET", "HEAD"].contains(block.requestLine.prefix { !$0.isWhitespace }),
      block.header("content-type") == nil
    {
      block.others.append(Untranslated(reason: "lines that are not headers", source: text))
    } else {
      // httpyac needs no empty line before a body.
      state = .body
      append(line)
    }
  }

  private mutating func readBody(_ line: String) {
    let isAfterBlank = (block.body.last?.trimmed.isEmpty ?? true) && !isMultipart
    if isAfterBlank, Self.isRequestLine(line) {
      next(line.trimmed)
    } else if isAfterBlank, isRemark(line), isFollowedByRequest {
      finish()
      readBefore(line)
    } else if block.body.isEmpty, !block.assertions.isEmpty, let comment = comment(line) {
      readComment(comment: comment, line: line)
    } else if !block.body.isEmpty || !line.trimmed.isEmpty {
      append(line)
    }
  }

  private mutating func append(_ line: String) {
    if block.body.isEmpty { bodyLine = index }
    block.body.append(line)
  }

  /// Indicates a body whose parts may be requests themselves.
  private var isMultipart: Bool {
    block.headers.contains { $0.lowercased().hasPrefix("content-type:") && $0.lowercased().contains("multipart/") }
  }

  /// Begins a request that no `###` separates from the one before.
  private mutating func next(_ line: String) {
    finish()
    block.requestLine = line
    state = .head
  }

  /// Returns whether a line is a comment or a variable; one with text, in a body that has begun, is part of it.
  private func isRemark(_ line: String) -> Bool {
    if line.hasPrefix("# @") || line.hasPrefix("// @") { return true }
    return block.body.isEmpty && (comment(line) != nil || variable(line) != nil)
  }

  /// Returns whether the lines from here up to a request are comments, variables and empty.
  private var isFollowedByRequest: Bool {
    for line in lines[index...].prefix(20) {
      if Self.isRequestLine(line) { return true }
      let text = line.trimmed
      let isRemark = comment(text) != nil || variable(text) != nil
      if !text.isEmpty, !isRemark || text.hasPrefix("###") { return false }
    }
    return false
  }
}
