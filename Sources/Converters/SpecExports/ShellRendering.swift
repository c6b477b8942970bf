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

  private func quoted(_ pieces: [ExportWords.Piece]) -> String {
    let literals = pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    if pieces.allSatisfy({ if case .text = $0 { true } else { false } }) { return quotedForShell(literals) }
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
