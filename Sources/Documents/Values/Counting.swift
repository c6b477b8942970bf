/// `1 item`, `2 items`, `2 properties`.
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  guard number != 1 else { return "1 \(noun)" }
  let stem = noun.dropLast()
  let changesEnding = noun.last == "y" && !(stem.last.map("aeiou".contains) ?? false)
  return "\(number) " + (changesEnding ? stem + "ies" : noun + "s")
}
