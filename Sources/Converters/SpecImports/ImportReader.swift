import DocumentQueries
import Values

/// A file of another tool.
package struct ImportSource: Sendable {
  /// The path as it was given, or below the directory that was given.
  package let path: String
  /// The path with that of the directory, for messages.
  let givenPath: String
  package let bytes: [UInt8]
  /// The scheme and the host that it was read from; nil for a file.
  let origin: String?

  package init(path: String, below directory: String? = nil, origin: String? = nil, bytes: [UInt8]) {
    self.path = path
    self.origin = origin
    givenPath = directory.map { "\($0)/\(path)" } ?? path
    self.bytes = bytes
  }

  /// The source under another path.
  package func renamed(_ path: String) -> ImportSource { ImportSource(path: path, origin: origin, bytes: bytes) }

  /// The bytes as text, without a byte order mark.
  package var text: String {
    String(decoding: unmarkedBytes, as: UTF8.self)
  }

  /// The name of the file without its extension.
  package var stem: String {
    let name = path.split(separator: "/").last ?? ""
    let stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    return stem.isEmpty ? String(name) : String(stem)
  }

  /// The extension of the file in lower case, without its dot.
  package var fileExtension: String {
    path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
  }
}

extension ImportSource {
  /// The bytes without a byte order mark.
  var unmarkedBytes: [UInt8] { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes }

  /// The document of JSON; nil with an error in the bag.
  func json(into bag: inout DiagnosticBag) -> JSONDocument? {
    do throws(JSONParseError) {
      return try JSONDocument(parsing: unmarkedBytes)
    } catch {
      addError(
        "this is not JSON: \(error.message)",
        at: { $0.utf8.indices.suffix(from: min(error.offset, $0.utf8.count)).prefix(0) },
        help: error.offset >= unmarkedBytes.count ? "the file is cut off: export or copy it once more" : nil, &bag)
      return nil
    }
  }

  /// Adds an error about the whole source, and returns nil.
  ///
  /// - Parameter problem: what follows the name of the source, such as `is not a collection`.
  func refused<Result>(_ problem: String, help: String, _ bag: inout DiagnosticBag) -> Result? {
    bag.error(.importSource, "\(sanitizedForTerminal(givenPath)) \(problem)", at: nil, help: help)
    return nil
  }

  /// Adds an error that says why the source is of no kind that is known.
  ///
  /// - Parameter help: the names of the kinds.
  package func explainUnknownKind(help: String, into bag: inout DiagnosticBag) {
    let path = givenPath == "requests" ? "standard input" : sanitizedForTerminal(givenPath)
    switch unmarkedBytes.first(where: { $0 > 0x20 }) {
    case nil: bag.error(.importSource, "\(path) is empty", at: nil, help: "name a file with requests")
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let root = json(into: &bag)?.root else { return }
      let names = root.members.map(\.key)
      let mark = Self.marks.first { names.contains($0.name) }?.help
      let shown = names.prefix(3).map { "`\(sanitizedForTerminal(String($0.prefix(40))))`" }.joined(separator: ", ")
      bag.error(
        .importSource, "\(path) is JSON of an unknown kind" + (names.isEmpty ? "" : ": it has \(shown)"), at: nil,
        help: mark ?? help)
    default:
      let (problem, advice) = describedText ?? (": the kind is unknown", help)
      bag.error(.importSource, "\(path)\(problem)", at: nil, help: advice)
    }
  }

  /// The kind of a text that can't be imported, and the way on from it.
  private var describedText: (problem: String, help: String)? {
    if bytes.prefix(4096).contains(0) { return (" is not text", "name a file that another tool exported") }
    let recording = "record its requests as HAR, and import that"
    switch fileExtension {
    case "feature":
      return (" is a feature of Karate, which cannot be imported", "`reqrun help from-karate` shows its steps as specs")
    case "wsdl", "xsd":
      return (" describes a service of SOAP, which cannot be imported", "send its XML as a `body:`")
    case "js", "mjs", "ts": return (" is a script, and nothing is executed", recording)
    case "jmx": return (" is a test plan of JMeter, which cannot be imported", recording)
    default: break
    }
    let first = String(decoding: bytes.prefix(1 << 14), as: UTF8.self).split(whereSeparator: \.isNewline)
    guard first.contains(where: { line in ["requests:", "flows:", "url:"].contains { line.hasPrefix($0) } }) else {
      return nil
    }
    return (" is a spec of reqrun already", "run it: `reqrun \(sanitizedForTerminal(givenPath))`")
  }

