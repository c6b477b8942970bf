internal import Values

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

/// A camel-case key in lower case, its words joined: `myURLProperty` becomes `my_url_property`.
///
/// A word begins where upper case follows lower, and at the last of several capitals before a lower-case letter. This
/// is what Foundation's and Alamofire's `convertToSnakeCase` do.
private func wordsJoined(_ key: String, separator: String) -> String {
  let scalars = Array(key.unicodeScalars)
  guard !scalars.isEmpty else { return key }
  var words: [Range<Int>] = []
  var wordStart = 0
  var position = 1
  while let upper = scalars[position...].firstIndex(where: isUppercase) {
    words.append(wordStart..<upper)
    position = upper
    guard let lower = scalars[upper...].firstIndex(where: { $0.properties.generalCategory == .lowercaseLetter }) else {
      wordStart = upper
      break
    }
    if lower == upper + 1 {
      wordStart = upper
    } else {
      words.append(upper..<lower - 1)
      wordStart = lower - 1
    }
    position = lower + 1
  }
  words.append(wordStart..<scalars.count)
  return words.map { word in
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[word])
    return String(text).lowercased()
  }
  .joined(separator: separator)
}

private func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
  let category = scalar.properties.generalCategory
  return category == .uppercaseLetter || category == .titlecaseLetter
}
