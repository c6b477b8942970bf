import JSONRPC
import OperatingSystem
import ReqrunKit
import RequestSpecs
import Templates
import Values

extension LanguageServer {
  /// The name at a position, if it can be renamed.
  mutating func renamed(_ document: OpenDocument, _ params: JSONValue) async throws(ResponseError) -> JSONValue {
    let reading = await reading(of: document)
    let (name, place, _) = try name(in: document, params, [reading])
    return ["range": document.text.range(place.bytes, encoding), "placeholder": .string(name)]
  }

  /// The edits that rename the variable, capture, need or argument at a position in all files of the workspace.
  mutating func rename(_ document: OpenDocument, _ params: JSONValue) async throws(ResponseError) -> JSONValue {
    let newName = params["newName"]?.stringValue ?? ""
    guard Template.isName(newName) else {
      throw .failed("`\(newName)` is not a name: write a letter or `_`, then letters, digits and `_`")
    }
    // A project file alone says nothing of the specs beside it.
    let directories = folders.isEmpty && isProjectName(document.path) ? [document.directory] : folders
    let sources = documents.values.map(\.source) + directories.map { .path($0) }
    let readings = await readForEachEnvironment(sources)
    let (_, place, places) = try name(in: document, params, readings)
    let wanted = places.places(with: place)
    if let outside = wanted.first(where: { places.outside.contains($0) }) {
      throw .failed("the environment gives its value: \(outside.path) names the environment variable")
    }
    let others = NamePlaces(of: newName, in: readings)
    let files = Set(wanted.map(\.path))
    let first = others.all.filter { files.contains($0.path) }.min { $0.bytes.lowerBound < $1.bytes.lowerBound }
    if let other = first, let source = others.sources[other.path] {
      throw .failed("`\(newName)` exists already: \(SourceRange(source, other.bytes).location)")
    }
    var texts: [String: [UInt8]] = [:]
    var changes: [String: JSONValue] = [:]
    for (path, found) in Dictionary(grouping: wanted, by: \.path) {
      guard let source = places.sources[path] else { continue }
      let ranges = found.map(\.bytes).sorted { $0.lowerBound < $1.lowerBound }
      var utf8 = source.utf8
      for bytes in ranges.reversed() { utf8.replaceSubrange(bytes, with: newName.utf8) }
      texts[canonicalPath(path) ?? path] = utf8
      changes[uriOfOpen(path)] = .array(
        ranges.map { ["range": source.range($0, encoding), "newText": .string(newName)] })
    }
    try await check(sources, over: texts, readings)
    return ["changes": .object(changes)]
  }

  private func readForEachEnvironment(
    _ sources: [SpecSource], over texts: [String: [UInt8]] = [:]
  ) async -> [Reading] {
    var readings = [await read(sources, over: texts)]
    for name in readings[0].inspection.environmentNames where name != options.environment {
      var server = self
      server.options.environment = name
      readings.append(await server.read(sources, over: texts))
    }
    return readings
  }

  /// Refuses changes after which there are more errors.
  private func check(
    _ sources: [SpecSource], over texts: [String: [UInt8]], _ readings: [Reading]
  ) async throws(ResponseError) {
    func errors(_ reading: Reading) -> [String: [Values.Diagnostic]] {
      Dictionary(grouping: reading.inspection.diagnostics.filter { $0.severity == .error }) {
        $0.range?.source.name ?? ""
      }
    }
    let renamed = await readForEachEnvironment(sources.map { $0.replaced(by: texts) }, over: texts)
    for (before, after) in zip(readings.map(errors), renamed.map(errors)) {
      for (path, found) in after where found.count > before[path]?.count ?? 0 {
        let error = found.first { error in before[path]?.contains { $0.message == error.message } != true } ?? found[0]
        throw .failed("the new name would be an error: \(error.range?.location ?? path): \(error.message)")
      }
    }
  }

  /// The name at a position with its places.
  private func name(
    in document: OpenDocument, _ params: JSONValue, _ readings: [Reading]
  ) throws(ResponseError) -> (String, NamePlaces.Place, NamePlaces) {
    let nothing = ResponseError.failed("there is no name of a variable, capture or need here")
    guard let offset = document.text.offset(of: params["position"], encoding) else { throw nothing }
    let utf8 = document.text.utf8
    let start = utf8[..<offset].lastIndex { !isWordCharacter($0) }.map { $0 + 1 } ?? 0
    let end = utf8[offset...].firstIndex { !isWordCharacter($0) } ?? utf8.count
    let name = document.text.text(in: start..<end)
    let places = NamePlaces(of: name, in: readings)
    let place = NamePlaces.Place(document.path, start..<end)
    guard places.all.contains(place) else { throw nothing }
    return (name, place, places)
  }
}

extension SpecSource {
  /// The source with its text from these, which are known by canonical path.
  fileprivate func replaced(by texts: [String: [UInt8]]) -> SpecSource {
    guard case .text(_, let name) = self, let utf8 = texts[canonicalPath(name) ?? name] else { return self }
    return .text(String(decoding: utf8, as: UTF8.self), name: name)
  }
}
