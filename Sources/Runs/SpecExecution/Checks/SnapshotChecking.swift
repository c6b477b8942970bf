import DocumentQueries
import HTTPSemantics
import Matching
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// Compares a response's body with its snapshot.
package struct SnapshotChecking {
  package let response: Response
  package let request: RequestStep
  package let scope: FileScope
  package let store: SnapshotStore

  /// - Parameter isGood: whether all other expectations were met.
  package func outcome(of spec: SnapshotSpec, isGood: Bool) throws(TemplateError) -> SnapshotStore.Outcome {
    let name = try request.snapshotName(of: spec, in: scope)
    var ignored: [JSONPath] = []
    for path in spec.ignored { ignored.append(try path.resolve(in: scope)) }
    do {
      let body = try body(ignoring: ignored)
      // It may be incomplete.
      if EvaluationBudget.current?.isExhausted == true { return .same }
      let folder = try scope.snapshotFolder(makes: store.updates && isGood)
      return store.check(body, as: name, in: folder, ignoring: ignored, isGood: isGood, request: request.number)
    } catch let error as Response.Unreadable {
      let expected = spec.ignored.isEmpty ? "a body to compare" : "JSON, in which `ignore` names places"
      return failed(error.message, error.help, expected: expected)
    } catch let error as JSONPathError {
      return failed(error.message, error.help)
    } catch let error as DecodingProblem {
      return failed(error.message, error.help)
    } catch {
      return failed("\(error)", nil)
    }
  }

  /// Warns of places that are not in the body, since their names are misspelt, and of those that leave nothing.
  func warningsOfIgnored(_ spec: SnapshotSpec, of assertion: Assertion) throws(TemplateError) -> [AssertionReport] {
    guard !spec.ignored.isEmpty, let document = try? response.json() else { return [] }
    var warnings = ResponseWarnings(registry: scope.registry)
    var ignored: Set<Int> = []
    for place in spec.ignored.prefix(ResponseWarnings.absenceLimit) {
      let path = try place.resolve(in: scope)
      guard let selection = try? response.selection(of: path, in: document) else { continue }
      ignored.formUnion(selection.nodes.map(\.position))
      guard selection.nodes.isEmpty, let doubt = path.doubt(in: document) else { continue }
      warnings.report(doubt, of: "\(assertion.label), ignore \(path.text)", at: place.range)
    }
    let parts = document.root.kind == .mapping ? document.root.members.map(\.value) : Array(document.root.items)
    if !parts.isEmpty, parts.allSatisfy({ ignored.contains($0.position) }) {
      warnings.report(
        Doubt(
          "nothing is compared", expected: Text("a part of the body that is not ignored"),
          actual: Text("`ignore` has all of it"), hint: "name the places in it that change, such as $.id"),
        of: assertion.label, at: spec.ignored[0].range)
    }
    return warnings.warnings
  }

  private func failed(
    _ actual: String, _ hint: String?, expected: String = "a body to compare"
  ) -> SnapshotStore.Outcome {
    .failed([MatchFailure(predicate: "", expected: Text(expected), actual: Text(actual), hint: hint)])
  }

  private func body(ignoring paths: [JSONPath]) throws -> SnapshotBody {
    guard response.bodyCount <= SnapshotBody.limit else {
      throw Response.Unreadable(
        "the body has \(response.bodyCount) bytes, and a snapshot may have \(SnapshotBody.limit >> 20) MiB",
        help: "compare it by `bytes: {sha256: …}`")
    }
    let bytes = try response.documentBytes()
    let type = MediaType(response.head.headers.first("Content-Type")).essence
    let looksLikeJSON =
      bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 == 0x7B || $0 == 0x5B } ?? false
    if looksLikeJSON || type.hasSuffix("json") || !paths.isEmpty {
      do {
        let document = try response.json()
        try response.take(document.root.valueMemory, for: "the comparison with the snapshot")
        return try SnapshotBody(json: document, ignoring: paths) { [registry = scope.registry] in
          registry.filtered($0)
        }
      } catch let problem as Response.Unreadable {
        if !paths.isEmpty || problem.isUndecided { throw problem }
      }
    }
    guard let text = try text(bytes) else { return SnapshotBody(binary: bytes) }
    let kind: SnapshotKind = type.hasSuffix("html") ? .html : type.hasSuffix("xml") ? .xml : .text
    return SnapshotBody(text: text, kind: kind)
  }

  /// The body as text; nil if it isn't text.
  private func text(_ bytes: [UInt8]) throws -> Text? {
    if bytes.contains(0) { return response.isUTF16 ? textOfUTF16() : nil }
    let text = try response.body()
    let isText = String(validating: bytes, as: UTF8.self) != nil || !text.string.unicodeScalars.contains("\u{FFFD}")
    return isText ? text : nil
  }

  /// Nil if the body only seems to be UTF-16 by its first bytes.
  private func textOfUTF16() -> Text? {
    guard let text = try? response.body(), !text.string.utf8.contains(0) else { return nil }
    return text
  }
}

extension RequestStep {
  /// The name of its snapshot.
  package func snapshotName(of spec: SnapshotSpec, in scope: FileScope) throws(TemplateError) -> SnapshotName {
    if let name = snapshotName, scope.rowName == nil { return name }
    let title = try spec.name?.resolve(in: scope).masked ?? staticName
    // Each row has its own, unless the name distinguishes them.
    let text = spec.name?.literal == nil && spec.name != nil ? title : scope.rowName.map { "\(title)/\($0)" } ?? title
    guard let name = SnapshotName(text) else {
      throw TemplateError(
        DecodingProblem(.invalidName, "no file name can be made of \"\(jsonEscaped(text))\" for the snapshot"),
        at: spec.name?.range ?? range)
    }
    return name
  }
}
