import DocumentQueries
import Values

extension ImportedText {
  /// The value of a text of JSON, with placeholders in texts and in place of values; nil if it isn't JSON, or if JSON
  /// made of nodes could not say the same.
  var json: ImportedValue? {
    var text = ""
    var isQuoted = false
    var isEscaped = false
    for (index, part) in parts.enumerated() {
      guard case .text(let known) = part else {
        let mark = "\(Self.open)\(index)\(Self.close)"
        text += isQuoted ? mark : "\"\(Self.bare)\(mark)\""
        continue
      }
      if known.unicodeScalars.contains(where: { ("\u{F8F0}"..."\u{F8F3}").contains($0) }) { return nil }
      for byte in known.utf8 {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = isQuoted
        } else if byte == UInt8(ascii: "\"") {
          isQuoted.toggle()
        }
      }
      text += known
    }
    guard let document = try? JSONDocument(parsing: Array(text.utf8)), isPlain(document.root) else { return nil }
    return ImportedValue(document.root, text: self.text)
  }

  /// The scalars around the index of a part, and the one before it where the part has no quotes.
  private static let open: Unicode.Scalar = "\u{F8F0}"
  private static let close: Unicode.Scalar = "\u{F8F1}"
  private static let bare: Unicode.Scalar = "\u{F8F2}"

  /// Returns whether all names are known, and each occurs once.
  private func isPlain(_ node: JSONNode) -> Bool {
    switch node.kind {
    case .list: return node.items.allSatisfy(isPlain)
    case .mapping:
      let members = node.members
      return Set(members.map(\.key)).count == members.count
        && members.allSatisfy { !$0.key.unicodeScalars.contains(Self.open) && isPlain($0.value) }
    default: return true
    }
  }

  private func text(_ string: String) -> ImportedValue {
    if string.unicodeScalars.first == Self.bare {
      return .json(unmarked(String(string.unicodeScalars.dropFirst())), isQuoted: false)
    }
    return .json(unmarked(string), isQuoted: true)
  }

  /// The text with its parts in place of their marks.
  private func unmarked(_ string: String) -> ImportedText {
    var result = ImportedText()
    var known = String.UnicodeScalarView()
    var number: String?
    for scalar in string.unicodeScalars {
      switch scalar {
      case Self.open: number = ""
      case Self.close:
        result.append(String(known))
        known = String.UnicodeScalarView()
        if let index = number.flatMap({ Int($0) }), parts.indices.contains(index) { result.append(parts[index]) }
        number = nil
      default: if number != nil { number?.unicodeScalars.append(scalar) } else { known.append(scalar) }
      }
    }
    result.append(String(known))
    return result
  }
}
