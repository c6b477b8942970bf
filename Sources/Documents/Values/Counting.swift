/// `1 item`, `2 items`, `2 properties`.
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  guard number != 1 else { return "1 \(noun)" }
  let stem = noun.dropLast()
  let changesEnding = noun.last == "y" && !(stem.last.map("aeiou".contains) ?? false)
  return "\(number) " + (changesEnding ? stem + "ies" : noun + "s")
}

/// The first texts of a list, and the number of the others: `a, b and 3 more`.
package func listed(_ texts: [String], limit: Int) -> String {
  let shown = texts.prefix(limit).joined(separator: ", ")
  return texts.count > limit ? "\(shown) and \(texts.count - limit) more" : shown
}
