import Values

/// Writes nodes as a person would: in blocks, each text with as few quotes as possible, texts of several lines as
/// literals.
package struct YAMLWriter {
  private var output = ""
  /// Indicates whether texts of several lines may be literals.
  private var allowsLines = true

  /// The node in lines of its own that begin at a column, with a final line break.
  package static func text(of root: YAMLNode, indent: Int = 0) -> String {
    var writer = YAMLWriter()
    writer.output = String(repeating: " ", count: indent)
    writer.write(root, indent: indent, after: .nothing)
    return writer.output.hasSuffix("\n") ? writer.output : writer.output + "\n"
  }

  /// A node as it follows its key or dash.
  static func value(_ node: YAMLNode, indent: Int, after before: Before, allowsLines: Bool) -> String {
    var writer = YAMLWriter()
    writer.allowsLines = allowsLines
    writer.write(node, indent: indent, after: before)
    // The line break after it exists already.
    return writer.output.hasSuffix("\n") ? String(writer.output.dropLast()) : writer.output
  }

  /// The text before a node in its line.
  enum Before { case nothing, key, dash }

  /// - Parameter indent: the column of the node's content.
  private mutating func write(_ node: YAMLNode, indent: Int, after before: Before) {
    let tag = node.localTag?.text ?? (node.hasMapTag ? "!!map" : nil)
    switch node.content {
    case .scalar(let scalar):
      append(ScalarWriting.scalar(scalar, tag: tag, indent: allowsLines ? max(2, indent) : nil), after: before)
    case .sequence(let items):
      begin(tag, isEmpty: items.isEmpty ? "[]" : nil, after: before)
      for (index, item) in items.enumerated() {
        startLine(indent, isFirst: index == 0 && tag == nil, after: before)
        output += "-"
        write(item, indent: indent + 2, after: .dash)
      }
    case .mapping(let members):
      begin(tag, isEmpty: members.isEmpty ? "{}" : nil, after: before)
      for (index, member) in members.enumerated() {
        startLine(indent, isFirst: index == 0 && tag == nil, after: before)
        write(key: member.key, indent: indent)
        write(member.value, indent: indent + 2, after: .key)
      }
    }
  }

  private mutating func begin(_ tag: String?, isEmpty: String?, after before: Before) {
    append([tag, isEmpty].compactMap(\.self).joined(separator: " "), after: before)
  }

  private mutating func append(_ text: String, after before: Before) {
    if text.isEmpty { return }
    output += before == .nothing ? text : " " + text
  }

  /// The first item of a collection may follow the dash, or begin the document.
  private mutating func startLine(_ indent: Int, isFirst: Bool, after before: Before) {
    if isFirst, before == .nothing { return }
    if isFirst, before == .dash {
      output += " "
      return
    }
    if !output.hasSuffix("\n") { output += "\n" }
    output += String(repeating: " ", count: indent)
  }

  private mutating func write(key: String, indent: Int) {
    // libyaml accepts no longer key before its colon, nor one on several lines.
    guard key.utf8.count > 1000 else {
      output += ScalarWriting.line(key, inFlow: false) + ":"
      return
    }
    output += "? " + ScalarWriting.line(key, inFlow: false) + "\n" + String(repeating: " ", count: indent) + ":"
  }
}

extension ScalarWriting {
  /// A scalar with its tag.
  ///
  /// - Parameter indent: the indentation of a text's lines; nil writes all in one line.
  static func scalar(_ scalar: YAMLScalar, tag: String?, indent: Int?, inFlow: Bool = false) -> String {
    let text: String =
      switch scalar.meaning {
      // A tag may be alone.
      case .null: tag != nil && scalar.text.isEmpty ? "" : "null"
      case .bool(let value): value ? "true" : "false"
      case .number(let lexeme), .nonFinite(let lexeme): lexeme
      case .timestamp(let text): "!date " + text
      case .binary(let bytes): "!!binary " + (bytes.isEmpty ? "\"\"" : base64Encoded(bytes))
      case .text(let text): indent.flatMap { lines(text, indent: $0) } ?? line(text, inFlow: inFlow)
      }
    // A comma or a bracket right behind it would be a part of the tag for some readers.
    if inFlow, let tag, text.isEmpty { return tag + " " }
    return [tag, text].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " ")
  }

  /// A text of several lines as a literal scalar; nil if that can't express all of it.
  private static func lines(_ text: String, indent: Int) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1, let first = lines.first(where: { !$0.isEmpty }) else { return nil }
    guard !text.unicodeScalars.contains(where: { isEscaped($0) && $0 != "\t" && $0 != "\n" }) else { return nil }
    let breaks = text.utf8.reversed().prefix { $0 == 0x0A }.count
    if breaks > 0 { lines.removeLast() }
    var result = "|" + (first.utf8.first.map(isBlank) ?? false ? "2" : "") + (breaks == 0 ? "-" : breaks > 1 ? "+" : "")
    let blanks = String(repeating: " ", count: indent)
    for line in lines { result += line.isEmpty ? "\n" : "\n" + blanks + line }
    // The next line isn't part of it, unlike the last blank line.
    return breaks > 1 ? result + "\n" : result
  }
}

/// Nodes in one line, for use within brackets.
package enum FlowText {
  package static func of(_ node: YAMLNode) -> String {
    let tag = node.localTag?.text ?? (node.hasMapTag ? "!!map" : nil)
    let text: String
    switch node.content {
    case .scalar(let scalar): return ScalarWriting.scalar(scalar, tag: tag, indent: nil, inFlow: true)
    case .sequence(let items): text = "[" + items.map(of).joined(separator: ", ") + "]"
    case .mapping(let members):
      let pairs = members.map { ScalarWriting.line($0.key, inFlow: true) + ": " + of($0.value) }
      text = "{" + pairs.joined(separator: ", ") + "}"
    }
    return tag.map { $0 + " " + text } ?? text
  }
}
