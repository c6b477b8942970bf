import Diagnostics
import HTTPMessages
import JSONQueries
import Values
import YAMLNodes

extension SpecReader {
  /// What only the whole request can tell.
  mutating func checkRequest(_ request: RequestSpec, members: [YAMLMember]) {
    checkBodies(members)
    let settings = request.settings
    if let field = settings.expect.failure.value, settings.expect.assertions.contains(where: { _ in true }) {
      bag.error(
        "`error` stands alone under `expect`: a failed exchange has no answer to check", at: field.range)
    }
  }

  /// Two body keys in one request are an error.
  mutating func checkBodies(_ members: [YAMLMember]) {
    let bodies = members.filter { bodyKeys.contains($0.key) && !$0.value.isNull }
    guard let first = bodies.first else { return }
    for other in bodies.dropFirst() {
      bag.error(
        "`\(other.key)` and `\(first.key)` are both bodies: a request has one", at: other.keyRange,
        notes: [Diagnostic.Note("the other body stands here", at: first.keyRange)])
    }
  }
}

/// Whether a text is a JSON document as a whole.
func looksLikeJSON(_ text: String) -> Bool {
  do {
    _ = try JSONDocument(parsing: Array(text.utf8))
    return true
  } catch {
    return false
  }
}
