import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import Templates
import Values

extension SubjectEvaluation {
  /// The doubt about a missing subject whose name is certainly misspelt.
  func doubt(of subject: ResponseSubject) throws -> Doubt? {
    switch subject {
    case .json, .events, .calls, .csv: try query(subject).flatMap { path, document in path.doubt(in: document) }
    case .xpath(let spec): response.doubt(of: try spec.resolve(in: scope))
    case .header(let name)
    where try !response.redirects.isEmpty && equalsIgnoringCase(name.resolve(in: scope).string, "location"):
      Doubt(
        "the redirect was followed", expected: Text("the response that redirects"), actual: Text("the one after it"),
        hint: "write `redirects: none` in the request, or look at `redirects` or `url`")
    case .trailer(let name) where try response.head.headers.contains(name.resolve(in: scope).string):
      Doubt(
        "it is a header here", expected: Text("a field behind the body"), actual: Text("a field before it"),
        hint: "write it under `headers`")
    case .header(let name), .trailer(let name):
      misspelt(
        try name.resolve(in: scope).string,
        among: (response.head.headers.fields + response.result.trailers.fields).map(\.name), ignoringCase: true
      ).map { .misspelling(of: $0) }
    case .link(let relation):
      misspelt(
        try relation.resolve(in: scope).string, among: linkRelations(response.head.headers.values("Link")),
        ignoringCase: true
      ).map { .misspelling(of: $0) }
    case .cookie(let name, _):
      misspelt(try name.resolve(in: scope).string, among: response.cookieNames).map { .misspelling(of: $0) }
    default: nil
    }
  }

  /// The doubt about a value that meets predicates: that of an XPath for no node, values of an expression that look
  /// alike, or a template in the notation of other tools.
  func doubt(of subject: ResponseSubject, _ value: MatchSubject, _ predicates: [Predicate]) throws -> Doubt? {
    switch subject {
    case .xpath(let spec) where value.isNothing: try doubtAboutNothing(try spec.resolve(in: scope), predicates)
    case .xpath(let spec) where value.isTrue:
      try doubtAboutTruth(try spec.resolve(in: scope))
    case .value(let value): value.templates.first { $0.constancy == nil }?.doubtAboutTypes(in: scope)
    case .xpath: templateDoubt(value, predicates) ?? doubtAboutReferences(value, predicates)
    case .body: templateDoubt(value, predicates) ?? doubtAboutBlanks(value, predicates)
    default: templateDoubt(value, predicates)
    }
  }

  private func templateDoubt(_ value: MatchSubject, _ predicates: [Predicate]) -> Doubt? {
    predicates.lazy.compactMap { self.doubtAboutTemplate($0, value) }.first
  }

  /// The doubt about a body of which nothing is said but that it isn't empty, if it is blank.
  private func doubtAboutBlanks(_ body: MatchSubject, _ predicates: [Predicate]) -> Doubt? {
    guard predicates.count == 1, predicates[0].deniesEmptiness, response.bodyCount <= 1 << 12,
      case .lazy(let lazy) = body, case .text(let text) = lazy.value, text.string.allSatisfy(\.isWhitespace)
    else { return nil }
    return Doubt(
      "the body has white space alone", expected: Text("more than white space"), actual: rendered(.text(text)),
      hint: "blanks and line breaks are not nothing: write `matches: '\\S'`")
  }

  /// The doubt about a text that is denied as it stands in markup, while an XPath yields what that means.
  private func doubtAboutReferences(_ subject: MatchSubject, _ predicates: [Predicate]) -> Doubt? {
    // Beside a text that is expected, another one may be denied to find what was escaped twice.
    guard predicates.allSatisfy(\.kind.isNegation) else { return nil }
    for (text, isWhole) in predicates.flatMap(\.comparedTexts) where text.string.contains("&") {
      let meant = characterReferences.reduce(text.string) { $0.replacing($1.reference, with: $1.character) }
      // A reference alone is what a test of escaping denies.
      guard meant != text.string, meant.count(where: \.isLetter) > 3, text.secretRanges.isEmpty,
        !characterReferences.contains(where: { meant.contains($0.reference) })
      else { continue }
      let texts: [Value] =
        switch subject {
        case .lazy(let value): [value.value]
        case .list(let values): (0..<min(values.count, 100)).map { values[$0].value }
        default: []
        }
      let isThere = texts.contains { value in
        guard case .text(let actual) = value, actual.string.utf8.count <= 1 << 16 else { return false }
        return isWhole ? actual.string == meant : actual.string.contains(meant)
      }
      guard isThere else { continue }
      return Doubt(
        "it is there in another form", expected: rendered(.text(text)), actual: rendered(.text(Text(meant))),
        hint: "an XPath yields what markup means, not what it is written with: write `\(meant)`")
    }
    return nil
  }

