import DocumentQueries
import Matching
import SpecExecution
import Synchronization
import Templates
import Values

/// The values of specs that only a run knows: words in the texts of requests and of what is expected.
final class OpenWords: OpenValues {
  private struct State {
    var numbers: [String: Int] = [:]
    /// The kinds of the values of words; text where nothing is known.
    var kinds: [Int: MatchKind] = [:]
    /// The values that were made or sent last.
    var known: [Int: String] = [:]
    /// The paths of the URLs that words stand for.
    var paths: [Int: String] = [:]
    var count = 0
    /// The groups whose requests made values.
    var groups: [String: Set<String>] = [:]
  }

  let openRows = false
  private let state = Mutex(State())
  private let made: MadeValues

  init(_ made: MadeValues) { self.made = made }

  /// The number of the word for a value with a name.
  func number(of name: String) -> Int {
    state.withLock { state in
      let number = state.numbers[name] ?? state.numbers.count + 1
      state.numbers[name] = number
      return number
    }
  }

  func note(_ kind: MatchKind, of number: Int) { state.withLock { $0.kinds[number] = kind } }

  // MARK: requests

  func capture(_ name: String, isURL: Bool) -> Text {
    let word = TextPattern.word(number(of: name))
    return Text(isURL ? "http://mock.invalid/\(word)" : word)
  }

  func value(
    of expression: OpenExpression, in scope: FileScope, partOf variable: String?
  ) throws(TemplateError) -> Value? {
    let isUnknown =
      expression.environmentName != nil || !expression.unrepeatableFunctions.isEmpty
      || expression.references.contains { isOpen($0.name, in: scope) }
    guard isUnknown else { return nil }
    if let (name, steps) = expression.path, steps.isEmpty {
      // Its own value has words where it is open.
      if let capture = scope.capturePlaceholder(name) { return .text(capture) }
      if !scope.declaresSecret(name) { return nil }
    }
    // A name is the same in all files; a function's result is one of its place.
    let place = expression.unrepeatableFunctions.isEmpty ? "" : "\(scope.path):\(expression.range.start.line) "
    return .text(Text(TextPattern.word(number(of: place + expression.text))))
  }

  /// Indicates whether only a run knows a value, or not everyone may.
  private func isOpen(_ name: String, in scope: FileScope) -> Bool {
    if name == "env" || scope.declaresSecret(name) || scope.capturePlaceholder(name) != nil { return true }
    guard case .value(let value)? = try? scope.lookup(name) else { return false }
    return !TextPattern.isLiteral(value.jsonText().string)
  }

  /// Notes that the word of a URL stands for a path.
  func note(path: String, of number: Int) { state.withLock { $0.paths[number] = path } }

  /// The path of a request, with that of a URL that a response gave in the place of its word.
  func path(_ path: String) -> String {
    let segments = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
    let first = segments.prefix { $0 != "/" }
    guard case .open(let number?)? = TextPattern.pieces(of: String(first)).first,
      let known = state.withLock({ $0.paths[number] })
    else { return path }
    return known + segments.dropFirst(first.count)
  }

  // MARK: responses

  /// A new value for a word that a response gives, which those who use it send.
  ///
  /// - Parameter groups: the flows, rows or files of the request.
  func make(_ number: Int, in groups: Set<String>, at url: String) -> String {
    state.withLock { state in
      state.count += 1
      let text: String
      switch state.kinds[number] {
      case .uuid: text = made.uuid(state.count)
      case .url:
        text = "\(url)/made-\(state.count)"
        state.groups["made-\(state.count)"] = groups
      default: text = "\(made.number(state.count))"
      }
      state.known[number] = text
      if state.groups.count > 100_000 { state.groups = [:] }
      state.groups[text] = groups
      return text
    }
  }

  /// The groups whose requests made the values that stand in the open parts of a request.
  func groups(of bindings: Bindings) -> Set<String> {
    if bindings.texts.isEmpty { return [] }
    return state.withLock { state in
      bindings.texts.values.reduce(into: []) { $0.formUnion(state.groups[$1] ?? []) }
    }
  }

  /// Remembers what clients sent for words; responses to other requests repeat it.
  func remember(_ bindings: Bindings) {
    if !bindings.texts.isEmpty { state.withLock { $0.known.merge(bindings.texts) { $1 } } }
  }

  /// The value of a word that was made or sent last.
  func lastKnown(_ number: Int) -> String { state.withLock { $0.known[number] } ?? "1" }

  /// Returns whether the value of a word is a number.
  func isNumber(_ number: Int) -> Bool { state.withLock { [.integer, .number].contains($0.kinds[number]) } }

  /// The text with values in place of its words: those of a request, else those that are known.
  func filled(_ text: String, _ texts: [Int: String]) -> String {
    if TextPattern.isLiteral(text) { return text }
    return TextPattern.pieces(of: text).map { piece in
      switch piece {
      case .literal(let text): text
      case .open(let number?): texts[number] ?? lastKnown(number)
      case .open(nil): Text.mask
      }
    }.joined()
  }

  func filled(_ value: Value, _ texts: [Int: String]) -> Value {
    switch value {
    case .text(let text):
      if TextPattern.isLiteral(text.string) { return value }
      let pieces = TextPattern.pieces(of: text.string)
      let own = filled(text.string, texts)
      if pieces.count == 1, case .open(let number?) = pieces[0], isNumber(number), JSONDocument.isNumber(own) {
        return .number(Number(lexeme: own))
      }
      return .text(Text(own))
    case .list(let items): return .list(items.map { filled($0, texts) })
    case .mapping(let mapping):
      return .mapping(Mapping(mapping.members.map { (filled($0.key.string, texts), filled($0.value, texts)) }))
    default: return value
    }
  }
}

extension JSONDocument {
  static func isNumber(_ text: String) -> Bool { (try? JSONDocument(parsing: text))?.root.kind == .number }
}
