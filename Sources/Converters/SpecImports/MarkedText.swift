/// Texts in one piece, for patterns that look at all of it.
extension ImportedText {
  private static let firstMark: UInt32 = 0xF0000

  /// The text with a character for private use in place of each part that isn't known.
  var marked: String {
    var result = String.UnicodeScalarView()
    for (index, part) in parts.enumerated() {
      if case .text(let text) = part {
        result += text.unicodeScalars
      } else if let mark = Unicode.Scalar(Self.firstMark + UInt32(min(index, 0xFFFD))) {
        result.append(mark)
      }
    }
    return String(result)
  }

  /// A piece of the marked text with its parts in place of their marks.
  func unmarked(_ piece: some StringProtocol) -> ImportedText {
    var result = ImportedText()
    var known = String.UnicodeScalarView()
    for scalar in piece.unicodeScalars {
      let index = Int(scalar.value) - Int(Self.firstMark)
      guard parts.indices.contains(index) else {
        known.append(scalar)
        continue
      }
      result.append(String(known))
      result.append(parts[index])
      known = String.UnicodeScalarView()
    }
    result.append(String(known))
    return result
  }
}
