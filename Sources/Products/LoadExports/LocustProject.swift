import Diagnostics
import HTTPMessages
import HTTPSemantics
import RequestResolution
import RequestSpecs
import Values

/// Writes a Locust project: a user class for each file.
package struct LocustProject {
  private let values: LoadValues
  private var export = LoadExport()
  private var classes: [String] = []
  private var names: Set<String> = []
  private var bodies = 0

  package static func export(_ files: [LoadFile], values: LoadValues) -> LoadExport {
    var project = LocustProject(values: values)
    for file in files where !file.requests.isEmpty { project.add(file) }
    return project.finished()
  }

  private init(values: LoadValues) { self.values = values }

  private mutating func finished() -> LoadExport {
    export.environment = values.environment
    export.remarks = values.problems + export.remarks
    let header = """
      \"\"\"Users that play specs of reqrun: one class for each file. Made by `reqrun export locust`.\"\"\"

      import random
      import uuid

      from locust import constant, tag, task

      from reqrun_load import (
          ENCODINGS, SpecUser, as_json, basic, data, env, in_json, in_path, in_query, once, resolved, text,
      )



      """
    let script = header + classes.joined(separator: "\n\n")
    export.files.insert(("locustfile.py", Array(script.utf8)), at: 0)
    export.files.insert(("reqrun_load.py", Array(LocustRuntime.text.utf8)), at: 1)
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
      text += "\nParts of the specs that the users leave out:\n\n" + export.remarks.map { "- \($0)\n" }.joined()
    }
    return text
  }

  // MARK: Files

  private mutating func add(_ file: LoadFile) {
    let stem = file.path.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? "users"
    let name = unique(
      PythonText.name(String(stem)).split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        + "User")
    let outer = names
    names = []
    defer { names = outer }
    var methods: [String] = []
    var main: [String] = []
    var teardown: [String] = []
    var host = "http://localhost"
    for request in file.requests {
      if host == "http://localhost" { host = LocustProject.origin(of: request.resolved.outgoing.url.string) }
      guard let (method, text) = method(for: request, in: file) else { continue }
      methods.append(text)
      export.requests += 1
      if request.step.stage == .teardown { teardown.append("self.\(method)") } else { main.append("self.\(method)(v)") }
    }
    guard !main.isEmpty else { return }
    let title = file.name.map { "\(file.path): \($0)" } ?? file.path
    var text = "class \(name)(SpecUser):\n    \(PythonText.quoted(title))\n\n"
    text += "    host = \(PythonText.quoted(host))\n    wait_time = constant(0)\n    weight = \(file.weight)\n\n"
    if !file.tags.isEmpty { text += "    @tag(\(file.tags.map(PythonText.quoted).joined(separator: ", ")))\n" }
    text += "    @task\n    def play(self):\n        v = self.begin()\n"
    if teardown.isEmpty {
      text += main.map { "        \($0)\n" }.joined()
    } else {
      text += "        try:\n" + main.map { "            \($0)\n" }.joined()
      text += "        finally:\n            self.clean_up(v, \(teardown.joined(separator: ", ")))\n"
    }
    classes.append(text + "\n" + methods.joined(separator: "\n"))
  }

  private mutating func unique(_ name: String) -> String {
    var result = name
    var number = 2
    while !names.insert(result).inserted {
      result = "\(name)_\(number)"
      number += 1
    }
    return result
  }

  private static func origin(of url: String) -> String {
    url.firstMatch(of: /^[a-z]+:\/\/[^\/?#]*/).map { String($0.output) } ?? url
  }

  // MARK: Requests

  /// The method that sends a request; nil if it can't be sent.
  private mutating func method(for request: LoadFile.Request, in file: LoadFile) -> (name: String, text: String)? {
    let (step, resolved) = (request.step, request.resolved)
    let place = "\(file.path):\(step.line)"
    let label = step.name?.literal?.masked ?? resolved.shownName
    func leaveOut(_ reason: String) { export.remarks.append("\(place): \(label) is left out: \(reason)") }
    if resolved.transfer != nil {
      leaveOut("streams, uploads, downloads and playlists can't be played")
      return nil
    }
    if LocustProject.hasSecrets(resolved) {
      leaveOut("it has a secret that is not declared in `secrets`")
      return nil
    }
    if resolved.coding != nil {
      leaveOut("compressed bodies can't be played")
      return nil
    }
    var headers = resolved.outgoing.headers.fields.map { (name: $0.name, value: values.python($0.value, "text")) }
    if !resolved.outgoing.cookies.isEmpty {
      let text = resolved.outgoing.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
      headers.append(("Cookie", values.python(text, "text")))
    }
    if resolved.outgoing.options.decompresses, resolved.outgoing.headers.values("Accept-Encoding").isEmpty {
      headers.append(("Accept-Encoding", "ENCODINGS"))
    }
    if case .oauth2? = resolved.credentials {
      leaveOut("tokens of `oauth2` can't be fetched")
      return nil
    }
    switch resolved.outgoing.credentials {
    case nil: break
    case .bearer(let token)?:
      headers.append(("Authorization", "\"Bearer \" + \(credential(token, "TOKEN", at: place))"))
    case .basic(let user, let password)?:
      headers.append(
        ("Authorization", "basic(\(values.python(user, "text")), \(credential(password, "PASSWORD", at: place)))"))
    default:
      leaveOut("of credentials, only basic and bearer can be played")
      return nil
    }
    guard let body = body(of: resolved, at: place) else {
      leaveOut("its body can't be read")
      return nil
    }
    let sent =
      resolved.outgoing.url.string + resolved.outgoing.headers.fields.map(\.value).joined(separator: " ") + (body ?? "")
    let lines = step.extent.start.line...max(step.extent.start.line, step.extent.end.line)
    if values.areUnknown(lines, of: file.path, in: sent) {
      leaveOut("a value of it is unknown")
      return nil
    }
    let checks = LocustChecks(step.settings, values: values)
    for part in checks.missing { export.remarks.append("\(place): \(label): \(part)") }
    if step.settings.when.value != nil {
      export.remarks.append("\(place): \(label): `when` was evaluated by the export")
    }
    let name = unique(PythonText.name(label))
    var text = "    def \(name)(self, v):\n        def check(r):\n"
    text += checks.lines.map { "            \($0)\n" }.joined()
    text +=
      "\n        self.send(\n            \(PythonText.quoted(label)), \(PythonText.quoted(resolved.method.rawValue)),\n"
    text += "            \(url(resolved.outgoing.url.string)),\n            [\n"
    text += headers.map { "                (\(PythonText.quoted($0.name)), \($0.value)),\n" }.joined()
    text += "            ], check,"
    if let body { text += "\n            body=\(body)," }
    if resolved.outgoing.redirects.mode == .none { text += "\n            redirects=False," }
    if !resolved.outgoing.options.tls.verifies { text += "\n            verify=False," }
    if step.settings.continueOnFailure.value?.literal == true { text += "\n            goes_on=True," }
    return (name, text + "\n        )\n")
  }

  /// Returns whether a value that is marked as secret would be written.
  private static func hasSecrets(_ request: ResolvedRequest) -> Bool {
    let texts = [request.url] + (request.headers + request.cookies).flatMap { [$0.name, $0.value] }
    if texts.contains(where: \.isSecret) { return true }
    switch request.body {
    case .none, .file: return false
    case .text(let text): return text.isSecret
    case .data(let data): return data.isSecret
    case .multipart(let parts, _):
      return parts.contains { part in
        switch part.content {
        case .text(let text): text.isSecret
        case .data(let data): data.isSecret
        case .file: false
        }
      }
    }
  }

  /// A secret: one that stands in a spec is read from the environment, too.
  private mutating func credential(_ text: String, _ kind: String, at place: String) -> String {
    if LoadValues.pieces(of: text).contains(where: { $0.value != nil }) { return values.python(text, "text") }
    let name = "REQRUN_\(kind)_\(PythonText.name(place).uppercased())"
    let value = values.environmentValue(name)
    export.remarks.append("\(place): its \(kind.lowercased()) is read from the environment variable \(name)")
    return value
  }

  private func url(_ url: String) -> String {
    let withoutFragment = url.prefix { $0 != "#" }
    let path = withoutFragment.prefix { $0 != "?" }
    let query = withoutFragment.dropFirst(path.count)
    // A captured URL, absolute or relative to that before it.
    if query.isEmpty, let match = path.wholeMatch(of: /([a-z]+:\/\/[^\/]+\/)reqrunvalue(\d+)x/),
      let number = Int(match.output.2)
    {
      return "resolved(\(PythonText.quoted(String(match.output.1))), \(values.expression(number)))"
    }
    if !withoutFragment.contains(LoadValues.word) { return PythonText.quoted(String(withoutFragment)) }
    let start = values.python(String(path), "in_path")
    return query.isEmpty ? start : "\(start) + \(values.python(String(query), "in_query"))"
  }

  /// The body in Python; an outer nil if it can't be read.
  private mutating func body(of resolved: ResolvedRequest, at place: String) -> String?? {
    guard let bytes = LocustProject.bytes(of: resolved.outgoing.body) else { return nil }
    if bytes.isEmpty { return .some(nil) }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .some(data(bytes)) }
    if !text.contains(LoadValues.word) {
      return bytes.count > 4096 ? .some(data(bytes)) : .some("\(PythonText.quoted(text)).encode()")
    }
    let type = (resolved.outgoing.headers.values("Content-Type").last ?? "").lowercased()
    let python =
      if type.contains("json") {
        values.pythonJSON(text)
      } else {
        values.python(text, type.contains("x-www-form-urlencoded") ? "in_query" : "text")
      }
    return .some("(\(python)).encode()")
  }

  /// A file beside the script.
  private mutating func data(_ bytes: [UInt8]) -> String {
    bodies += 1
    let name = "data/body-\(bodies)"
    export.files.append((name, bytes))
    return "data(\(PythonText.quoted(name)))"
  }

  private static func bytes(of body: RequestBody) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(TransportError) {
      var reader = try RequestBodyReader(body)
      try reader.readAll { piece in
        bytes.append(contentsOf: piece)
        return true
      }
    } catch {
      return nil
    }
    return bytes
  }
}
