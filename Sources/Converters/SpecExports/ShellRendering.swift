import SpecExecution
import Values

/// Puts the variables of a shell in place of words.
struct ShellRendering {
  let words: ExportWords
  /// The variables whose values must be encoded in a URL.
  let unsafe: Set<String>

  // MARK: texts

  /// A text as one word of a shell.
  func word(_ text: String) -> String { quoted(words.pieces(of: text)) }

  /// A command, whose quoted words may have open values.
  func command(_ text: String) -> String {
    guard ExportWords.hasWord(text[...]) else { return text }
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      if first == " " {
        result.append(first)
        rest.removeFirst()
        continue
      }
      let (raw, content) = ShellRendering.nextWord(&rest)
      result += content.map { ExportWords.hasWord($0[...]) ? word($0) : raw } ?? raw
    }
    return result
  }

  private func quoted(_ pieces: [ExportWords.Piece]) -> String {
    let literals = pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    if pieces.isEmpty { return "''" }
    if literals.count == pieces.reduce(0, { if case .text(let text) = $1 { $0 + text.count } else { $0 } }),
      pieces.allSatisfy({ if case .text = $0 { true } else { false } })
    {
      return quotedForShell(literals)
    }
    let fits = literals.unicodeScalars.allSatisfy { !"\"\\`$!".unicodeScalars.contains($0) && $0.value >= 0x20 }
    if fits {
      var result = "\""
      for (index, piece) in pieces.enumerated() {
        switch piece {
        case .text(let text): result += text
        case .value(let value):
          var follows: Character?
          if index + 1 < pieces.count, case .text(let next) = pieces[index + 1] { follows = next.first }
          result += reference(value, before: follows)
        }
      }
      return result + "\""
    }
    return pieces.map { piece in
      switch piece {
      case .text(let text): quotedForShell(text)
      case .value(let value): "\"\(reference(value, before: nil))\""
      }
    }.joined()
  }

  /// A value within double quotes.
  private func reference(_ value: ExportedValue, before next: Character?) -> String {
    switch value {
    case .variable(let name), .environment(let name), .capture(let name), .function(_, let name?):
      return next.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "[" } ?? false ? "${\(name)}" : "$\(name)"
    case .function(let function, nil): return ShellRendering.call(function)
    case .placed(let value, .link): return reference(value, before: next)
    case .placed(let value, .json): return reference(value.named { $0 + "_json" }, before: next)
    case .placed(let value, .parameter):
      switch value {
      case .capture(let name), .environment(let name): return "$(encode \"$\(name)\")"
      case .variable(let name) where unsafe.contains(name): return "$(encode \"$\(name)\")"
      default: return reference(value, before: next)
      }
    }
  }

  private static func call(_ function: ExportFunction) -> String {
    switch function {
    case .uuid: "$(uuid)"
    case .now: "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    case .timestamp: "$(date +%s)"
    case .randomInteger(let low, let high):
      low == 0
        ? "$((RANDOM % \(high + 1)))" : "$((RANDOM % \(high - low + 1) + \(low)))"
    case .randomText(let count):
      "$(head -c \(count * 8 + 64) /dev/urandom | base64 | tr -dc A-Za-z0-9 | cut -c 1-\(count))"
    }
  }

  static func supports(_ function: ExportFunction) -> Bool {
    switch function {
    case .uuid, .now, .timestamp: true
    case .randomInteger(let low, let high): high - low < 32768
    case .randomText(let count): count <= 40
    }
  }

  // MARK: reading

  /// The next word of a command, and its content; nil for one with parts that a shell expands.
  private static func nextWord(_ rest: inout Substring) -> (raw: String, content: String?) {
    let start = rest
    var content: [UInt8]? = []
    var isOpen = true
    while isOpen, let first = rest.first, first != " " {
      rest.removeFirst()
      switch first {
      case "'":
        let end = rest.firstIndex(of: "'") ?? rest.endIndex
        content?.append(contentsOf: rest[..<end].utf8)
        rest = rest[end...].dropFirst()
      case "$" where rest.first == "'":
        rest.removeFirst()
        content?.append(contentsOf: escapes(&rest))
      case "\\":
        if let next = rest.popFirst() { content?.append(contentsOf: String(next).utf8) }
      case "\"":
        content = nil
        let end = rest.firstIndex(of: "\"") ?? rest.endIndex
        rest = rest[end...].dropFirst()
      case "|", "#": isOpen = rest.first != " " || first == "#"; content = nil
      default: content?.append(contentsOf: String(first).utf8)
      }
    }
    let raw = String(start[..<rest.startIndex])
    return (raw, content.map { String(decoding: $0, as: UTF8.self) })
  }

  /// The content of `$'…'`, whose quote ends it.
  private static func escapes(_ rest: inout Substring) -> [UInt8] {
    var result: [UInt8] = []
    while let first = rest.popFirst(), first != "'" {
      guard first == "\\" else {
        result += Array(String(first).utf8)
        continue
      }
      switch rest.popFirst() {
      case "n": result.append(10)
      case "r": result.append(13)
      case "t": result.append(9)
      case "x":
        if let byte = UInt8(rest.prefix(2), radix: 16) { result.append(byte) }
        rest = rest.dropFirst(2)
      case let other?: result += Array(String(other).utf8)
      case nil: break
      }
    }
    return result
  }
}

extension ExportedValue {
  func named(_ name: (String) -> String) -> ExportedValue {
    switch self {
    case .variable(let old): .variable(name(old))
    case .environment(let old): .environment(name(old))
    case .capture(let old): .capture(name(old))
    case .function(let function, let old): .function(function, name: old.map(name))
    case .placed(let value, let place): .placed(value.named(name), place)
    }
  }
}
