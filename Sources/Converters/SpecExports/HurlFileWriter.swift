import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Values

extension SpecForm {
  /// Files for Hurl, with an entry for each request.
  package static let hurl = files(ending: "hurl", supports: { HurlFileWriter.name(of: $0) != nil }) {
    file, words, export in
    var hurl = HurlFileWriter(file, words)
    let text = hurl.text
    export.remarks += hurl.remarks
    return text
  }
}

/// A file for Hurl that sends the requests of a spec.
struct HurlFileWriter {
  private let file: ExportedFile
  private let words: ExportWords
  private let curly: CurlyRendering
  private(set) var remarks: [ExportRemark] = []
  private var captures = KnownCaptures()
  private var values = VariableValues()

  init(_ file: ExportedFile, _ words: ExportWords) {
    (self.file, self.words) = (file, words)
    curly = CurlyRendering(words: words, function: HurlFileWriter.name)
  }

  @Sendable static func name(of function: ExportFunction) -> String? {
    switch function {
    case .uuid: "newUuid"
    case .now: "newDate"
    case .timestamp, .randomInteger, .randomText: nil
    }
  }

  var text: String {
    mutating get {
      let environment = file.environment
      var text = "# \(commented(file.heading))\n"
      if !environment.isEmpty {
        text += "# hurl" + environment.map { " --variable \($0)=\"$\($0)\"" }.joined() + " FILE\n"
      }
      for entry in file.entries {
        switch entry {
        case .request(let request): text += "\n" + self.entry(request)
        case .omission(let label, let reason, _):
          text += "\n# \(commented(label))\n# left out: \(commented(reason))\n"
        }
      }
      return text
    }
  }

  private mutating func entry(_ request: ExportedRequest) -> String {
    let title = "# \(commented(request.label))\n"
    if let reason = unsendable(request) {
      remarks.leaveOut(request, reason)
      return title + "# left out: \(commented(reason))\n"
    }
    var unsaid = request.remarks.map(\.reason)
    var entry = HurlEntryWriter(request, words, curly)
    let asserts = asserts(request, &unsaid)
    let captured = captured(request, &unsaid)
    let body = entry.body()
    for reason in entry.missing {
      remarks.add(reason, request)
      unsaid.append(reason)
    }
    var text = title + Set(unsaid).sorted().map { "# not exported: \(commented($0))\n" }.joined()
    text += "\(request.request.method.rawValue) \(entry.url)\n" + entry.headers
    let options = variables(request) + entry.options
    if !options.isEmpty { text += "[Options]\n" + options.map { "\($0)\n" }.joined() }
    text += entry.sections + body
    text += "HTTP \(HurlFileWriter.version(request.checks.status))\n"
    if !captured.isEmpty { text += "[Captures]\n" + captured.map { "\($0)\n" }.joined() }
    if !asserts.isEmpty { text += "[Asserts]\n" + asserts.map { "\($0)\n" }.joined() }
    return text
  }

  private func unsendable(_ request: ExportedRequest) -> String? {
    if let reason = request.obstacle(for: "Hurl", after: captures) { return reason }
    if case .password(.digest, _, _)? = request.request.credentials { return "Hurl has no digest authentication" }
    let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
    if !methods.contains(request.request.method.rawValue.uppercased()),
      request.request.method.rawValue.contains(where: { !$0.isUppercase })
    {
      return "Hurl has no such method"
    }
    return nil
  }

  // MARK: variables

  /// The variables that have another value from here on.
  private mutating func variables(_ request: ExportedRequest) -> [String] {
    values.changed(by: request).map { variable in
      let text: String
      switch variable.value {
      case .number, .bool: text = variable.value.asText.string
      default:
        let written = variable.value.asText.string
        let value = curly(written)
        let first = value.first ?? " "
        let isPlain =
          (first.isASCII && first.isLetter || "_{/".contains(first)) && !value.contains { "\"\\#\n".contains($0) }
          && !["true", "false", "null"].contains(value)
        text = isPlain && !value.hasSuffix(" ") ? value : HurlText.quoted(written, curly)
      }
      return "variable: \(exportedName(variable.name))=\(text)"
    }
  }

  // MARK: the response

  /// The status of the response; `*` where assertions say more.
  private static func version(_ status: StatusSet?) -> String {
    guard let status, status.ranges.count == 1, status.ranges[0].count == 1 else { return "*" }
    return String(status.ranges[0].lowerBound)
  }

  private mutating func asserts(_ request: ExportedRequest, _ unsaid: inout [String]) -> [String] {
    var lines: [String] = []
    if HurlFileWriter.version(request.checks.status) == "*", let status = request.checks.status {
      if status.ranges.count == 1 {
        lines += ["status >= \(status.ranges[0].lowerBound)", "status < \(status.ranges[0].upperBound)"]
      } else {
        let codes = status.ranges.flatMap { range in
          range.lowerBound % 100 == 0 && range.count % 100 == 0
            ? stride(from: range.lowerBound / 100, to: range.upperBound / 100, by: 1).map { "\($0)\\d\\d" }
            : range.prefix(100).map(String.init)
        }
        lines.append("status toString matches /^(\(codes.joined(separator: "|")))$/")
      }
    }
    for check in request.checks.allChecks {
      if let line = HurlText.assert(check, curly) {
        if !lines.contains(line) { lines.append(line) }
      } else {
        let reason = "`expect.\(check.key)` in Hurl"
        remarks.add(reason, request)
        unsaid.append(reason)
      }
    }
    return lines
  }

  private mutating func captured(_ request: ExportedRequest, _ unsaid: inout [String]) -> [String] {
    var lines: [String] = []
    for capture in request.checks.captures {
      var line: String?
      switch capture.source {
      case .value(let text):
        if let value = words.value(of: text), case .capture(let name) = value {
          line = "variable \(HurlText.quoted(exportedName(name)))"
        }
      case .subject(let subject, let filters):
        if capture.standard == nil { line = HurlText.query(subject, filters, curly) }
      }
      if let line {
        captures.add(capture.name)
        lines.append("\(exportedName(capture.name)): \(line)")
      } else {
        let reason = capture.standard == nil ? "`capture` in Hurl" : "`capture` with a default"
        remarks.add(reason, request)
        unsaid.append("\(reason): \(capture.name)")
      }
    }
    return lines
  }
}
