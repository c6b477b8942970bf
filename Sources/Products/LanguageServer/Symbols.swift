import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

extension LanguageServer {
  /// The flows and requests of a document.
  func symbols(_ document: OpenDocument) -> JSONValue {
    guard let file = document.spec else { return .array([]) }
    let flows = file.flows.filter { !$0.isWholeFile }.map { flow in
      symbol(flow.staticName, kind: 3, flow.range, in: document, children: flow.allRequests)
    }
    let whole = file.flows.filter(\.isWholeFile).flatMap(\.allRequests)
    let requests = (file.setup + whole + file.requests + file.teardown).map { symbol($0, in: document) }
    return .array(requests + flows)
  }

  private func symbol(_ request: RequestSpec, in document: OpenDocument) -> JSONValue {
    let method = request.settings.method.value?.literal?.rawValue ?? ""
    let url = request.settings.url.value?.literal.map { "\($0)" } ?? ""
    let name = request.name?.literal?.masked ?? (request.use.map { "use \($0.file.text)" } ?? "\(method) \(url)")
    return symbol(name, kind: 12, request.range, in: document, children: [])
  }

  private func symbol(
    _ name: String, kind: Int, _ range: SourceRange, in document: OpenDocument, children: [RequestSpec]
  ) -> JSONValue {
    let text = document.text
    let name = String(name.trimming { $0 == " " })
    return [
      "name": .string(name.isEmpty ? "request" : name), "kind": .number(String(kind)),
      "range": text.range(range.bytes, encoding),
      "selectionRange": text.range(range.bytes.lowerBound..<text.endOfFirstLine(range.bytes), encoding),
      "children": .array(children.map { symbol($0, in: document) }),
    ]
  }

  /// The lines of flows and requests.
  func foldingRanges(_ document: OpenDocument) -> JSONValue {
    guard let file = document.spec else { return .array([]) }
    let ranges = file.flows.map(\.range) + file.allRequests.map(\.range)
    return .array(
      ranges.compactMap { range in
        let text = document.text
        let first = text.lineIndex(at: range.bytes.lowerBound)
        let last = text.lineIndex(at: max(range.bytes.lowerBound, range.bytes.upperBound - 1))
        return last > first ? ["startLine": .number(String(first)), "endLine": .number(String(last))] : nil
      })
  }
}

extension SourceText {
  fileprivate func endOfFirstLine(_ bytes: Range<Int>) -> Int {
    min(bytes.upperBound, max(bytes.lowerBound, lineBytes(lineIndex(at: bytes.lowerBound)).upperBound))
  }
}

extension OpenDocument {
  /// The path without links, by which files are known.
  var key: String { canonicalPath(path) ?? path }

  /// The file as far as it can be read; nil if it isn't a spec.
  var spec: SpecFile? {
    var ignored = DiagnosticBag()
    guard
      case .spec(let file)? = LoadedFile.read(
        bytes: text.utf8, path: path, asProject: isProjectName(path), into: &ignored)
    else { return nil }
    return file
  }

  /// The open text as an argument of a run.
  var source: SpecSource { .text(String(decoding: text.utf8, as: UTF8.self), name: path) }
}
