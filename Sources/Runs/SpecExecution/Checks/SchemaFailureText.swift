import JSONSchemas
import Matching
import RequestSpecs
import Values

/// The schema violations of a response's body, for reports.
package struct SchemaFailureText {
  private let result: SchemaResult
  private let spec: SchemaSpec
  private let response: Response

  package init(_ result: SchemaResult, of spec: SchemaSpec, response: Response) {
    self.result = result
    self.spec = spec
    self.response = response
  }

  package var matchFailure: MatchFailure {
    let expected = Text("valid against \(name)")
    if let problem = result.problem {
      return MatchFailure(predicate: "", expected: expected, actual: Text("no result: \(problem)"))
    }
    var list = DifferenceList()
    var hints: Set<String> = []
    for failure in result.failures { add(failure, in: nil, to: &list, &hints) }
    list.more += result.more
    let count = list.listed.count + list.more
    return MatchFailure(
      predicate: "the body breaks it", expected: expected, actual: summary(count), differences: list.listed,
      moreDifferences: list.more)
  }

  private var name: String {
    if case .file(let path) = spec.content { path.value } else { "the schema" }
  }

  /// A summary in one line, for reports without more space.
  private func summary(_ count: Int) -> Text {
    var text = Text(counted(count, "failure"))
    guard let first = result.failures.first else { return text }
    text.append(": ")
    text.append(response.filtered(place(first)))
    if let expected = first.expected { text.append(", expected " + response.filtered(expected)) }
    if let actual = actual(first) { text.append((first.expected == nil ? " is unexpected: " : ", found ") + actual) }
    if first.isMissing { text.append(", missing") }
    return text
  }

  private func add(
    _ failure: SchemaFailure, in branch: String?, to list: inout DifferenceList, _ hints: inout Set<String>
  ) {
    guard list.listed.count < DifferenceList.limit else {
      list.more += 1
      return
    }
    var difference = Difference(
      path: place(failure), kind: failure.isMissing ? .missing : failure.expected == nil ? .unexpected : .changed,
      expected: failure.expected.map { response.filtered($0) }, actual: actual(failure))
    var notes = ["`\(failure.keyword)` at \(failure.range.location)"]
    // Facts about a keyword are mentioned once.
    if let hint = failure.hint, hints.insert(failure.schemaPointer + hint).inserted { notes.append(hint) }
    if let branch { notes.append("for \(branch)") }
    if let nearest = failure.nearest { notes.append("nearest is \(nearest.name)") }
    difference.note = notes.joined(separator: "; ")
    list.listed.append(difference)
    guard let nearest = failure.nearest else { return }
    for failure in nearest.failures { add(failure, in: nearest.name, to: &list, &hints) }
    list.more += nearest.more
  }

  private func place(_ failure: SchemaFailure) -> String {
    let pointer = failure.pointer
    if pointer.isEmpty { return "(the whole body)" }
    return "\(Excerpt(pointer, limit: 120, showsEnd: true))"
  }

  private func actual(_ failure: SchemaFailure) -> Text? {
    if failure.isMissing { return nil }
    var text = rendered(response.lazy(failure.instance))
    if let remark = failure.remark { text.append(" (\(remark))") }
    return text
  }
}
