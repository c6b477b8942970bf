import HTTPSemantics
import RequestSpecs
import SpecExecution
import Values

extension SpecForm {
  /// Scripts for bash, with a command for each request.
  package static let curl = files(ending: "sh", supports: ShellRendering.supports) { file, words, export in
    var script = CurlScriptWriter(file, words)
    let text = script.text
    export.remarks += script.remarks
    return text
  }
}

/// A script for bash that sends the requests of a file by curl.
private struct CurlScriptWriter {
  private let file: ExportedFile
  private let words: ExportWords
  private let shell: ShellRendering
  private(set) var remarks: [ExportRemark] = []
  /// The captures that are needed as JSON.
  private let wantedJSON: Set<String>
  /// The captures that are URLs of requests.
  private let links: Set<String>
  private var captures = KnownCaptures()
  private var values: VariableValues

  init(_ file: ExportedFile, _ words: ExportWords) {
    (self.file, self.words) = (file, words)
    let shared = file.requests.flatMap(\.variables)
    let unsafe = shared.filter { !isUnreserved($0.value.asText.string) }
    shell = ShellRendering(words: words, unsafe: Set(unsafe.map(\.name)))
    let conditions = file.requests.flatMap(\.checks.allChecks).compactMap(JQText.condition)
    let compared = conditions.flatMap { words.values(in: words.placingJSON($0)) }
    wantedJSON = file.capturesAsJSON.union(compared.compactMap(\.captureAsJSON))
    links = Set(
      file.requests.flatMap(\.values).compactMap { value in
        if case .placed(.capture(let name), .link) = value { name } else { nil }
      })
    values = VariableValues(file.sharedVariables())
  }

  var text: String {
    mutating get {
      var body = ""
      var teardown = ""
      for entry in file.entries {
        let text =
          switch entry {
          case .request(let request): self.text(request)
          case .omission(let label, let reason, _): "\n# \(commented(label))\n# left out: \(commented(reason))\n"
          }
        if entry.stage == .teardown { teardown += text } else { body += text }
      }
      var text = "#!/usr/bin/env bash\n# \(commented(file.heading))\nset -euo pipefail\ncd \"$(dirname \"$0\")\"\n"
      let environment = file.environment
      let variables = file.sharedVariables()
      let values = variables.map { shell.word($0.value.asText.string) }
      if values.contains(where: { $0.contains("$(uuid)") }) { text += CurlScriptFunctions.uuid }
      if !environment.isEmpty || !variables.isEmpty { text += "\n" }
      text += environment.map { "\($0)=${\($0):?}\n" }.joined()
      text += zip(variables, values).map { "\($0.name)=${\($0.name)-\($1)}\n" }.joined()
      text += "\n" + CurlScriptFunctions.frame
      let own = body + teardown
      for function in CurlScriptFunctions.all where function.uses.contains(where: { own.contains($0) }) {
        if function.definition != CurlScriptFunctions.uuid || !text.contains(function.definition) {
          text += function.definition
        }
      }
      if !teardown.isEmpty {
        let lines = teardown.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        text += "\nteardown() {\n  set +eu\n" + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
        text += "  rm -r \"$scratch\"\n}\ntrap teardown EXIT\n"
      }
      return text + body
    }
  }

  // MARK: a request

  private mutating func text(_ request: ExportedRequest) -> String {
    var text = "\n# \(commented(request.label))\n"
    if let reason = unsendable(request) {
      remarks.leaveOut(request, reason)
      return text + "# left out: \(commented(reason))\n"
    }
    var unsaid = request.remarks.map(\.reason)
    for variable in values.changed(by: request) {
      text += "\(variable.name)=\(shell.word(variable.value.asText.string))\n"
    }
    var command = CurlCommand(request: request.request, jarCookies: [], registry: SecretRegistry())
    command.isOpen = true
    command.quoted = shell.word
    var line = command.text
    if let place = line.firstRange(of: "curl ") {
      line.replaceSubrange(place, with: "curl\(CurlScriptWriter.limits(request)) ")
    }
    if case .none = request.request.session.cookies { line = "cookies=/dev/null \(line)" }
    var checks: [String] = []
    for check in request.checks.checks {
      if let condition = condition(check) {
        checks.append(condition)
      } else {
        unsaid.append("`expect.\(check.key)` in a script")
        remarks.add(unsaid.last ?? "", request)
      }
    }
    let isDownload = if case .download? = request.request.transfer { true } else { false }
    for reason in Set(unsaid).sorted() { text += "# not exported: \(commented(reason))\n" }
    if request.checks.expectsFailure {
      return text + "if \(line); then\n  echo \"expected a failure of the exchange\" >&2\n  exit 1\nfi\n"
    }
    text += loop(isDownload ? "command \(line)" : line, request, checks)
    if isDownload { return text }
    if let status = request.checks.status { text += "expect \(CurlScriptWriter.patterns(status.ranges))\n" }
    text += checks.map { "check \($0)\n" }.joined()
    for capture in request.checks.captures { text += self.text(capture, request) }
    return text
  }

  private func unsendable(_ request: ExportedRequest) -> String? {
    if let reason = captures.obstacle(for: request) { return reason }
    switch request.request.transfer {
    case .stream?: return "a script reads no streams"
    case .hls?: return "a script reads no playlists"
    case .upload(let upload)? where upload.segments != nil: return "a script sends no segments"
    case .upload?, .download?, nil: return nil
    }
  }

