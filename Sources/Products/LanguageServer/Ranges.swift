import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

extension LanguageServer {
  /// The files that a document names, as links.
  mutating func links(_ document: OpenDocument) async -> JSONValue {
    guard let file = await reading(of: document).file(document.path) else { return .array([]) }
    let named = file.extends + file.needs.map(\.file.path) + file.allRequests.compactMap { $0.use?.file.path }
    return .array(
      named.compactMap { reference in
        guard reference.range.source.name == document.path, let path = document.file(named: reference.value) else {
          return nil
        }
        return [
          "range": document.text.range(reference.range.bytes, encoding), "target": .string(uri(ofPath: path)),
        ]
      })
  }

  /// The ranges around each position: the word, the line without indentation, the request, the flow and the document around it.
  mutating func selectionRanges(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard case .array(let positions)? = params["positions"] else { return .array([]) }
    let file = await reading(of: document).file(document.path)
    let text = document.text
    let larger = (file?.allRequests.map(\.range.bytes) ?? []) + (file?.flows.map(\.range.bytes) ?? [])
    return .array(
      positions.map { position in
        let offset = text.offset(of: position, encoding) ?? 0
        let line = document.line(at: offset)
        let start = text.utf8[line].firstIndex { $0 != 0x20 && $0 != UInt8(ascii: "-") } ?? line.lowerBound
        let around = [
          CursorContext.at(offset, in: text.utf8).word, min(start, offset)..<line.upperBound,
        ]
        let all = around + larger.filter { $0.contains(offset) } + [0..<text.utf8.count]
        var result = JSONValue.null
        var outer: Range<Int>?
        for bytes in all.sorted(by: { $0.count > $1.count }) {
          // Each is in the one before.
          if let outer, bytes == outer || bytes.clamped(to: outer) != bytes { continue }
          outer = bytes
          var range: [String: JSONValue] = ["range": text.range(bytes, encoding)]
          if result != .null { range["parent"] = result }
          result = .object(range)
        }
        return result
      })
  }

  /// The requests of the workspace whose names contain a text.
  func workspaceSymbols(_ params: JSONValue) async -> JSONValue {
    let query = (params["query"]?.stringValue ?? "").lowercased()
    let reading = await read(documents.values.map(\.source) + folders.map { .path($0) })
    let requests = reading.inspection.specs.filter { $0.id == nil }.flatMap { spec in
      spec.file.allRequests.map { (request: $0, file: spec.file) }
    }
    let found = requests.lazy.filter { query.isEmpty || $0.request.title.lowercased().contains(query) }
    return .array(
      found.prefix(500).map { request, file in
        [
          "name": .string(request.title), "kind": 12, "location": location(request.range.firstLine),
          "containerName": .string(file.name ?? file.path),
        ]
      })
  }
}
