import Values

extension Template {
  /// Warns of parts of its expressions that are valid, and certainly mean something else.
  func reportDoubts(into bag: inout DiagnosticBag) {
    for case .expression(let expression) in pieces { expression.reportDoubts(into: &bag) }
  }
}

extension Expression {
  fileprivate func reportDoubts(into bag: inout DiagnosticBag) {
    if let (code, message, help) = doubt { bag.warning(code, message, at: range, help: help) }
    for part in kind.parts { part.reportDoubts(into: &bag) }
  }

  private var doubt: (code: DiagnosticCode, message: String, help: String)? {
    switch kind {
    case .literal(.text(let text)):
      let name = text.string.dropFirst(4)
      if text.string.hasPrefix("env."), Template.isName(String(name)), name == name.uppercased() {
        return (.missingTemplate, "this is text, and not a variable of the environment", "leave out the quotes")
      }
      guard let open = text.string.firstRange(of: "${{"), text.string[open.upperBound...].contains("}}") else {
        return nil
      }
      return (
        .foreignTemplate, "a template within a template is text",
        "write what is in it alone, without quotes and `${{`; `concat` joins texts"
      )
    case .call(let call) where ["replace", "split"].contains(call.function.name) && call.arguments.count > 1:
      guard let text = call.arguments[1].literalText,
        ["\\d", "\\s", "\\w", "[0-9]", "[a-z", "[A-Z", "[^", ".*", ".+"].contains(where: text.contains)
      else { return nil }
      return (
        .suspiciousPattern, "`\(call.function.name)` looks for this text, and not for a pattern",
        call.function.name == "replace"
          ? "write `replace_regex`" : "replace the pattern by a separator: `replace_regex(…) | split(\",\")`"
      )
    case .binary(.in, _, let list):
      guard let names = list.literalText?.split(separator: ","), names.count > 1 else { return nil }
      let items = names.map { "'\($0.trimming { $0 == " " })'" }
      return (
        .mismatchedPredicate, "this looks for a part of one text, and not for an item of a list",
        "write `[\(items.joined(separator: ", "))]`"
      )
    case .binary(let binary, let left, let right):
      guard case .call(let call) = right.kind, ["round", "floor", "ceil"].contains(call.function.name),
        let first = call.arguments.first, first.bytes.lowerBound == right.bytes.lowerBound,
        binary == .divided || binary.precedence > 4 && first.literal != nil
      else { return nil }
      return (
        .noEffect, "`\(first.range.text)` alone is rounded: `|` binds tighter than `\(binary.rawValue)`",
        "write `(\(left.range.text) \(binary.rawValue) \(first.range.text))"
          + "\(right.range.text.dropFirst(first.range.text.count))`"
      )
    default: return nil
    }
  }
}
