import Values

extension YAMLFormatter {
  mutating func write(_ index: Int) {
    let token = tokens[index]
    let gap = gaps[index]
    if index == 0 || gap.breaksLine {
      if let comment = gap.trailingComment { writeTrailing(comment, after: index - 1) }
      let indent = indent(of: token, startsLine: true)
      writeLines(gap, before: index, indent: indent)
      beginLine(indent, sourceColumn: TokenGap.column(token.bytes.lowerBound, in: utf8))
    } else if isSpaced(tokens[index - 1], token, gap) {
      output.append(0x20)
    }
    let startsLine = index == 0 || gap.breaksLine
    if token.kind == .flowStart {
      brackets.append(startsLine || !brackets.isEmpty ? lineIndent : max(0, blockIndent(token)))
    } else if token.kind == .flowEnd {
      _ = brackets.popLast()
    }
    if case .scalar(let style) = token.kind {
      write(token, style, index)
    } else {
      output += utf8[token.bytes]
    }
  }

  private func blockIndent(_ token: YAMLToken) -> Int { 2 * (token.collections.count - 1) }

  func indent(of token: YAMLToken, startsLine: Bool) -> Int {
    if let bracket = brackets.last {
      guard token.kind == .flowEnd else { return bracket + 2 }
      // Strict parsers require it further right than the key; authors who want that have it so.
      guard brackets.count == 1, bracket == blockIndent(token), let block = token.collections.last else {
        return bracket
      }
      let isRight = TokenGap.column(token.bytes.lowerBound, in: utf8) > TokenGap.column(block.start, in: utf8)
      return isRight ? bracket + 2 : bracket
    }
    switch token.kind {
    case .directive, .documentStart, .documentEnd: return 0
    case .item, .key, .value: return max(0, blockIndent(token))
    default: return token.isKey ? max(0, blockIndent(token)) : 2 * token.collections.count
    }
  }

  private func isSpaced(_ previous: YAMLToken, _ token: YAMLToken, _ gap: TokenGap) -> Bool {
    switch (previous.kind, token.kind) {
    // PyYAML, and so yamllint, takes a comma or a bracket for a part of the tag.
    case (.tag, .separator), (.tag, .flowEnd): true
    case (_, .separator): false
    case (.value, .flowEnd), (.flowStart, .value), (.separator, .value), (.item, .value): !gap.bytes.isEmpty
    case (_, .flowEnd), (.flowStart, _): false
    // `*a:` is the whole name of an alias in YAML 1.2.
    case (.alias, .value), (.anchor, .value), (.tag, .value): true
    case (_, .value): false
    default: true
    }
  }
}
