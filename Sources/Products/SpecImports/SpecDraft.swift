import Diagnostics
import RequestSpecs
import Values
import YAMLNodes

/// A request of a draft.
struct DraftRequest {
  /// Nil if no spec can say the request.
  var node: YAMLNode?
  var comments: [String]
  var untranslated: [Untranslated]
}

/// A spec while it is composed.
struct SpecDraft {
  let path: String
  /// The names in the source that have a value here, and whether it is a text.
  let declared: [String: Bool]
  /// The names in the source that the current request alone declares, and whether it is a text.
  var own: [String: Bool] = [:]
  /// The names in the source that requests capture, up to the current one.
  var captured: Set<String> = []
  /// The names in the source that earlier files capture, with their paths.
  var earlierCaptures: [String: [String]] = [:]
  /// The paths of needed files, by the names of the needs.
  var needs: [(name: String, path: String)] = []

  var comments: [String] = []
  var members: [(key: String, value: YAMLNode)] = []
  var variables: [(key: String, value: YAMLNode)] = []
  var secrets: [String] = []
  /// The names without a value, which are read from the environment.
  var missing: [String] = []
  /// The secrets that hold credentials found in the source.
  var credentials: [String] = []
  var defaults: [(key: String, value: YAMLNode)] = []
  var requests: [DraftRequest] = []
  /// The parts of the file, not of a request, that could not be translated.
  private(set) var untranslated: [Untranslated] = []
  /// The parts that could not be translated, since they were last taken.
  var told: [Untranslated] = []

  init(path: String, declared: [String: Bool]) {
    self.path = path
    self.declared = declared
  }

  mutating func takeTold() -> [Untranslated] {
    defer { told = [] }
    return told
  }

  /// Takes what has been told so far as that of the file.
  mutating func endComments() {
    untranslated += takeTold()
  }

  /// Makes comments of the requests with errors; returns whether there are any.
  ///
  /// - Parameter text: the draft as it is written, which the errors have their places in.
  mutating func leaveOut(_ problems: [Diagnostic], from text: [UInt8]) -> Bool {
    var bag = DiagnosticBag()
    let items = YAMLReader.read(bytes: text, name: path, into: &bag).root?["requests"]?.items ?? []
    let places = requests.indices.filter { requests[$0].node != nil }
    var captures: [String] = []
    var isChanged = false
    for (place, item) in zip(places, items) {
      let bytes = item.range.bytes
      guard let node = requests[place].node,
        let problem = problems.first(where: { $0.range.map { bytes.contains($0.bytes.lowerBound) } ?? false })
      else { continue }
      isChanged = true
      requests[place].node = nil
      requests[place].untranslated.append(
        Untranslated(reason: "requests that are not valid", source: "\(problem.message)\n\(YAMLWriter.text(of: node))"))
      captures += node["capture"]?.members?.map(\.key) ?? []
    }
    if !captures.isEmpty {
      // Requests that read them get them from the environment.
      let others = requests.compactMap { $0.node.map { YAMLWriter.text(of: $0) } }
      missing += captures.filter { name in !missing.contains(name) && others.contains { $0.contains(name) } }
    }
    return isChanged
  }

  // MARK: text

  /// The text of the spec, formatted.
  ///
  /// - Parameter secrets: the credentials that must not stand in comments.
  func text(
    _ requests: [DraftRequest], environments: [(key: String, value: YAMLNode)] = [],
    secrets: [(name: String, value: String)] = []
  ) -> [UInt8] {
    var text = commentLines(comments, untranslated, secrets).map { "# \($0)\n" }.joined()
    if !text.isEmpty { text += "\n" }
    var heading = members + declarations + environmentMembers(environments)
    // A file of comments alone would be empty.
    if heading.isEmpty, !requests.contains(where: { $0.node != nil }) { heading = [("name", .text(path))] }
    let head = YAMLNode.mapping(heading).inKeyOrder
    if head.members?.isEmpty == false { text += YAMLWriter.text(of: head) }
    if requests.contains(where: { $0.node != nil }) { text += "requests:\n" }
    for request in requests {
      let lines = commentLines(request.comments, request.untranslated, secrets)
      // A blank line after a text that ends with one would be part of it.
      text += (text.hasSuffix("\n\n") ? "" : "\n") + lines.map { "# \($0)\n" }.joined()
      if let node = request.node { text += YAMLWriter.text(of: .list([node.requestInKeyOrder])) }
    }
    var bag = DiagnosticBag()
    return YAMLReader.formatted(bytes: Array(text.utf8), name: path, into: &bag) ?? Array(text.utf8)
  }

  private var declarations: [(key: String, value: YAMLNode)] {
    var result: [(key: String, value: YAMLNode)] = []
    if !needs.isEmpty { result.append(("needs", .mapping(needs.map { ($0.name, .text(relativePath(of: $0.path))) }))) }
    let secretNames = missing.filter(isSecretName) + secrets + credentials
    let values = variables + missing.filter { !isSecretName($0) }.map { ($0, .text("${{ env.\($0) }}")) }
    if !values.isEmpty { result.append(("variables", .mapping(values))) }
    if !secretNames.isEmpty { result.append(("secrets", .list(secretNames.map { .text($0) }))) }
    if !defaults.isEmpty { result.append(("defaults", .mapping(defaults))) }
    return result
  }

  private func environmentMembers(
    _ environments: [(key: String, value: YAMLNode)]
  ) -> [(key: String, value: YAMLNode)] {
    guard let first = environments.first else { return [] }
    return [("environments", .mapping(environments)), ("default_environment", .text(first.key))]
  }

  /// The path of another spec, relative to this one.
  private func relativePath(of other: String) -> String {
    let own = path.split(separator: "/").dropLast()
    let parts = other.split(separator: "/")
    let common = zip(own, parts.dropLast()).prefix { $0 == $1 }.count
    return (own.dropFirst(common).map { _ in ".." } + parts.dropFirst(common)).joined(separator: "/")
  }
}

/// The maximum number of lines of a part of a source in a comment.
private let mostCommentLines = 60

private func commentLines(
  _ comments: [String], _ untranslated: [Untranslated], _ secrets: [(name: String, value: String)]
) -> [String] {
  var lines = comments.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
  for part in untranslated {
    let source = part.source.split(whereSeparator: \.isNewline)
    if source.count < 2 {
      lines.append("not translated (\(part.reason)): \(source.first ?? "")")
    } else {
      lines.append("not translated (\(part.reason)):")
      lines += source.prefix(mostCommentLines).map { "  \($0)" }
      if source.count > mostCommentLines { lines.append("  … and \(source.count - mostCommentLines) more lines") }
    }
  }
  return lines.map { line in
    var text = String(line.prefix(400))
    for secret in secrets where secret.value.utf8.count > 3 && !secret.value.isPlaceholder {
      text.replace(secret.value, with: "***")
    }
    return sanitizedForTerminal(concealingSecrets(in: text))
  }
}

extension String {
  /// Indicates a type in place of a value, such as `<string>`.
  fileprivate var isPlaceholder: Bool { hasPrefix("<") && hasSuffix(">") }
}
