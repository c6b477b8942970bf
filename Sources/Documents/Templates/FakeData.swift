import Values

private let kinds = ["name", "email", "word", "sentence"]

func prepareFake(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  if let kind = texts[0], !kinds.contains(kind) {
    throw TemplateFunction.ArgumentProblem(
      message: "`fake` makes no `\(kind)`", index: 0,
      help: nearestWord(to: kind, among: kinds).map { "did you mean `\($0)`?" } ?? "it makes \(listed(kinds))")
  }
  return nil
}

/// Invented data of a kind.
func fake(_ call: FunctionCall) throws(TemplateError) -> Value {
  let source = FakeSource(scope: call.scope)
  switch try call.text(0).string {
  case "name": return .text(source.pick(firstNames) + " " + source.pick(lastNames))
  case "email":
    let name = source.pick(firstNames) + "." + source.pick(lastNames)
    return .text("\(name.lowercased())\(call.scope.random(below: 1000))@example.\(source.pick(["com", "net", "org"]))")
  case "word": return .text(source.pick(words))
  case "sentence":
    let sentence = (0..<5 + call.scope.random(below: 6)).map { _ in source.pick(words) }.joined(separator: " ")
    return .text(sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
  default: throw call.problem("`fake` makes nothing of this kind", at: 0, help: "it makes \(listed(kinds))")
  }
}

private struct FakeSource {
  let scope: any TemplateScope

  func pick(_ words: [String]) -> String { words[Int(scope.random(below: UInt64(words.count)))] }
}

private let firstNames = [
  "Ada", "Alan", "Amara", "Anna", "Ben", "Carl", "Chen", "Clara", "Diego", "Dora", "Edith", "Elif", "Emil", "Fatima",
  "Felix", "Grace", "Hana", "Hugo", "Ida", "Igor", "Ines", "Ivan", "Jana", "Jonas", "Kira", "Lars", "Leila", "Linus",
  "Maria", "Mateo", "Mina", "Nadia", "Noah", "Olga", "Omar", "Paula", "Rosa", "Sofia", "Tariq", "Zoe",
]

private let lastNames = [
  "Abe", "Adams", "Baker", "Becker", "Brown", "Carter", "Costa", "Diaz", "Dubois", "Evans", "Fischer", "Garcia",
  "Green", "Haddad", "Hansen", "Hill", "Ito", "Jensen", "Kaya", "Keller", "King", "Kowalski", "Lee", "Lopez", "Moreau",
  "Mori", "Nguyen", "Novak", "Okafor", "Olsen", "Parker", "Rossi", "Santos", "Sato", "Silva", "Smith", "Turner",
  "Weber", "Wood", "Young",
]

private let words = [
  "able", "amber", "apple", "autumn", "basket", "blue", "brave", "bridge", "bright", "calm", "candle", "circle",
  "clear", "cloud", "copper", "corner", "dark", "distant", "early", "empty", "field", "forest", "garden", "gentle",
  "green", "harbor", "honest", "island", "kind", "lake", "lantern", "late", "lemon", "letter", "light", "little",
  "mountain", "narrow", "ocean", "open", "orange", "paper", "patient", "pepper", "quiet", "rapid", "river", "round",
  "silver", "simple", "slow", "small", "stone", "summer", "table", "tall", "valley", "warm", "window", "winter",
]
