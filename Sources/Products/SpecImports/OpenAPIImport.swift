import APIContracts
import Diagnostics
import URLs

/// OpenAPI documents of versions 3.0 and 3.1: a file for each tag, a request for each operation.
enum OpenAPIImport {
  static let kind = ImportKind(
    name: "openapi", summary: "OpenAPI 3.0 and 3.1 documents, in JSON or YAML",
    extensions: ["json", "yaml", "yml"], recognizes: isDocument, read: read)

  /// Returns whether a source begins like an OpenAPI document, or one of Swagger, which is an error with help.
  private static func isDocument(_ source: ImportSource) -> Bool {
    let text = String(decoding: source.bytes.prefix(1 << 16), as: UTF8.self)
    let isJSON = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "{"
    for (word, version) in [("openapi", "3"), ("swagger", "2")] {
      var rest = text[...]
      let name = isJSON ? "\"\(word)\"" : "\(word):"
      while let found = rest.firstRange(of: name) {
        let isAtStart =
          isJSON || found.lowerBound == text.startIndex || text[text.index(before: found.lowerBound)].isNewline
          || text[text.index(before: found.lowerBound)] == "\u{FEFF}"
        let value = rest[found.upperBound...].drop { $0.isWhitespace || $0 == ":" || $0 == "\"" || $0 == "'" }
        if isAtStart, value.hasPrefix(version) { return true }
        rest = rest[found.upperBound...]
      }
    }
    return false
  }

  private static func read(
    _ sources: [ImportSource], _ selection: ImportSelection, _ bag: inout DiagnosticBag
  ) -> ImportedCollection? {
    let files = OpenAPIFiles(sources)
    // A lone file that isn't a document is an error that says so.
    let mains = sources.count == 1 ? sources : sources.filter(isDocument)
    guard !mains.isEmpty else {
      bag.error(
        "none of the files is an OpenAPI document", at: nil,
        help: "an OpenAPI document begins with its version: openapi: 3.1.0")
      return nil
    }
    var collection = ImportedCollection()
    var attached: [String] = []
    for main in mains {
      guard let documents = documents(main, files, into: &bag) else {
        collection.leftOut.append(main.givenPath)
        continue
      }
      let contract: APIContract
      do {
        contract = try APIContract(documents)
      } catch {
        bag.add(contentsOf: error.diagnostics)
        collection.leftOut.append(main.givenPath)
        continue
      }
      let (locations, missing) = documents.readAll()
      for location in locations where !attached.contains(location) { attached.append(location) }
      let reader = OpenAPIReader(
        contract: contract, document: OpenAPIFiles.location(of: main), folder: mains.count > 1 ? main.stem : nil,
        stem: main.stem, missing: missing)
      reader.read(into: &collection)
    }
    let common = attached.map { ImportSource(path: $0, bytes: []) }.commonDepth
    func copied(_ location: String) -> String {
      folder + location.split(separator: "/").dropFirst(common).joined(separator: "/")
    }
    for location in attached {
      guard let source = files.source(at: location) else { continue }
      collection.attachments.append((copied(location), source.bytes))
    }
    for index in collection.files.indices {
      guard case .node(let node)? = collection.files[index].settings.first(where: { $0.key == "openapi" })?.value,
        let location = node.scalar?.text
      else { continue }
      let up = String(repeating: "../", count: collection.files[index].path.count - 1)
      collection.files[index].settings.set(
        "openapi", .text(up + copied(location)))
    }
    for source in sources where !attached.contains(OpenAPIFiles.location(of: source)) && !isDocument(source) {
      let other = Untranslated(reason: "other files", source: source.path)
      if collection.files.isEmpty {
        collection.untranslated.append(other)
      } else {
        collection.files[0].untranslated.append(other)
      }
    }
    return collection
  }

  /// The directory of the copied documents.
  private static let folder = "openapi/"

  private static func documents(
    _ main: ImportSource, _ files: OpenAPIFiles, into bag: inout DiagnosticBag
  ) -> DocumentSet? {
    do throws(ContractProblem) {
      let bytes = DocumentBytes(main.bytes, name: main.givenPath, location: OpenAPIFiles.location(of: main))
      return try DocumentSet(main: bytes) { (reference, base) throws(ContractReadingProblem) in
        try files.read(reference, base: base)
      }
    } catch {
      bag.add(error.diagnostic)
      return nil
    }
  }
}

/// The given files by their locations.
private struct OpenAPIFiles: Sendable {
  private var sources: [String: ImportSource] = [:]

  init(_ sources: [ImportSource]) {
    for source in sources { self.sources[OpenAPIFiles.location(of: source)] = source }
  }

  /// The beginning of the locations of files with relative paths.
  private static let anywhere = "/1/2/3/4/5/6/7/8/"

  /// An absolute path without dots. Where relative paths begin doesn't matter, only that paths can lead upwards.
  static func location(of source: ImportSource) -> String {
    normalized((source.path.hasPrefix("/") ? "" : anywhere) + source.path)
  }

  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  func source(at location: String) -> ImportSource? { sources[location] }

  func read(_ reference: String, base: String) throws(ContractReadingProblem) -> DocumentBytes {
    guard !reference.contains("://") else {
      throw ContractReadingProblem("\(reference) is not fetched: only the given files are read")
    }
    let directory = base.prefix(upTo: base.lastIndex(of: "/") ?? base.startIndex)
    let location = OpenAPIFiles.normalized(
      reference.hasPrefix("/") ? reference : directory + "/" + percentDecoded(reference))
    guard let source = sources[location] else {
      throw ContractReadingProblem(
        "the file \(location.replacing(OpenAPIFiles.anywhere, with: "")) is not among the given ones",
        help: "name the directory that has all of them")
    }
    return DocumentBytes(source.bytes, name: source.givenPath, location: location)
  }
}
