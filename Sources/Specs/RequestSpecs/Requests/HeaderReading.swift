import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension SpecReader {
  mutating func headers(_ node: YAMLNode) -> KeyedSettings<ValueTemplate> {
    var seen: [String: SourceRange] = [:]
    return keyed(node, as: "headers") { reader, member in
      if let first = seen.updateValue(member.keyRange, forKey: member.key.lowercased()) {
        reader.reportHeaderTwice(member, first: first)
        return nil
      }
      guard reader.checkHeaderName(member), reader.checkHeaderValue(member) else { return nil }
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
  }

  mutating func reportHeaderTwice(_ member: YAMLMember, first: SourceRange) {
    bag.error(
      "the header \(jsonEscaped(member.key)) stands twice: names match without case", at: member.keyRange,
      notes: [Diagnostic.Note("first here", at: first)], help: "write one, with a list of values")
  }

  mutating func checkHeaderName(_ member: YAMLMember) -> Bool {
    if Template.isTemplate(member.key) || isToken(member.key) { return true }
    bag.error(
      "\"\(jsonEscaped(member.key))\" is not a header name", at: member.keyRange,
      help: "header names are letters, digits and hyphens, without spaces or colons")
    return false
  }

  private mutating func checkHeaderValue(_ member: YAMLMember) -> Bool {
    var isRight = true
    for node in member.value.items ?? [member.value] where isUsable(node) {
      if node.members != nil, requestKeys.names.contains(member.key) {
        bag.error(
          "`\(member.key)` stands under `headers`, where it is the name of a header", at: member.keyRange,
          help: "indent `\(member.key):` and what is below it as `headers:`")
        miss(member.key, node)
        isRight = false
        continue
      }
      guard let scalar = node.scalar, !node.isNull else {
        report("a header's value is text or a list of texts, found \(node.kindPhrase)", at: node)
        isRight = false
        continue
      }
      if scalar.text.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) {
        let isBlock = scalar.style == .literal || scalar.style == .folded
        report(
          "a header's value cannot hold a line break or NUL", at: node,
          help: isBlock ? "a block text ends with a line break: write the value on one line" : nil)
        isRight = false
      }
      checkForeignTemplate(node)
      if checkExpectHeader(member, node) || checkBearer(member, node) { isRight = false }
      if ["if-none-match", "if-match"].contains(member.key.lowercased()) { checkEntityTag(node) }
    }
    return isRight
  }

  /// Reports a status as the header Expect, whose only value is `100-continue` (RFC 9110, section 10.1.1).
  private mutating func checkExpectHeader(_ member: YAMLMember, _ node: YAMLNode) -> Bool {
    guard member.key.utf8.count == 6, member.key.lowercased() == "expect", let text = node.scalar?.text,
      (try? ValueDecoder<StatusSet>.status.decode(.text(Text(text)))) != nil || Int(text) != nil
    else { return false }
    report(
      "the header Expect has one value, 100-continue", at: node,
      help: "write `expect: {status: \(text)}` beside `headers:` for the status of the response")
    return true
  }

  private mutating func checkBearer(_ member: YAMLMember, _ node: YAMLNode) -> Bool {
    guard member.key.utf8.count == 13, member.key.lowercased() == "authorization", let text = node.plainText,
      let blank = text.lastIndex(of: " "), text[..<blank].lowercased() == "bearer"
    else { return false }
    noteName(text[text.index(after: blank)...], node)
    return isShellVariable(node, from: text[text.index(after: blank)...])
  }

  /// Warns of an entity tag without quotes: `"abc"` in YAML is `abc`, which isn't one (RFC 9110, section 8.8.3).
  mutating func checkEntityTag(_ node: YAMLNode) {
    guard let scalar = node.scalar, scalar.style == .doubleQuoted, scalar.text != "*", !scalar.text.isEmpty,
      !scalar.text.contains("\""), !Template.isTemplate(scalar.text)
    else { return }
    bag.warning(
      "YAML takes these quotes away; an entity tag has its own", at: node.range, help: "write '\"\(scalar.text)\"'")
  }
}