  /// The doubt about a true expression: what it denies is misspelt, or `!=` holds for some of several nodes alone.
  private func doubtAboutTruth(_ xpath: XPath) throws -> Doubt? {
    if xpath.deniesExistence { return response.doubt(of: xpath) }
    guard xpath.asksWhetherAnyDiffers, let place = xpath.text.firstRange(of: "!="),
      !xpath.text[place.upperBound...].contains("!=")
    else { return nil }
    let same = xpath.text.replacing("!=", with: "=")
    guard case .boolean(true) = try response.xpath(try XPath(same)) else { return nil }
    return Doubt(
      "`!=` holds if any of the nodes differs", expected: Text("no node that is the same"), actual: Text("one that is"),
      hint: "write `not(\(same))`")
  }

  private func doubtAboutNothing(_ xpath: XPath, _ predicates: [Predicate]) throws -> Doubt? {
    if let doubt = response.doubt(of: xpath) { return doubt }
    guard predicates.allSatisfy(\.kind.isNegation) else { return nil }
    if let inner = xpath.innerNodeSet, case .nodes([]) = try response.xpath(try XPath(inner)) {
      let value = xpath.type == .number ? "the number of no node equals nothing" : "the text of no node is empty"
      return Doubt(
        "there is nothing to check", expected: Text("a node that `\(inner)` finds"), actual: Text("none"),
        hint: "\(value); if none may be there, write `\(inner): {exists: false}`")
    }
    guard xpath.type == .number, case .number(let number) = try response.xpath(xpath), number.isNaN else { return nil }
    return Doubt(
      "this is not a number", expected: Text("a number"), actual: Text("NaN"),
      hint:
        "NaN equals nothing: \(xpath.innerNodeSet.map { "`string(\($0))` is the text that is there" } ?? "a text in it is not a number")"
    )
  }

  /// The doubt about `not_contains: "{{ name }}"`, where the value of the name is there.
  private func doubtAboutTemplate(_ predicate: Predicate, _ subject: MatchSubject) -> Doubt? {
    guard case .text(let text)? = predicate.value(of: .notContains), text.string.contains("{{"),
      let filled = Template.filled(text.string, in: scope), !filled.isEmpty,
      !hold([Predicate(.notContains, .value(.text(filled)))], for: subject)
    else { return nil }
    return Doubt(
      "this is text, and no template", expected: Text("the value of ") + text, actual: rendered(.text(filled)),
      hint: "write `\(text.string.replacing("{{", with: "${{"))` for its value")
  }
}

/// References of characters that aren't the signs of tags: those are what tests of escaping are about.
private let characterReferences: [(reference: String, character: String)] = [
  ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&nbsp;", "\u{A0}"), ("&amp;", "&"),
]

extension Template {
  /// The doubt about values that a condition compares, which look alike but differ in type.
  func doubtAboutTypes(in scope: FileScope) -> Doubt? {
    lookAlikes(in: scope).map { left, right in
      if case (.text, .text) = (left, right) {
        return Doubt(
          "texts that are compared differ in letter case", expected: rendered(right), actual: rendered(left),
          hint: "write it as it is there, or compare both after `| lower`")
      }
      return Doubt(
        "values of different types are compared", expected: Text("two texts, or two numbers"),
        actual: rendered(left) + Text(" and ") + rendered(right),
        hint: "`to_number` reads a text as a number, and a text stands in quotes")
    }
  }
}

extension MatchSubject {
  /// Indicates whether it is the value of a condition that holds.
  fileprivate var isTrue: Bool { if case .value(.bool(true)) = self { true } else { false } }

  /// Indicates whether it may be the value of an expression for no node: an empty text, false, 0 or NaN.
  fileprivate var isNothing: Bool {
    switch self {
    case .value(.text(let text)): text.string == "NaN"
    case .lazy(let value): if case .text(let text) = value.value { text.isEmpty } else { false }
    case .value(.bool(let flag)): !flag
    case .value(.number(let number)): number.isZero
    default: false
    }
  }
}
