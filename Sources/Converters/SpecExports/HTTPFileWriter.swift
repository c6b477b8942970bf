import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Values

extension SpecForm {
  /// Files for the HTTP clients of editors: JetBrains' and httpYac.
  package static let http = files(ending: "http", supports: { HTTPFileWriter.name(of: $0) != nil }) {
    file, words, export in
    var http = HTTPFileWriter(file, words)
    let text = http.text
    export.remarks += http.remarks
    export.files += http.bodies
    return text
  }
}

/// A file for HTTP clients of editors that sends the requests of a spec.
struct HTTPFileWriter {
  private let file: ExportedFile
  private let words: ExportWords
  private let curly: CurlyRendering
  private(set) var remarks: [ExportRemark] = []
  /// The files for bodies that can't stand in it.
  private(set) var bodies: [(name: String, bytes: [UInt8])] = []
  private var captures = KnownCaptures()
  private var values = VariableValues()

  init(_ file: ExportedFile, _ words: ExportWords) {
    (self.file, self.words) = (file, words)
    curly = CurlyRendering(words: words, function: HTTPFileWriter.name)
  }

  @Sendable static func name(of function: ExportFunction) -> String? {
    switch function {
    case .uuid: "$random.uuid"
    case .now: "$isoTimestamp"
    case .timestamp: "$timestamp"
    case .randomInteger(let low, let high): "$random.integer(\(low), \(high + 1))"
    case .randomText(let count): "$random.alphanumeric(\(count))"
    }
  }

  var text: String {
    mutating get {
      var text = "# \(commented(file.heading))\n"
      let environment = file.environment
      if !environment.isEmpty {
        text += "# Put \(environment.joined(separator: ", ")) into http-client.private.env.json.\n"
      }
      let variables = file.sharedVariables()
      if !variables.isEmpty { text += "\n" }
      for variable in variables { text += line(variable) }
      values = VariableValues(variables)
      remarkOnRandom(variables)
      for entry in file.entries {
        switch entry {
        case .request(let request): text += "\n" + self.entry(request)
        case .omission(let label, let reason, _):
          text += "\n### \(commented(label))\n# left out: \(commented(reason))\n"
        }
      }
      return text
    }
  }

  private func line(_ variable: ExportedVariable) -> String {
    "@\(exportedName(variable.name)) = \(curly(variable.value.asText.string).replacing("\n", with: "\\n"))\n"
  }

  /// Remarks on random values that are read more than once, which clients make anew each time.
  private mutating func remarkOnRandom(_ variables: [ExportedVariable]) {
    for variable in variables {
      let values = words.values(in: variable.value.asText.string)
      guard values.contains(where: { if case .function = $0.plain { true } else { false } }) else { continue }
      let readers = file.requests.filter { $0.values.contains { $0.plain == .variable(variable.name) } }
      if readers.count > 1 {
        remarks.add("a random value that several requests read, which clients make anew", readers[1])
      }
    }
  }

  // MARK: a request

  private mutating func entry(_ request: ExportedRequest) -> String {
    var text = "### \(commented(request.label))\n"
    if let reason = unsendable(request) {
      remarks.leaveOut(request, reason)
      return text + "# left out: \(commented(reason))\n"
    }
    var unsaid = request.remarks.map(\.reason)
    func leaveOut(_ reason: String, _ file: inout HTTPFileWriter) {
      file.remarks.add(reason, request)
      unsaid.append(reason)
    }
    for reason in self.unsaid(request) { leaveOut(reason, &self) }
    var script: [String] = []
    let response = ScriptText(curly: curly, client: .editor)
    if let status = request.checks.status { script += response.test("status", response.status(status)) }
    for check in request.checks.checks {
      if let condition = response.condition(check) {
        script += response.test(check.label, condition)
      } else {
        leaveOut("`expect.\(check.key)` in an HTTP client", &self)
      }
    }
    for capture in request.checks.captures {
      if let value = response.value(of: capture) {
        captures.add(capture.name)
        script.append(response.set(exportedName(capture.name), value))
      } else {
        leaveOut("`capture` of \(capture.key) in an HTTP client", &self)
      }
    }
    for reason in Set(unsaid).sorted() { text += "# not exported: \(commented(reason))\n" }
    for variable in values.changed(by: request) { text += line(variable) }
    let resolved = request.request
    if resolved.outgoing.redirects.mode == .none { text += "# @no-redirect\n" }
    if case .none = resolved.session.cookies { text += "# @no-cookie-jar\n" }
    let timeout = request.step.settings.timeout
    if let time = timeout.resource.value?.literal { text += "# @timeout \(Int((time / .seconds(1)).rounded(.up)))\n" }
    if let time = timeout.connect.value?.literal {
      text += "# @connection-timeout \(Int((time / .seconds(1)).rounded(.up)))\n"
    }
    text += "\(resolved.method.rawValue) \(curly.encoding(for: request)(resolved.outgoing.url.string))\n"
    text += headers(request) + body(request)
    if !script.isEmpty { text += "\n> {%\n" + script.map { "  \($0)\n" }.joined() + "%}\n" }
    return text
  }

