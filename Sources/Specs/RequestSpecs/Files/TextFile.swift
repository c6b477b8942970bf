import Synchronization
import Templates
import Values

/// A file that a request takes text from.
///
/// If its path is a literal, and it contains templates, it is read once, before anything is sent; otherwise when its
/// request is sent.
package final class TextFile: Sendable {
  package let path: Field<FileReference>
  package let fillsIn: Bool
  package let range: SourceRange
  /// The last that was read.
  private let last = Mutex<Reading?>(nil)

  /// A text as it was read, and its template; nil if it has none.
  private struct Reading {
    let path: String
    let source: SourceText
    let template: Template?
  }

  init(path: Field<FileReference>, fillsIn: Bool, range: SourceRange) {
    self.path = path
    self.fillsIn = fillsIn
    self.range = range
  }

  /// The file's content if it was read already.
  package var template: Template? {
    path.literal == nil ? nil : last.withLock { $0?.template }
  }

  package var templates: [Template] { path.templates + (template.map { [$0] } ?? []) }

  /// Reads and parses the file, if that is possible before anything is sent.
  package func prepare(
    into bag: inout DiagnosticBag, read: (FileReference, SourceRange) throws(DecodingProblem) -> [UInt8]
  ) {
    guard fillsIn, template == nil, let reference = path.literal else { return }
    do throws(DecodingProblem) {
      let text = try text(of: try read(reference, path.range), reference.path)
      parse(text, reference.path.string, into: &bag)
    } catch {
      bag.error(error.code, error.message, at: path.range, help: error.help)
    }
  }

  /// The text with its templates evaluated.
  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Text {
    if let template { return try template.evaluateText(in: scope) }
    let reference = try path.resolve(in: scope)
    let bytes = try scope.readFile(reference.path.string, from: path.range)
    let content: String
    do throws(DecodingProblem) {
      content = try text(of: bytes, reference.path)
    } catch {
      throw TemplateError(error, at: path.range)
    }
    guard fillsIn else {
      guard content.contains("${{") else { return Text(content) }
      throw TemplateError(
        "\"\(reference.path.masked)\" has `${{ … }}`, which would be sent as it stands", at: range,
        help: "write {file: …, template: true}")
    }
    if let known = last.withLock({ $0 }), known.path == reference.path.string, let template = known.template,
      known.source.utf8.elementsEqual(content.utf8)
    {
      return try template.evaluateText(in: scope)
    }
    var bag = DiagnosticBag()
    guard let template = parse(content, reference.path.string, into: &bag) else {
      let problem = bag.diagnostics.first
      throw TemplateError(
        problem?.message ?? "the file has broken templates", at: problem?.range ?? path.range, help: problem?.help)
    }
    return try template.evaluateText(in: scope)
  }

  private func text(of bytes: [UInt8], _ path: Text) throws(DecodingProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DecodingProblem(
        .unreadableFile, "\"\(path.masked)\" is not UTF-8 text",
        help: fillsIn ? "send it as it is, without `template: true`" : nil)
    }
    return text
  }

  @discardableResult
  private func parse(_ text: String, _ path: String, into bag: inout DiagnosticBag) -> Template? {
    let source = SourceText(name: nameBesideSpec(path), text: text)
    let template = Template.parse(text, place: { SourceRange(source, $0) }, into: &bag)
    last.withLock { $0 = Reading(path: path, source: source, template: template) }
    return template
  }

  /// The name for messages: with the folder of the spec.
  private func nameBesideSpec(_ path: String) -> String {
    let spec = range.source.name
    guard !path.hasPrefix("/"), let slash = spec.lastIndex(of: "/") else { return path }
    return spec[...slash] + path
  }
}
