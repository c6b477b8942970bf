/// The name of a field of a JSON body as steps into it: `user[tags][0]`, `tags[]`, `[]`.
struct NestedName: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
    /// A new item at the end.
    case append
  }

  /// The largest index: items before it are filled with null.
  private static let maxIndex = 9999
  /// The most steps, those that a spec may nest.
  private static let depthLimit = 48

  private(set) var steps: [Step] = []

  /// - Parameter name: the name as written; a backslash takes the meaning of a bracket, a backslash or a number away.
  init(_ name: String) throws(SendProblem) {
    var rest = Array(name)[...]
    let isRootIndexed = rest.first == "["
    if !isRootIndexed { steps.append(.key(Self.word(&rest).text)) }
    while let character = rest.popFirst() {
      guard character == "[" else {
        throw SendProblem(
          "the name \"\(name)\" has text after a \"]\"", help: "a \"[\" follows, or the end; \\[ is a bracket itself")
      }
      let (text, isEscaped) = Self.word(&rest)
      guard rest.popFirst() == "]" else {
        throw SendProblem(
          "the name \"\(name)\" lacks a \"]\"", help: "close each \"[\"; \\[ is a bracket itself")
      }
      try steps.append(Self.step(text, isEscaped: isEscaped, in: name))
    }
    if isRootIndexed, case .key = steps[0] {
      throw SendProblem(
        "the name \"\(name)\" begins with a key in brackets", help: "write the first key without them, or [] for a list"
      )
    }
    guard steps.count <= Self.depthLimit else {
      throw SendProblem("the name \"\(name.prefix(40))…\" nests more than \(Self.depthLimit) levels")
    }
  }

  private static func step(
    _ text: String, isEscaped: Bool, in name: String
  ) throws(SendProblem) -> Step {
    if text.isEmpty { return .append }
    if isEscaped { return .key(text) }
    let digits = text.first == "-" ? text.dropFirst() : text[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard digits.count == text.count else {
        throw SendProblem("the name \"\(name)\" has a negative index", help: "items are counted from 0")
      }
      guard let index = Int(digits), index <= maxIndex else {
        throw SendProblem(
          "the name \"\(name)\" has an index above \(maxIndex)", help: "write [\\\(digits)] for a key")
      }
      return .index(index)
    }
    // `\1` is the key `1`.
    if text.first == "\\", Int(text.dropFirst()) != nil { return .key(String(text.dropFirst())) }
    return .key(text)
  }

  /// The characters up to a bracket, and whether one of them was escaped.
  private static func word(_ rest: inout ArraySlice<Character>) -> (text: String, isEscaped: Bool) {
    var text = ""
    var isEscaped = false
    while let character = rest.first, character != "[", character != "]" {
      rest = rest.dropFirst()
      guard character == "\\", let next = rest.first else {
        text.append(character)
        continue
      }
      if "[]\\".contains(next) { isEscaped = true } else { text.append(character) }
      text.append(next)
      rest = rest.dropFirst()
    }
    return (text, isEscaped)
  }
}
