/// The URLs that a URL with ranges (`[1-3]`) and alternatives (`{a,b}`) stands for.
enum CurlGlob {
  static func expanded(_ url: ImportedText, limit: Int) -> [ImportedText] {
    var results = [ImportedText()]
    for part in url.parts {
      guard case .text(let text) = part else {
        for index in results.indices { results[index].append(part) }
        continue
      }
      var literal = ""
      var rest = text[...]
      func flush() {
        for index in results.indices { results[index].append(literal) }
        literal = ""
      }
      while let character = rest.first {
        if character == "\\", let next = rest.dropFirst().first, "[]{}".contains(next) {
          literal.append(next)
          rest = rest.dropFirst(2)
        } else if character == "{" || character == "[", let (choices, after) = choices(at: rest, limit: limit) {
          flush()
          results = Array(results.lazy.flatMap { result in choices.map { result + ImportedText($0) } }.prefix(limit))
          rest = after
        } else {
          literal.append(character)
          rest = rest.dropFirst()
        }
      }
      flush()
    }
    return results
  }

  private static func choices(at text: Substring, limit: Int) -> (choices: [String], after: Substring)? {
    let isSet = text.first == "{"
    // A URL is short: a brace without an end is not searched for beyond it.
    guard let end = text.prefix(4096).firstIndex(of: isSet ? "}" : "]") else { return nil }
    let inner = text[text.index(after: text.startIndex)..<end]
    let after = text[text.index(after: end)...]
    if isSet { return (inner.split(separator: ",", omittingEmptySubsequences: false).map(String.init), after) }
    let ends = inner.split(separator: ":", maxSplits: 1)
    guard let bounds = ends.first?.split(separator: "-"), bounds.count == 2 else { return nil }
    let step = ends.count > 1 ? Int(ends[1]) ?? 0 : 1
    guard step > 0 else { return nil }
    if let first = Int(bounds[0]), let last = Int(bounds[1]), first >= 0, first <= last {
      let width = bounds[0].hasPrefix("0") ? min(bounds[0].count, 20) : 0
      let numbers = stride(from: first, through: last, by: step).prefix(limit).map(String.init)
      return (numbers.map { String(repeating: "0", count: max(0, width - $0.count)) + $0 }, after)
    }
    guard bounds.allSatisfy({ $0.count == 1 }), let first = bounds[0].first?.asciiValue,
      let last = bounds[1].first?.asciiValue, first <= last
    else { return nil }
    let letters = stride(from: Int(first), through: Int(last), by: step).compactMap { UInt8(exactly: $0) }
    return (letters.map { String(Unicode.Scalar($0)) }, after)
  }
}
