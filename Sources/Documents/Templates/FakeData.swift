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

private let firstNames = list(PackageResources.first_names_txt)
private let lastNames = list(PackageResources.last_names_txt)
private let words = list(PackageResources.words_txt)

private func list(_ text: [UInt8]) -> [String] {
  String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
}
