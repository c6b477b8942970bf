import RequestSpecs
import Values

/// Writes a Locust project: a user class for each file.
package struct LocustProject {
  private let values: LoadValues
  private var export = SpecExport()
  private var classes: [String] = []
  private var names = UniqueNames()
  private var bodies: [(name: String, bytes: [UInt8])] = []
  private var tables = 0

  /// - Parameter remarks: the remarks on what was not played, before those on the files.
  package static func export(_ files: [LoadFile], values: LoadValues, remarks: [ExportRemark]) -> SpecExport {
    var project = LocustProject(values: values)
    for file in files where !file.requests.isEmpty { project.add(file) }
    return project.finished(remarks)
  }

  private init(values: LoadValues) { self.values = values }

  private mutating func finished(_ remarks: [ExportRemark]) -> SpecExport {
    export.environment = values.environment
    export.remarks = values.problems + remarks + export.remarks
    let header = """
      \"\"\"Users that play specs of reqrun: one class for each file. Made by `reqrun export locust`.\"\"\"

      import random
      import uuid
      from functools import partial

      from locust import constant, tag, task

      from reqrun_load import (
          ENCODINGS, SpecUser, as_json, basic, data, env, in_json, in_path, in_query, once, resolved, secret_rows,
          text,
      )



      """
    let script = header + classes.joined(separator: "\n\n")
    export.files.insert(("locustfile.py", Array(script.utf8)), at: 0)
    export.files.insert(("reqrun_load.py", LocustRuntime.bytes), at: 1)
    export.files += bodies
    export.files.append(("requirements.txt", Array("brotli\nlocust>=2.20\nzstandard\n".utf8)))
    export.files.append(("README.md", Array(readme.utf8)))
    return export
  }

  private var readme: String {
    var text = """
      # Load by Locust

      ```sh
      pip install -r requirements.txt
      locust --headless --users 10 --run-time 1m                 # on one machine
      locust --master --headless --users 1000 --expect-workers 2 # on several: this one leads,
      locust --worker --master-host MASTER                       # these send
      ```

      Each class in `locustfile.py` plays one file: its setup, its requests and its teardown, one after another, again and
      again. A request that fails ends its run of the file. `--tags` selects classes by the tags of their files.

      """
    if !export.environment.isEmpty {
      text += "\nSecrets are read from these environment variables, on each worker:\n\n"
      text += export.environment.map { "- `\($0)`\n" }.joined()
    }
    if !export.remarks.isEmpty {
      text +=
        "\nParts of the specs that the users leave out or play in another way:\n\n"
        + export.remarks.map { "- \(sanitizedForTerminal($0.text))\n" }.joined()
    }
    return text
  }

  // MARK: Files

  private mutating func add(_ file: LoadFile) {
    let stem = file.path.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? "users"
    let name = names.name(
      PythonText.name(String(stem)).split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        + "User")
    let outer = names
    names = UniqueNames(LocustRuntime.names)
    defer { names = outer }
    let host = file.requests.first.map { LocustProject.origin(of: $0.resolved.outgoing.url.string) }
    var play = LocustPlay()
    for need in file.needs {
      let calls = need.requests.compactMap { add($0, to: &play) }
      let key = [PythonText.quoted(need.path), need.name.map(PythonText.quoted) ?? "None"]
      play.begin.append("self.need(v, \((key + calls).joined(separator: ", ")))")
    }
    var index = file.requests.startIndex
    while index < file.requests.endIndex {
      let first = file.requests[index]
      var end = index + 1
      // The requests of a used file run together.
      while end < file.requests.endIndex, first.isPlayed(with: file.requests[end]) { end += 1 }
      let run = file.requests[index..<end]
      index = end
      var calls = run.compactMap { add($0, to: &play) }
      if let use = first.use, !calls.isEmpty {
        let outputs = use.outputs.map { "\(PythonText.quoted($0.name)): \(PythonText.quoted($0.capture))" }
        calls = ["partial(self.use, {\(outputs.joined(separator: ", "))}, [\(calls.joined(separator: ", "))])"]
      }
      if let rows = first.rows, !calls.isEmpty { calls = [each(rows, calls, run, of: file)] }
      play.add(calls, isTeardown: first.step.stage == .teardown, isOfFlow: first.isOfFlow)
    }
    guard !play.isEmpty else { return }
    let title = file.name.map { "\(file.path): \($0)" } ?? file.path
    var text = "class \(name)(SpecUser):\n    \(PythonText.quoted(title))\n\n"
    text += "    host = \(PythonText.quoted(host ?? "http://localhost"))\n"
    text += "    wait_time = constant(0)\n    weight = \(file.weight)\n\n"
    if !file.tags.isEmpty { text += "    @tag(\(file.tags.map(PythonText.quoted).joined(separator: ", ")))\n" }
    text += play.text(rowsOfFlow: file.rowsOfFlow.map { rows(of: $0, in: file) })
    classes.append(text + "\n" + play.methods.joined(separator: "\n"))
  }

  /// Adds the method for a request, and returns its name; nil if it can't be sent.
  private mutating func add(_ request: LoadFile.Request, to play: inout LocustPlay) -> String? {
    var method = LocustMethod(request, values: values)
    let text = method.text(&names, &bodies)
    export.remarks += method.remarks
    guard let text else { return nil }
    play.methods.append(text)
    export.requests += 1
    return "self.\(method.name)"
  }

  // MARK: Rows

  /// The call that plays requests for each row.
  private mutating func each(
    _ rows: LoadRows, _ calls: [String], _ requests: ArraySlice<LoadFile.Request>, of file: LoadFile
  ) -> String {
    var words = [self.rows(of: rows, in: file), "[\(calls.joined(separator: ", "))]"]
    let captures =
      requests.first?.use?.outputs.map(\.name)
      ?? requests.flatMap { $0.step.settings.capture.entries.map(\.key.text) }
    if !captures.isEmpty { words.append("captures=[\(captures.map(PythonText.quoted).joined(separator: ", "))]") }
    let fresh = requests.flatMap { values.randomKeys($0.lines, of: $0.path) }
    if !fresh.isEmpty { words.append("fresh=[\(fresh.joined(separator: ", "))]") }
    if rows.spec.failFast?.literal == true { words.append("fail_fast=True") }
    if requests.allSatisfy({ $0.step.settings.continueOnFailure.value?.literal == true }) {
      words.append("goes_on=True")
    }
    return "partial(self.each, \(words.joined(separator: ", ")))"
  }

  /// The rows in Python: a list that a response gave, a range, or the name of a file.
  private mutating func rows(of rows: LoadRows, in file: LoadFile) -> String {
    let place = "\(file.path):\(rows.spec.range.start.line)"
    if rows.spec.parallel != nil {
      export.remarks.append(
        ExportRemark(place: place, reason: "`parallel`: a user plays one row after another", detail: "rows"))
    }
    if rows.areSecret {
      let variable = "REQRUN_\(PythonText.name("rows \(place)", words: 12).uppercased())"
      let reason = "secret columns: the rows are read from a file (.csv, .json or .jsonl) that the variable names"
      export.remarks.append(ExportRemark(place: place, reason: reason, detail: variable))
      _ = values.environmentValue(variable)
      return "lambda v: secret_rows(\(PythonText.quoted(variable)))"
    }
    if let list = values.list(rows.values) { return "lambda v: \(list)" }
    if case .count = rows.spec.source { return "range(\(rows.values.count))" }
    tables += 1
    let name = "data/rows-\(tables).jsonl"
    let lines = rows.values.map { $0.jsonText().string + "\n" }.joined()
    export.files.append((name, Array(lines.utf8)))
    return PythonText.quoted(name)
  }

  private static func origin(of url: String) -> String {
    url.firstMatch(of: originOfURL).map { String($0.output) } ?? url
  }
}

