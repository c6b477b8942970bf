import ReqrunKit
import RequestSpecs
import Values

/// The contents of documents at one version, with the names that their templates read.
struct Reading: Sendable {
  let inspection: SpecInspection
  let names: NameRecorder

  /// The file at a path as a spec; nil if it isn't one.
  func file(_ path: String) -> SpecFile? { inspection.specs.first { $0.id == nil && $0.file.path == path }?.file }

  /// Returns whether the document is a spec or a project file, or text that seems to become one: other files are the
  /// business of other tools.
  func isSpec(_ document: OpenDocument) -> Bool {
    inspection.openSpecs.contains(document.key)
      || inspection.isUnreadable(document.key) && (document.wasSpec || document.isLikeSpec)
  }

  /// Returns whether the document is an OpenAPI document.
  func isContract(_ document: OpenDocument) -> Bool { inspection.contractPaths.contains(document.path) }

  /// The problems of a document.
  func problems(of document: OpenDocument) -> [Values.Diagnostic] {
    isSpec(document) || isContract(document)
      ? inspection.diagnostics.filter { $0.range?.source.name == document.path } : []
  }

  /// The name in a template at a position, with its origin.
  func use(at offset: Int, in document: OpenDocument) -> (range: SourceRange, name: String, origin: NameOrigin)? {
    names.uses.lazy.compactMap { use in
      guard use.reference.range.isAt(offset, in: document.path), let origin = use.origin else { return nil }
      return (use.reference.range, use.reference.name, origin)
    }.first
  }
}

extension LanguageServer {
  /// The options for reading what is open in place of what is on disk.
  var readingOptions: RunOptions {
    var options = options
    for document in documents.values { options.openTexts[document.key] = document.text.utf8 }
    return options
  }

  /// Reads specs, with what is open in place of what is on disk.
  ///
  /// - Parameter texts: texts in place of these, by canonical path.
  func read(_ specs: [SpecSource], over texts: [String: [UInt8]] = [:], noting used: UsedFiles? = nil) async -> Reading
  {
    let names = NameRecorder()
    var options = readingOptions
    options.openTexts.merge(texts) { $1 }
    (options.specs, options.nameRecorder, options.usedFiles) = (specs, names, used)
    options.contractUse = .checked
    return Reading(inspection: await Runner(options).inspect(), names: names)
  }

  /// The reading of a document beside the other open ones, which is made once for each change.
  mutating func reading(of document: OpenDocument) async -> Reading {
    if let known = readings[document.uri] { return known }
    return await read([document])
  }

  /// The reading of the workspace's folders, which is made once for each change.
  mutating func workspaceReading() async -> Reading {
    if let known = readings[""] { return known }
    let reading = await read(folders.map { .path($0) })
    readings[""] = reading
    return reading
  }

  /// Reads documents together, and keeps what was read until something changes.
  mutating func read(_ documents: [OpenDocument]) async -> Reading {
    for document in documents { used.restart(document.key) }
    let reading = await read(documents.map(\.source), noting: used)
    for document in documents {
      readings[document.uri] = reading
      if reading.inspection.openSpecs.contains(document.key) || reading.isContract(document) {
        self.documents[document.uri]?.wasSpec = true
      }
    }
    return reading
  }
}

extension SourceRange {
  func isAt(_ offset: Int, in path: String) -> Bool {
    bytes.lowerBound <= offset && offset <= bytes.upperBound && source.name == path
  }
}