  /// The command, again and again if the request waits for something.
  private mutating func loop(_ line: String, _ request: ExportedRequest, _ checks: [String]) -> String {
    guard let poll = request.step.poll else { return line + "\n" }
    let interval = poll.interval?.literal ?? .milliseconds(500)
    let seconds = interval / .seconds(1)
    let timeout = (poll.timeout?.literal ?? .seconds(30)) / .seconds(1)
    let count = poll.attempts?.literal ?? max(1, Int(min(timeout / max(seconds, 0.01), 10_000).rounded(.up)))
    let until = request.checks.until
    var conditions = until?.checks.compactMap { condition($0) } ?? checks
    if let status = until == nil ? request.checks.status : until?.status {
      conditions.insert("status \(CurlScriptWriter.patterns(status.ranges))", at: 0)
    }
    // Without a condition that a script can check, it is sent once.
    guard !conditions.isEmpty else { return line + "\n" }
    let tests = conditions.map { $0.hasPrefix("status ") ? "(expect \($0.dropFirst(7))) 2>/dev/null" : "holds \($0)" }
    return "for _ in {1..\(count)}; do\n  \(line)\n  \(tests.joined(separator: " && ")) && break\n"
      + "  sleep \(CurlScriptWriter.text(seconds))\ndone\n"
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && seconds < 1e9 ? String(Int(seconds)) : String(seconds)
  }

  /// The options of curl for `timeout` and `retry`.
  private static func limits(_ request: ExportedRequest) -> String {
    let timeout = request.step.settings.timeout
    var words = ""
    if let time = timeout.connect.value?.literal { words += " --connect-timeout \(text(time / .seconds(1)))" }
    if let time = timeout.resource.value?.literal { words += " --max-time \(text(time / .seconds(1)))" }
    return words + retrying(request)
  }

  private static func retrying(_ request: ExportedRequest) -> String {
    guard let retry = request.step.settings.repetition?.retry, request.step.retry != nil else { return "" }
    let count = max(0, (retry.attempts.value?.literal ?? 3) - 1)
    let pause =
      (retry.interval.value?.literal).map { " --retry-delay \(Int(max(1, ($0 / .seconds(1)).rounded())))" } ?? ""
    return " --retry \(count)\(pause) --retry-all-errors"
  }

  private static func patterns(_ ranges: [Range<Int>]) -> String {
    ranges.flatMap { range -> [String] in
      if range.lowerBound % 100 == 0, range.count % 100 == 0 {
        return stride(from: range.lowerBound / 100, to: range.upperBound / 100, by: 1).map { "\($0)xx" }
      }
      return range.prefix(100).map(String.init)
    }.joined(separator: " ")
  }

  // MARK: checks and captures

  private func condition(_ check: ExportedCheck) -> String? {
    guard let condition = JQText.condition(check) else { return nil }
    return shell.word(words.placingJSON(condition))
  }

  private mutating func text(_ capture: ExportedCapture, _ request: ExportedRequest) -> String {
    let name = exportedName(capture.name)
    switch capture.source {
    case .value(let text):
      captures.add(capture.name)
      return "\(name)=\(shell.word(text))\n"
    case .subject(let subject, let filters):
      guard var source = source(of: subject, hasDefault: capture.standard != nil) else {
        remarks.add("`capture` of \(capture.key) in a script", request)
        return "# not exported: the capture \(commented(name))\n"
      }
      captures.add(capture.name)
      for filter in filters {
        switch filter {
        case .regex(let pattern): source += " | match \(quotedForShell(pattern))"
        case .integer, .number: break
        case .first: source = source.replacing("jq -cer '[", with: "jq -er 'first(").replacing("]' ", with: ")' ")
        }
      }
      if links.contains(capture.name) { source = "absolute \"$(\(source))\"" }
      var text = "\(name)=$(\(source))\n"
      if let standard = capture.standard {
        text = "\(name)=$(\(source) || true)\n\(name)=${\(name):-\(quotedForShell(standard))}\n"
      }
      if wantedJSON.contains(capture.name), case .json(let path) = subject, filters.isEmpty {
        if let (filter, isSingular) = JQText.path(path) {
          text += "\(name)_json=$(jq -c \(quotedForShell(isSingular ? filter : "[\(filter)]")) \"$scratch/body\")\n"
        }
      } else if wantedJSON.contains(capture.name) {
        text += "\(name)_json=$(jq -Rn --arg value \"$\(name)\" '$value')\n"
      }
      return text
    }
  }

  /// The command that prints a value; nil if a script has no such thing.
  private func source(of subject: ExportedSubject, hasDefault: Bool) -> String? {
    switch subject {
    case .status: return "sed -n 1p \"$scratch/status\""
    case .url: return "sed -n 2p \"$scratch/status\""
    case .body: return "cat \"$scratch/body\""
    case .bytes: return "wc -c <\"$scratch/body\" | tr -d ' '"
    case .header(let name): return "header \(shell.word(name))"
    case .cookie(let name, .value): return "cookie \(shell.word(name))"
    case .json(let path):
      guard let (filter, isSingular) = JQText.path(path) else { return nil }
      return isSingular
        ? "jq -er \(shell.word(filter)) \"$scratch/body\"" : "jq -cer \(shell.word("[\(filter)]")) \"$scratch/body\""
    default: return nil
    }
  }
}
