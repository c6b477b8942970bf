import Templates

/// The meaning of `{{…}}` in a `.http` file.
struct HTTPFileNames {
  /// A value of a response that other requests read.
  struct Capture {
    let request: String
    let name: String
    let source: ImportedValue
  }

  /// The places of named requests in the file.
  private let requests: [String: Int]
  /// The names of requests in imported files.
  private let imported: Set<String>
  private(set) var captures: [Capture] = []
  private var known: [String: String] = [:]
  private var taken: Set<String>

  /// The loops `for item of list`, by the places of their requests.
  private let loops: [Int: (item: String, list: String)]

  init(_ blocks: [HTTPFile.Block], variables: Set<String>, imported: Set<String> = []) {
    self.imported = imported
    var requests: [String: Int] = [:]
    var loops: [Int: (item: String, list: String)] = [:]
    for (index, block) in blocks.enumerated() {
      for tag in block.tags {
        if tag.name == "name", requests[tag.value] == nil { requests[tag.value] = index }
        let words = tag.value.split(separator: " ").map(String.init)
        if tag.name == "loop", words.count == 4, words[0] == "for", words[2] == "of" {
          loops[index] = (words[1], words[3])
        }
      }
    }
    self.requests = requests
    self.loops = loops
    taken = variables
  }

  /// The list that a request runs for, as it is written.
  func list(at index: Int) -> String? { loops[index]?.list }

  func place(of request: String) -> Int? { requests[request] }

  /// Returns whether a name is that of a request before a place.
  func isEarlier(_ name: String, than index: Int) -> Bool { requests[name].map { $0 < index } ?? false }

  /// Indicates that files are imported which are among the given ones.
  var hasImports: Bool { !imported.isEmpty }

  /// Returns whether a name is that of a request in an imported file, whose response is read.
  func isImported(_ name: String) -> Bool { imported.contains(name) && captures.contains { $0.request == name } }

  /// Reads a text of a request.
  ///
  /// - Parameter index: the place of the request; nil for a variable of the file, which has no responses.
  mutating func text(_ source: String, at index: Int?) -> ImportedText {
    ImportedText(
      parts: ImportedText(placeholdersIn: source) { .variable($0) }.parts.map { placeholder in
        if case .variable(let name) = placeholder { part(name, at: index) } else { placeholder }
      })
  }

  private mutating func part(_ name: String, at index: Int?) -> ImportedText.Part {
    if name.hasPrefix("$") {
      return HTTPFileFunctions.part(name) ?? .unknown("{{\(name)}}")
    }
    if let loop = index.flatMap({ loops[$0] }), name == loop.item || name.hasPrefix(loop.item + ".") {
      let path = name.dropFirst(loop.item.count)
      let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
      if isPlain, !path.hasSuffix("."), !path.contains("..") { return .expression("row\(path)") }
    }
    let isEncoded = name.hasPrefix("%")
    let name = isEncoded ? String(name.dropFirst()) : name
    if !taken.contains(name), let capture = capture(name, at: index) { return .variable(capture) }
    let isName = name.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
      default: scalar.value >= 0x80 && !scalar.properties.isWhitespace
      }
    }
    return isName && !name.isEmpty && !isEncoded ? .variable(name) : .unknown("{{\(isEncoded ? "%" : "")\(name)}}")
  }

  // MARK: responses

  /// The name of the capture that `login.response.body.$.token` reads; nil if it is none of an earlier request.
  private mutating func capture(_ expression: String, at index: Int?) -> String? {
    let first = String(expression.prefix { $0 != "." && $0 != "[" })
    let isResponse = first.hasSuffix("Response") && requests[first] == nil
    let request = isResponse ? String(first.dropLast("Response".count)) : first
    let place = requests[request]
    guard place.map({ place in index.map { place < $0 } ?? true }) ?? imported.contains(request) else { return nil }
    if let name = known[expression] { return name }
    let rest = String(expression.dropFirst(first.count))
    guard !rest.isEmpty, let (source, word) = HTTPFileNames.source(rest, isResponse: isResponse) else { return nil }
    let name = taken.insertUnique { number in
      place == nil
        ? numbered("\(request)_\(word)", number) : number == 1 ? word : numbered("\(request)_\(word)", number - 1)
    }
    known[expression] = name
    captures.append(Capture(request: request, name: name, source: source))
    return name
  }

  /// The source of a capture, and a word for its name.
  private static func source(_ path: String, isResponse: Bool) -> (ImportedValue, String)? {
    let full = isResponse ? ".response" + path : path
    for (prefix, kind) in [
      (".response.body", "body"), (".response.headers", "headers"), (".response.parsedBody", "json"),
      (".response.statusCode", "status"), (".response.status", "status"),
    ] where full == prefix || full.hasPrefix(prefix + ".") || full.hasPrefix(prefix + "[") {
      return source(kind, String(full.dropFirst(prefix.count)))
    }
    return full.hasPrefix(".request.") || full.hasPrefix(".response.") ? nil : source("json", path)
  }

  private static func source(_ kind: String, _ path: String) -> (ImportedValue, String)? {
    switch kind {
    case "status": return path.isEmpty ? (.text("status"), "status") : nil
    case "headers":
      let name = path.hasPrefix("[") ? path.dropFirst(2).dropLast(2) : path.dropFirst()
      return name.isEmpty ? nil : (.mapping([("header", .text(String(name)))]), snakeCase(String(name)))
    default: break
    }
    var path = path
    if kind == "body" {
      if path.isEmpty || path == ".*" { return (.text("body"), "body") }
      path = String(path.dropFirst())
      if path.hasPrefix("/") { return (.mapping([("xpath", .text("string(\(path))"))]), word(of: path)) }
      if path.hasPrefix("$") { path = String(path.dropFirst()) } else { path = "." + path }
    }
    guard let json = jsonPath(path) else { return nil }
    return (.text("$" + json), word(of: path))
  }

  /// The members of a JavaScript or JSONPath path as a JSONPath; nil for anything else.
  static func jsonPath(_ path: String) -> String? {
    var result = ""
    var rest = path[...]
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: pathStep) else {
        return rest.hasPrefix("..") || rest.hasPrefix(".*") ? result + rest : nil
      }
      if let name = match.output.1 {
        let isShort = !name.contains("-") && !(name.first?.isNumber ?? true)
        result += isShort ? ".\(name)" : "['\(name)']"
      } else {
        result += match.output.0.replacing("\"", with: "'")
      }
      rest = rest[match.range.upperBound...]
    }
    return result
  }

  /// The last name of a path.
  private static func word(of path: String) -> String {
    let words = path.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let word = words.last { !($0.first?.isNumber ?? true) } ?? "value"
    return String(word)
  }
}

