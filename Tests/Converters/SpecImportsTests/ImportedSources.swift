import Foundation
import ReqrunConverters
import ReqrunKit
import SpecImports
import TestSupport
import Testing
import Values
import YAMLNodes

/// The reader of a kind, by its name.
func reader(_ kind: String) throws -> ImportReader {
  try #require(ImportFormat(rawValue: kind)).reader
}

/// Composes a collection; its specs must be as the formatter would write them.
func composedImport(_ collection: ImportedCollection) -> ComposedImport {
  let composed = SpecComposer.compose(collection)
  let attachments = collection.attachments.map(\.path)
  for (path, bytes) in composed.files where !attachments.contains(path) {
    var bag = DiagnosticBag()
    let formatted = YAMLReader.formatted(bytes: bytes, name: path, into: &bag).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(formatted == String(decoding: bytes, as: UTF8.self), "\(path)")
  }
  return composed
}

/// The result of importing sources of a kind.
struct ImportedSources {
  /// Nil if the sources were rejected.
  let collection: ImportedCollection?
  /// The texts of the composed files by their paths.
  let files: [String: String]
  /// The number of requests in them.
  let requests: Int
  let untranslated: [Untranslated]
  let problems: [String]

  var remarks: [String] { untranslated.map { "\($0.reason): \($0.source)" } }

  init(_ kind: String, _ sources: [(String, String)]) throws {
    try self.init(kind, sources.map { ImportSource(path: $0.0, bytes: Array($0.1.utf8)) })
  }

  init(_ kind: String, _ sources: [ImportSource]) throws {
    let kind = try reader(kind)
    var bag = DiagnosticBag()
    collection = kind.read(sources, ImportSelection(), &bag)
    let composed = collection.map { composedImport($0) }
    let texts = (composed?.files ?? []).map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
    files = Dictionary(texts, uniquingKeysWith: { $1 })
    requests = composed?.requests ?? 0
    untranslated = composed?.untranslated ?? []
    problems = bag.diagnostics.map(\.message)
  }
}

/// The files of a suite, imported one by one; all of their requests must be made.
struct ImportedSuite {
  private(set) var files = 0
  private(set) var requests = 0
  /// The number of parts without a form, by the reason.
  private(set) var remarks: [String: Int] = [:]

  /// - Parameter suite: its directory in `REQRUN_CONFORMANCE`.
  init(_ kind: String, _ suite: String, where isSource: (_ name: String) -> Bool) throws {
    let folder = "\(try #require(conformanceRoot))/\(suite)/"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).filter(isSource).sorted() {
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: folder + name)))
      let result = try ImportedSources(kind, [ImportSource(path: name, bytes: bytes)])
      let collection = try #require(result.collection)
      #expect(result.problems.isEmpty, "\(name)")
      #expect(result.requests == collection.files.reduce(0) { $0 + $1.requests.count }, "\(name)")
      files += 1
      requests += result.requests
      for part in result.untranslated { remarks[part.reason, default: 0] += 1 }
    }
  }
}
