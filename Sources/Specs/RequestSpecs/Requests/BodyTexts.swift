import Matching
import Templates
import YAMLNodes

extension SpecReader {
  /// Warns of texts in a JSON body that look like a value of another type.
  mutating func checkTexts(_ node: YAMLNode) {
    for item in node.items ?? [] { checkTexts(item) }
    for member in node.members ?? [] { checkTexts(member.value) }
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning, let first = text.utf8.first else { return }
    if first == UInt8(ascii: "!"), MatchKind(rawValue: String(text.dropFirst())) != nil {
      let function = text == "!uuid" ? "write `${{ uuid }}` for a new one" : "write the value itself"
      return warn(
        .suspiciousBody, "this text is sent as it stands: `!` is for what is expected", at: node, help: function)
    }
    guard Template.isTemplate(text), let open = text.firstRange(of: "${{"), let close = text.firstRange(of: "}}"),
      open.lowerBound < close.lowerBound, !text[close.upperBound...].contains("}}")
    else { return }
    let (before, after) = (text[..<open.lowerBound], text[close.upperBound...])
    if before.allSatisfy(\.isWhitespace), after.allSatisfy(\.isWhitespace), !before.isEmpty || !after.isEmpty {
      warn(
        .suspiciousBody, "white space beside a template makes a text of its value", at: node,
        help: "leave out the white space" + (scalar.style == .literal ? ", or write `|-`" : ""))
    } else if before.isEmpty, let sign = ["+", "*"].first(where: { after.hasPrefix(" \($0) ") }),
      after.dropFirst(3).allSatisfy(\.isNumber), after.count > 3
    {
      let expression = text[open.upperBound..<close.lowerBound].trimming { $0 == " " }
      warn(
        .suspiciousBody, "`\(sign)` behind a template is text", at: node,
        help: "write `${{ \(expression)\(after) }}` to compute it")
    }
  }
}