/// The functions that editors provide: `{{$guid}}`, `{{$randomInt 1 10}}`.
enum HTTPFileFunctions {
  static func part(_ source: String) -> ImportedText.Part? {
    // A quoted word may have blanks, and arguments may stand in parentheses.
    let words = source.splitOutsideQuotes { $0.isWhitespace || "(),".contains($0) }.filter { !$0.isEmpty }
    guard let name = words.first else { return nil }
    if let expression = expression(name, Array(words.dropFirst())) { return .expression(expression) }
    switch name {
    case "$dotenv", "$shared":
      return words.count == 2 && !words[1].hasPrefix("%") ? .variable(words[1]) : nil
    default: return nil
    }
  }

  private static func expression(_ name: String, _ arguments: [String]) -> String? {
    let numbers = arguments.compactMap { Int($0) }
    switch name {
    case "$guid", "$uuid", "$random.uuid", "$randomUUID": return arguments.isEmpty ? "uuid" : nil
    case "$timestamp": return moved(arguments).map { "\($0) | format(\"unix\")" }
    case "$isoTimestamp": return "now | format(\(iso))"
    case "$datetime", "$localDatetime":
      guard let form = arguments.first, let start = moved(Array(arguments.dropFirst())) else { return nil }
      switch form {
      case "iso8601": return "\(start) | format(\(iso))"
      case "rfc1123": return "\(start) | format(\"http\")"
      default: return pattern(form).map { "\(start) | format(\"\($0)\")" }
      }
    case "$randomInt", "$random.integer":
      if arguments.isEmpty { return "random_int(0, 1000)" }
      // The upper bound is excluded.
      let bounds = numbers.count == 1 && name == "$random.integer" ? [0] + numbers : numbers
      guard numbers.count == arguments.count, bounds.count == 2, bounds[0] < bounds[1] else { return nil }
      return "random_int(\(bounds[0]), \(bounds[1] - 1))"
    case "$random.alphabetic", "$random.alphanumeric":
      return (numbers.first ?? 10) > 0 ? "random_string(\(numbers.first ?? 10))" : nil
    case "$random.email": return "fake(\"email\")"
    case "$index": return "row_index"
    case "$processEnv":
      guard let variable = arguments.first, arguments.count == 1 else { return nil }
      return environment(variable)
    default: return name.hasPrefix("$env.") ? environment(String(name.dropFirst("$env.".count))) : nil
    }
  }

  private static let iso = #""yyyy-MM-dd'T'HH:mm:ss.SSSX""#

  private static func environment(_ name: String) -> String? {
    isShellName(name) ? "env.\(name)" : nil
  }

  private static let units = [
    "y": "y", "M": "mo", "d": "d", "h": "h", "m": "m", "s": "s", "ms": "ms", "w": "d",
  ]

  /// The time, moved by a number and a unit.
  private static func moved(_ arguments: [String]) -> String? {
    if arguments.isEmpty { return "now" }
    guard arguments.count == 2, let number = Int(arguments[0]), let unit = units[arguments[1]] else { return nil }
    let (days, overflow) = number.multipliedReportingOverflow(by: arguments[1] == "w" ? 7 : 1)
    return overflow ? nil : "now | plus(\"\(days)\(unit)\")"
  }

  /// A pattern of Day.js as one of reqrun; nil with letters that it doesn't know.
  private static func pattern(_ source: String) -> String? {
    var result = ""
    var rest = source[...]
    while !rest.isEmpty {
      guard
        let match = rest.prefixMatch(
          of: datePiece)
      else { return nil }
      let word = String(match.output.0)
      let text = match.output.1 ?? (word == "T" ? "T" : nil)
      result += text.map { "'\($0.replacing("'", with: "''"))'" } ?? forms[word] ?? word
      rest = rest[match.range.upperBound...]
    }
    return result
  }

  /// The forms of Day.js that reqrun has by other letters.
  private static let forms = [
    "YYYY": "yyyy", "YY": "yy", "DD": "dd", "D": "d", "dddd": "EEEE", "ddd": "EEE", "ZZ": "XX", "Z": "XXX",
  ]
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let pathStep = /\.([\p{L}\p{N}_-]+)(?=[.\[]|$)|\[[^\]]*\]/
nonisolated(unsafe) private let datePiece = /\[([^\]]*)\]|T|YYYY|YY|M{1,4}|DD?|dddd?|HH?|mm?|ss?|SSS|ZZ?|[^\p{L}"\\]/
