import Values

extension EncodingOptions.KeyEncoding {
  func encode(_ key: Text) -> Text {
    switch self {
    case .unchanged: key
    case .snakeCase: key.mapWhole { wordsJoined($0, separator: "_") }
    case .kebabCase: key.mapWhole { wordsJoined($0, separator: "-") }
    case .capitalized: key.mapWhole { $0.prefix(1).uppercased() + $0.dropFirst() }
    case .uppercased: key.mapRuns { $0.uppercased() }
    case .lowercased: key.mapRuns { $0.lowercased() }
    }
  }
}

/// A camel-case key in lower case with separated words: `myURLProperty` becomes `my_url_property`.
///
/// A word begins where upper case follows lower, and at the last of several capitals before a lower-case letter. This
/// is what Foundation's and Alamofire's `convertToSnakeCase` do: letters are searched for among the Unicode scalars,
/// while their neighbours are whole characters, so a capital keeps its combining marks.
private func wordsJoined(_ key: String, separator: String) -> String {
  guard !key.isEmpty else { return key }
  let scalars = key.unicodeScalars
  var words: [Substring] = []
  var wordStart = key.startIndex
  var position = key.index(after: wordStart)
  while let upper = scalars[position...].firstIndex(where: isUppercase) {
    words.append(key[wordStart..<upper])
    wordStart = upper
    guard let lower = scalars[upper...].firstIndex(where: isLowercase) else { break }
    if lower != key.index(after: upper) {
      // Never before the capital itself, which may form one character with a prepended mark.
      wordStart = max(upper, key.index(before: lower))
      words.append(key[upper..<wordStart])
    }
    position = scalars.index(after: lower)
  }
  words.append(key[wordStart...])
  return words.map { $0.lowercased() }.joined(separator: separator)
}

private func isLowercase(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .lowercaseLetter }

private func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
  let category = scalar.properties.generalCategory
  return category == .uppercaseLetter || category == .titlecaseLetter
}
