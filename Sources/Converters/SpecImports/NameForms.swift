/// A name in lower case with `_` between its words: `petstoreAuth` as `petstore_auth`.
func snakeCase(_ name: String) -> String {
  var result = ""
  var wasLower = false
  for character in name {
    if character.isASCII, character.isLetter || character.isNumber {
      if character.isUppercase, wasLower { result += "_" }
      result += character.lowercased()
      wasLower = character.isLowercase || character.isNumber
    } else {
      if !result.isEmpty, !result.hasSuffix("_") { result += "_" }
      wasLower = false
    }
  }
  while result.hasSuffix("_") { result.removeLast() }
  return result
}

/// The text as a part of a pattern.
func escapedForPattern(_ text: String) -> String {
  text.map { "\\^$.|?*+()[]{}#/".contains($0) ? "\\\($0)" : String($0) }.joined()
}
