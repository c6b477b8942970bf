import Values

/// Python literals.
enum PythonText {
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
          || scalar.properties.generalCategory == .lineSeparator
          || scalar.properties.generalCategory == .paragraphSeparator
        {
          result += "\\U" + hexadecimal(scalar.value, digits: 8)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  static func bytes(_ bytes: [UInt8]) -> String {
    var result = "b\""
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): result += "\\\""
      case UInt8(ascii: "\\"): result += "\\\\"
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "\\x" + hexadecimal(byte, digits: 2)
      }
    }
    return result + "\""
  }

  /// A value as Python writes it; nil for one without a literal.
  static func literal(_ value: Value, _ text: (String) -> String) -> String? {
    switch value {
    case .null: return "None"
    case .bool(let value): return value ? "True" : "False"
    case .number: return value.asText.string
    case .text(let content): return text(content.string)
    case .list(let items):
      let literals = items.compactMap { literal($0, text) }
      return literals.count == items.count ? "[\(literals.joined(separator: ", "))]" : nil
    case .mapping(let mapping):
      let literals = mapping.members.compactMap { member in
        literal(member.value, text).map { "\(quoted(member.key.string)): \($0)" }
      }
      return literals.count == mapping.count ? "{\(literals.joined(separator: ", "))}" : nil
    case .date, .data: return nil
    }
  }

  /// A name from words: `create a user` becomes `create_a_user`.
  ///
  /// - Parameter count: how many words it takes.
  static func name(_ text: String, words count: Int = 6) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.prefix(count)
    let name = words.joined(separator: "_")
    return name.first?.isLetter == true ? name : "request_\(name)"
  }
}