/// The parts of a class that plays a file.
private struct LocustPlay {
  var methods: [String] = []
  /// The calls for what the file needs.
  var begin: [String] = []
  private var before: [String] = []
  private var main: [String] = []
  private var flowTeardown: [String] = []
  private var teardown: [String] = []

  var isEmpty: Bool { before.isEmpty && main.isEmpty }

  mutating func add(_ calls: [String], isTeardown: Bool, isOfFlow: Bool) {
    switch (isTeardown, isOfFlow) {
    case (true, true): flowTeardown += calls
    case (true, false): teardown += calls
    case (false, true): main += calls
    case (false, false): before += calls
    }
  }

  /// The task.
  ///
  /// - Parameter rowsOfFlow: the rows for which the flow runs; nil runs it once.
  func text(rowsOfFlow: String?) -> String {
    var body = before.map { "\($0)(v)" }
    if let rowsOfFlow {
      body.append(
        "self.over(v, \(rowsOfFlow), [\(main.joined(separator: ", "))], [\(flowTeardown.joined(separator: ", "))])")
    } else {
      body += main.map { "\($0)(v)" }
    }
    let last = rowsOfFlow == nil ? flowTeardown + teardown : teardown
    var text = "    @task\n    def play(self):\n        v = self.begin()\n" + begin.map { "        \($0)\n" }.joined()
    if last.isEmpty {
      text += body.map { "        \($0)\n" }.joined()
    } else {
      text += "        try:\n" + body.map { "            \($0)\n" }.joined()
      text += "        finally:\n            self.clean_up(v, \(last.joined(separator: ", ")))\n"
    }
    return text
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let originOfURL = /^[a-z]+:\/\/[^\/?#]*/
