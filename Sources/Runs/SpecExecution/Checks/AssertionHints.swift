import HTTPSemantics
import Matching
import RequestSpecs
import Values

extension AssertionEvaluation {
  /// A hint beyond the predicate's own.
  func hint(_ hint: String?, for assertion: Assertion, _ subject: MatchSubject) throws -> String? {
    switch (assertion.subject, subject) {
    case (_, .missing):
      let hints = [try subjects.absence(of: assertion.subject), hint].compactMap(\.self)
      return hints.isEmpty ? nil : hints.joined(separator: "\n")
    case (.json, .list(let nodes)) where nodes.count == 0, (.events, .list(let nodes)) where nodes.count == 0,
      (.calls, .list(let nodes)) where nodes.count == 0, (.csv, .list(let nodes)) where nodes.count == 0:
      return try subjects.absence(of: assertion.subject) ?? hint
    case (.certificate(.expiresIn), _):
      return hint ?? response.certificates.first.map { "it expires at \($0.expires.iso8601)" }
    case (.duration, _), (.timing(.total), _): return hint ?? response.phases
    case (.xpath(let spec), _): return response.absence(of: try spec.resolve(in: scope)) ?? hint
    case (.json, _), (.events, _), (.calls, _), (.csv, _):
      return try hint ?? subjects.query(assertion.subject).flatMap { path, document in path.ambiguity(in: document) }
    case (.body, _): return hint ?? response.bodyNote
    case (.header(let name), .lines(let lines)):
      return try hint ?? contentTypeHint(try name.resolve(in: scope).string, assertion, lines)
    default: return hint
    }
  }

  /// A hint for a content type that is compared without its parameters.
  private func contentTypeHint(_ name: String, _ assertion: Assertion, _ lines: [Text]) throws -> String? {
    guard equalsIgnoringCase(name, "Content-Type"), let line = lines.first, lines.count == 1,
      case .predicates(let specs) = assertion.check, specs.count == 1,
      case .text(let type)? = try specs[0].resolve(in: scope).value(of: .equals), !type.string.contains(";"),
      mediaType(line.string, matches: type.string)
    else { return nil }
    return "the types are the same, and parameters follow: `content_type: \(type.masked)` compares the types alone"
  }
}