  private func unsendable(_ request: ExportedRequest) -> String? {
    if let reason = request.obstacle(for: "an HTTP client", after: captures) { return reason }
    switch request.request.credentials {
    case .negotiate?, .netrc?, .password(.ntlm, _, _)?, .awsSigV4?: return "an HTTP client lacks its authentication"
    default: return nil
    }
  }

  private func unsaid(_ request: ExportedRequest) -> [String] {
    let resolved = request.request
    var reasons = request.keysThatClientsLack
    if !resolved.outgoing.options.isPlain { reasons.append("settings of the connection") }
    if resolved.transfer != nil { reasons.append("`download`") }
    if case .text(let text) = resolved.body, ExportWords.hasWord(text.string[...]), text.string.contains("{{") {
      reasons.append("text with `{{`, which the client takes for a variable")
    }
    return reasons + request.linkRemarks(words)
  }

  // MARK: headers and body

  /// Returns whether a text can stand as a body: clients trim it, and read some lines in another way.
  private func fits(_ text: String) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return !text.contains("{{") && text.first?.isWhitespace == false && text.last?.isWhitespace == false
      && !lines.contains { line in ["###", "<", ">", "//", "#"].contains { line.hasPrefix($0) } }
  }

  /// A body in a file of its own.
  private mutating func file(_ bytes: [UInt8], _ request: ExportedRequest) -> String {
    let name = words.bodyName(at: request.place)
    bodies.append((name, bytes))
    return "\n< ./\(name)\n"
  }

  private func headers(_ request: ExportedRequest) -> String {
    var lines = ""
    let resolved = request.request
    for (name, value) in request.headers {
      lines += "\(curly(name)): \(curly(value))\n"
    }
    if resolved.outgoing.headers.values("Authorization").isEmpty {
      switch resolved.credentials {
      case .bearer(let token): lines += "Authorization: Bearer \(curly(token.string))\n"
      case .password(let scheme, let username, let password) where scheme != .ntlm:
        let name = scheme == .basic ? "Basic" : "Digest"
        lines += "Authorization: \(name) \(curly(username.string)) \(curly(password.string))\n"
      default: break
      }
    }
    if !resolved.cookies.isEmpty {
      let pairs = resolved.cookies.map { "\(curly($0.name.string))=\(curly($0.value.string))" }
      lines += "Cookie: \(pairs.joined(separator: "; "))\n"
    }
    return lines
  }

  private mutating func body(_ request: ExportedRequest) -> String {
    let resolved = request.request
    switch resolved.body {
    case .none: return ""
    case .text(let text):
      if !ExportWords.hasWord(text.string[...]), !fits(text.string) {
        return file(Array(text.string.utf8), request)
      }
      return "\n\(curly.encoding(for: request)(text.string))\n"
    case .data(let data): return file(data.bytes, request)
    case .file(let file): return "\n< ./\(file.path.string)\n"
    case .multipart(let parts, _):
      let boundary = ExportedRequest.boundary
      var text = "\n"
      for part in parts {
        var disposition = "form-data; name=\"\(curly(part.name.string))\""
        var content: String
        switch part.content {
        case .text(let value): content = curly(value.string)
        case .data(let data): content = String(decoding: data.bytes, as: UTF8.self)
        case .file(let file):
          disposition += "; filename=\"\(curly(part.filename?.string ?? file.name.string))\""
          content = "< ./\(file.path.string)"
        }
        if case .file = part.content {
        } else if let name = part.filename {
          disposition += "; filename=\"\(curly(name.string))\""
        }
        text += "--\(boundary)\nContent-Disposition: \(disposition)\n"
        if let type = part.type { text += "Content-Type: \(curly(type.string))\n" }
        text += "\n\(content)\n"
      }
      return text + "--\(boundary)--\n"
    }
  }
}