  /// The members by which documents are known, with what they need beside them.
  private static let marks = [
    (name: "order", help: "a collection of Postman 1 has it: export it as Collection v2.1"),
    (name: "openapi", help: "an OpenAPI document has `info` and `paths`, too"),
    (name: "info", help: "a collection of Postman has a list `item` beside `info`"),
    (name: "item", help: "a collection of Postman has `info` beside `item`"),
    (name: "log", help: "an HTTP archive has a list of `entries` in `log`"),
    (name: "entries", help: "an HTTP archive has `entries` in `log`"),
    (name: "resources", help: "an export of Insomnia has `__export_format`, too"),
    (name: "values", help: "an environment of Postman has `name` beside `values`"),
  ]

  /// Adds an error at a place of the source.
  func addError(
    _ message: String, at place: (SourceText) -> Range<Int>, help: String? = nil, isWarning: Bool = false,
    _ bag: inout DiagnosticBag
  ) {
    // Places retain no source, diagnostics do.
    let text = SourceText(name: givenPath, utf8: unmarkedBytes)
    text.conceal(secretRanges(inSource: unmarkedBytes))
    withExtendedLifetime(text) {
      let range = SourceRange(text, place(text))
      bag.add(
        isWarning
          ? .warning(.incompleteConversion, message, at: range, help: help)
          : .error(.importSource, message, at: range, help: help))
    }
  }
}

extension ImportedCollection {
  /// Reads sources one by one; those with errors are left out.
  mutating func read<Result>(
    _ sources: [ImportSource], _ bag: inout DiagnosticBag, _ read: (ImportSource, inout DiagnosticBag) -> Result?
  ) -> [Result] {
    sources.compactMap { source in
      let result = read(source, &bag)
      if result == nil { leftOut.append(source.givenPath) }
      return result
    }
  }
}

extension [ImportSource] {
  /// The number of folders that all paths have in common.
  var commonDepth: Int {
    let folders = map { $0.path.split(separator: "/").dropLast() }
    return folders.dropFirst().reduce(folders.first ?? []) { common, folder in
      common.prefix(zip(common, folder).prefix { $0 == $1 }.count)
    }.count
  }
}

/// The parts of sources that are wanted.
package struct ImportSelection: Sendable {
  /// The hosts whose requests are taken; all if it is empty.
  package var hosts: [String] = []
  /// The types of responses whose requests are taken, such as `json` or `text/html`; all if it is empty.
  package var types: [String] = []
  /// The time for the examples of all operations of OpenAPI.
  package var exampleTime: Duration = .seconds(10)
  /// Indicates whether OpenAPI becomes requests at the bounds of its schemas, too.
  package var hasBoundaries = false
  /// Indicates whether specs are written into a directory, where other files may stand beside them.
  package var hasDirectory = false
  /// Indicates whether a recording becomes one file, whatever its paths are.
  package var isTogether = false

  package init() {}
}

/// The reader of a kind of import.
package struct ImportReader: Sendable {
  /// The extensions of the files that are read where a directory is given.
  package let extensions: [String]
  /// Returns whether a file is of this kind, for `import` without a kind.
  package let recognizes: @Sendable (ImportSource) -> Bool
  /// Reads all given files. Those that are broken are left out, with errors in the bag; nil if nothing is left.
  package let read: @Sendable ([ImportSource], ImportSelection, inout DiagnosticBag) -> ImportedCollection?

  package static let bruno = BrunoImport.kind
  package static let curl = CurlImport.kind
  package static let har = HARImport.kind
  package static let http = HTTPFileImport.kind
  package static let hurl = HurlImport.kind
  package static let insomnia = InsomniaImport.kind
  package static let openapi = OpenAPIImport.kind
  package static let postman = PostmanImport.kind
}
