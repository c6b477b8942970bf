import Templates
import Values
import YAMLNodes

/// Values and texts.
extension SpecComposer {
  mutating func node(_ value: ImportedValue, _ draft: inout SpecDraft) -> YAMLNode {
    switch value {
    case .text(let text): return .text(self.text(text, &draft))
    case .json(let text, let isQuoted): return json(text, isQuoted: isQuoted, &draft)
    case .node(let node): return node.escapingTemplates
    case .list(let items): return .list(items.map { node($0, &draft) })
    case .mapping(let members): return .mapping(members.map { ($0.key, node($0.value, &draft)) })
    case .keyed(let members): return .mapping(members.map { (text($0, &draft), node($1, &draft)) })
    }
  }

  /// A text within JSON. Captures have JSON's types, variables have texts.
  private mutating func json(_ text: ImportedText, isQuoted: Bool, _ draft: inout SpecDraft) -> YAMLNode {
    guard text.parts.count == 1 else { return .text(self.text(text, &draft)) }
    switch text.parts[0] {
    case .variable(let name) where draft.own[name] == nil && derived[name] != nil:
      return json(derived[name] ?? ImportedText(), isQuoted: isQuoted, &draft)
    case .variable(let name):
      let isText =
        draft.own[name]
        ?? (draft.capturedTexts.contains(name)
          || !draft.captured.contains(name) && (draft.declared[name] ?? (captures[name] == nil)))
      let reference = reference(to: name, &draft)
      if isQuoted { return .text(isText ? "${{ \(reference) }}" : "${{ to_string(\(reference)) }}") }
      return .text(isText ? "${{ from_json(\(reference)) }}" : "${{ \(reference) }}")
    case .expression(let source) where isQuoted:
      let expression = expression(source, &draft)
      return .text(isTextInJSON(expression) ? "${{ \(expression) }}" : "${{ to_string(\(expression)) }}")
    case .unknown(let source) where !isQuoted:
      draft.remarks.remark("expressions", source)
      return .text(escaped(source))
    default: return .text(self.text(text, &draft))
    }
  }

  /// The text as a template.
  mutating func text(_ text: ImportedText, _ draft: inout SpecDraft) -> String {
    var result = ""
    for part in text.parts {
      switch part {
      case .text(let text): result += escaped(text)
      case .variable(let name) where draft.own[name] == nil && derived[name] != nil:
        result += self.text(derived[name] ?? ImportedText(), &draft)
      case .variable(let name): result += "${{ \(reference(to: name, &draft)) }}"
      case .expression(let expression): result += "${{ \(self.expression(expression, &draft)) }}"
      case .secret(let value, let kind): result += "${{ \(secret(value, kind: kind, &draft)) }}"
      case .unknown(let source):
        draft.remarks.remark("expressions", source)
        result += escaped(source)
      }
    }
    return result
  }

  /// An expression with the names of the specs in place of `{{name}}`.
  mutating func expression(_ text: String, _ draft: inout SpecDraft) -> String {
    if text.contains("file('") {
      for call in text.matches(of: readFile) {
        sentFiles.append((draft.path, String(call.output.1).replacing("''", with: "'")))
      }
    }
    guard text.contains("{{") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let name = rest[start.upperBound..<end.lowerBound]
      if name.isEmpty || name.contains(where: { " '\"()|{".contains($0) }) {
        result += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
      } else {
        let derived = draft.own[String(name)] == nil ? derived[String(name)]?.expression : nil
        result += rest[..<start.lowerBound]
        result += derived.map { expression($0, &draft) } ?? reference(to: String(name), &draft)
        rest = rest[end.upperBound...]
      }
    }
    return result + rest
  }

  /// The expression for the value of a variable.
  private mutating func reference(to source: String, _ draft: inout SpecDraft) -> String {
    let name = names.variable(source)
    if draft.captured.contains(source) || draft.own[source] != nil { return name }
    if let path = draft.earlierCaptures[source]?.last {
      return "\(need(of: path, in: &draft)).\(name)"
    }
    if draft.declared[source] == nil, !draft.missing.contains(name) { draft.missing.append(name) }
    return name
  }

  /// The name of the need that is another spec.
  private mutating func need(of path: String, in draft: inout SpecDraft) -> String {
    if let need = draft.needs.first(where: { $0.path == path }) { return need.name }
    let name = names.need(path)
    draft.needs.append((name, path))
    return name
  }

  func escaped(_ text: String) -> String { text.hasTemplate ? text.replacing("${{", with: "$${{") : text }
}

extension YAMLNode {
  /// The node with numbers in place of texts that look like them, which are sent alike where all values are texts.
  var withPlainNumbers: YAMLNode {
    switch content {
    case .scalar(let scalar):
      guard case .text(let text) = scalar.meaning, isPlainNumber(text) else { return self }
      return .number(text)
    case .sequence(let items): return .list(items.map(\.withPlainNumbers))
    case .mapping(let members): return .mapping(members.map { ($0.key, $0.value.withPlainNumbers) })
    }
  }

  /// The node with texts that are not templates.
  fileprivate var escapingTemplates: YAMLNode {
    switch content {
    case .scalar(let scalar):
      guard case .text(let text) = scalar.meaning, text.hasTemplate else { return self }
      return .text(text.replacing("${{", with: "$${{"))
    case .sequence(let items):
      return items.contains(where: \.hasTemplates) ? .list(items.map(\.escapingTemplates)) : self
    case .mapping(let members):
      guard members.contains(where: \.value.hasTemplates) else { return self }
      return .mapping(members.map { ($0.key, $0.value.escapingTemplates) })
    }
  }

  private var hasTemplates: Bool {
    switch content {
    case .scalar(let scalar): if case .text(let text) = scalar.meaning { text.hasTemplate } else { false }
    case .sequence(let items): items.contains(where: \.hasTemplates)
    case .mapping(let members): members.contains(where: \.value.hasTemplates)
    }
  }
}

extension String {
  /// Indicates what a spec would take for a template.
  fileprivate var hasTemplate: Bool { utf8.contains(UInt8(ascii: "$")) && contains("${{") }
}

/// Returns whether a text is a number as a person writes one: without a sign but `-`, an exponent and leading zeros.
private func isPlainNumber(_ text: String) -> Bool {
  let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
  let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  return text.utf8.count - digits.count < 2 && parts.count < 3
    && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    && (parts[0].count == 1 || parts[0].first != UInt8(ascii: "0"))
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let readFile = /\bfile\('((?:[^'{]|'')+)'\)/
