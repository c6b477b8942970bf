import Values

extension ImportedText {
  /// The script of a word that is one substitution: `$(…)` or `` `…` ``.
  var substitution: String? {
    guard parts.count == 1, case .unknown(let source) = parts[0] else { return nil }
    return Self.script(of: source)
  }

  private static func script(of source: String) -> String? {
    if source.hasPrefix("$("), source.hasSuffix(")"), !source.hasPrefix("$((") {
      return String(source.dropFirst(2).dropLast())
    }
    guard source.count > 1, source.hasPrefix("`"), source.hasSuffix("`") else { return nil }
    return String(source.dropFirst().dropLast()).replacing("\\`", with: "`")
  }

  /// The text with the outputs of commands whose meaning is certain, such as `$(cat file)` and `$(uuidgen)`.
  var withKnownSubstitutions: ImportedText {
    replacingParts { part in
      guard case .unknown(let source) = part else { return nil }
      return Self.script(of: source).flatMap(Self.output)
    }
  }

  private static func output(of script: String) -> ImportedText? {
    // `$(< file)`
    if script.trimmed.hasPrefix("<"), case let path = String(script.trimmed.dropFirst()).trimmed,
      !path.isEmpty, !path.contains(where: { $0.isWhitespace || "'\"$`<&|;".contains($0) })
    {
      return ImportedText(.expression("trim(\(fileExpression(path)))"))
    }
    let commands = ShellScript(script).commands
    guard let first = commands.first else { return nil }
    let arguments = first.arguments.map { $0.literal ?? "" }
    switch (commands.count, first.program) {
    case (1, "uuidgen"): return ImportedText(.expression("uuid()"))
    case (1, "date") where arguments == ["+%s"]: return ImportedText(.expression("format(now, 'unix')"))
    case (1, "cat") where arguments.count == 1 && !arguments[0].isEmpty:
      return ImportedText(.expression("trim(\(fileExpression(arguments[0])))"))
    case (1, "echo"), (1, "printf"):
      guard case .text(let text)? = first.plainOutput else { return nil }
      return text.trimmed
    case (2, "echo"), (2, "printf"):
      let options = commands[1].arguments.compactMap(\.literal)
      guard commands[1].program == "base64", options.allSatisfy({ $0.hasPrefix("-w") || $0 == "0" }),
        case .text(let text)? = first.plainOutput, let literal = text.literal
      else { return nil }
      return ImportedText(base64Encoded(Array(literal.utf8)))
    default: return nil
    }
  }
}
