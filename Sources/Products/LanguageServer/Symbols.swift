import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

extension LanguageServer {
  /// The flows and requests of a document.
  mutating func symbols(_ document: OpenDocument) async -> JSONValue {
    guard let file = await reading(of: document).file(document.path) else { return .array([]) }
    let flows = file.flows.filter { !$0.isWholeFile }.map { flow in
      symbol(flow.staticName, kind: 3, flow.range, in: document, children: flow.allRequests)
    }
    let whole = file.flows.filter(\.isWholeFile).flatMap(\.allRequests)
    let requests = (file.setup + whole + file.requests + file.teardown).map { symbol($0, in: document) }
    return .array(requests + flows)
  }

  private func symbol(_ request: RequestSpec, in document: OpenDocument) -> JSONValue {
    symbol(request.title, kind: 12, request.range, in: document, children: [])
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
  mutating func foldingRanges(_ document: OpenDocument) async -> JSONValue {
    guard let file = await reading(of: document).file(document.path) else { return .array([]) }
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

extension RequestSpec {
  /// The name, or method and URL as written.
  var title: String {
    if let name = name?.literal?.masked { return name }
    if let use { return "use \(use.file.text)" }
    let method = settings.method.value?.literal?.rawValue ?? ""
    let url = settings.url.value?.literal.map { "\($0)" } ?? ""
    return String("\(method) \(url)".trimming { $0 == " " })
  }
}
