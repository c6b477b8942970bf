import APIContracts
import Values

/// OpenAPI documents of versions 2.0 (Swagger), 3.0 and 3.1: a file for each tag, a request for each operation.
enum OpenAPIImport {
  static let kind = ImportReader(
    extensions: ["json", "yaml", "yml"], recognizes: isDocument, read: read)

  /// Returns whether a source begins or ends like an OpenAPI document, or one of Swagger 2.0.
  private static func isDocument(_ source: ImportSource) -> Bool {
    // Some programs sort the keys, so that the version comes last.
    let end = source.bytes.dropFirst(1 << 16).suffix(1 << 16)
    let text = String(decoding: source.bytes.prefix(1 << 16) + end, as: UTF8.self)
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
        .importSource, "none of the files is an OpenAPI document", at: nil,
        help: "an OpenAPI document begins with its version: openapi: 3.1.0")
      return nil
    }
    var collection = ImportedCollection()
    let readers = collection.read(mains, &bag) {
      reader($0, files, folder: mains.count > 1 ? $0.stem : nil, into: &$1)
    }
    let copies = OpenAPICopies(of: readers.flatMap(\.locations))
    let time = ExampleTime(limit: selection.exampleTime)
    for reader in readers {
      let start = collection.files.count
      let requests = reader.read(into: &collection, copies, time)
      guard selection.hasBoundaries else { continue }
      let boundaries = OpenAPIBoundaries(
        contract: reader.contract, order: OperationOrder(reader.contract.operations), requests: requests, time: time)
      collection.files += collection.files[start...].compactMap { boundaries.file(beside: $0) }
    }
    for location in copies.locations {
      if let source = files.source(at: location) {
        collection.attachments.append((copies.path(of: location), source.bytes))
      }
    }
    let others = sources.filter { !copies.locations.contains(OpenAPIFiles.location(of: $0)) && !isDocument($0) }
      .map { Untranslated(reason: "other files", source: $0.path) }
    if collection.files.isEmpty {
      collection.untranslated += others
    } else {
      collection.files[0].untranslated += others
    }
    return collection
  }

  /// The reader of a document with all that it refers to; nil with errors in the bag.
  private static func reader(
    _ main: ImportSource, _ files: OpenAPIFiles, folder: String?, into bag: inout DiagnosticBag
  ) -> OpenAPIReader? {
    guard let documents = documents(main, files, into: &bag) else { return nil }
    do {
      let contract = try APIContract(documents)
      let (locations, missing) = documents.readAll()
      return OpenAPIReader(
        contract: contract, location: OpenAPIFiles.location(of: main), locations: locations, folder: folder,
        stem: main.stem, origin: main.origin, missing: missing)
    } catch {
      bag.add(contentsOf: error.diagnostics)
      return nil
    }
  }

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

extension ImportedCollection {
  /// Indicates whether the time was over before all examples were made.
  package var isCut: Bool {
    (files.flatMap(\.untranslated) + files.flatMap(\.requests).flatMap(\.untranslated)).contains {
      $0.reason == OpenAPIRequest.cutExamples || $0.reason == OpenAPIBoundaries.cut
    }
  }
}

/// The copies of documents beside the specs, which keep their places to each other.
package struct OpenAPICopies {
  /// The folder of the copies, which is not searched for specs.
  package static let folder = "_openapi"
  /// The end of the names of files with boundaries.
  package static let endOfBoundaries = ".boundaries.yaml"
  private(set) var locations: [String] = []
  /// The number of folders that all have in common.
  private let depth: Int

  init(of locations: [String]) {
    for location in locations where !self.locations.contains(location) { self.locations.append(location) }
    depth = self.locations.map { ImportSource(path: $0, bytes: []) }.commonDepth
  }

  func path(of location: String) -> String {
    OpenAPICopies.folder + "/" + location.split(separator: "/").dropFirst(depth).joined(separator: "/")
  }
}

/// The given files by their locations.
private struct OpenAPIFiles: Sendable {
  private var sources: [String: ImportSource] = [:]

  init(_ sources: [ImportSource]) {
    for source in sources { self.sources[OpenAPIFiles.location(of: source)] = source }
  }

  /// The folder of relative paths: so deep that `..` in references rarely leads out of it.
  private static let anywhere = "/1/2/3/4/5/6/7/8/"

  /// An absolute path without dots, also for a source whose own path is relative.
  static func location(of source: ImportSource) -> String {
    // Standard input has no extension, which the copy needs.
    let isJSON = source.bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
    let ending = source.fileExtension.isEmpty ? isJSON ? ".json" : ".yaml" : ""
    return normalized((source.path.hasPrefix("/") ? "" : anywhere) + source.path + ending)
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
