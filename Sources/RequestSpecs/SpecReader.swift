import Diagnostics
import Templates
import Values
import YAMLNodes

/// Reads nodes into typed settings, collecting every problem on the way.
struct SpecReader {
  var bag = DiagnosticBag()
  /// Keys that are missing because they were mistyped or belong to a later version: what they would have declared is
  /// not reported as unknown.
  var missedKeys: Set<String> = []
  /// Whether what is read stands in the `during` of a stream.
  var isWithinDuring = false
  /// How many predicates around what is read deny what it says.
  var denials = 0

  /// Visits the members of a mapping whose keys the format defines: unknown keys are errors that name the nearest,
  /// `x-…` keys are ignored, keys of later versions say so.
  ///
  /// - Parameter instead: how what stands there is written, where it is no mapping.
  mutating func visit(
    _ node: YAMLNode, as what: String, keys: KeyTable, instead: String? = nil,
    _ body: (inout SpecReader, YAMLMember) -> Void
  ) {
    guard isUsable(node) else { return }
    guard let members = node.members else {
      bag.error(
        "\(what) is a mapping, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
        help: (instead ?? keys.shape).map { "write \($0)" } ?? keys.list)
      return
    }
    for member in members {
      if member.key.hasPrefix("x-") { continue }
      if keys.known.contains(member.key) {
        body(&self, member)
      } else if keys.later.contains(member.key) {
        notYet("`\(member.key)`", at: member.keyRange, help: "remove the key; a later version will run it")
        missedKeys.insert(member.key)
      } else {
        unknownKey(member, of: what, keys: keys)
      }
    }
  }

  mutating func unknownKey(_ member: YAMLMember, of what: String, keys: KeyTable) {
    let nearest = keys.synonyms[member.key] ?? likelyWord(for: member.key, among: keys.known + keys.later)
    if let nearest { missedKeys.insert(nearest) }
    bag.error(
      "unknown key `\(jsonEscaped(member.key))` in \(what)", at: member.keyRange,
      help: keys.advice[member.key] ?? nearest.map { "did you mean `\($0)`?" }
        ?? keys.list)
  }

  /// Something that is part of the format, but not of this version.
  mutating func notYet(_ what: String, at range: SourceRange, help: String? = nil) {
    bag.error("\(what) is not available yet in this version", at: range, help: help)
  }

  func useNote(_ node: YAMLNode) -> [Diagnostic.Note] {
    node.useSite.map { [Diagnostic.Note("used here", at: $0)] } ?? []
  }

  /// Whether a node can be read: nothing was said of it yet, and it has no tag that stands for kinds of values.
  mutating func isUsable(_ node: YAMLNode) -> Bool {
    if node.hasError { return false }
    guard let tag = node.localTag else { return true }
    bag.error(
      "`\(tag.text)` describes a value that is expected: it cannot stand here", at: tag.range, notes: useNote(node),
      help: "such tags belong to values under `expect`; what several share may be anchored under an `x-…` key")
    return false
  }

  /// A value as a field: decoded now, or when its templates have a value.
  mutating func field<Output>(_ node: YAMLNode, _ decoder: ValueDecoder<Output>) -> Field<Output>? {
    guard let value = valueTemplate(node) else { return nil }
    guard let literal = value.literal else {
      if node.members == nil { return Field(template: value, decoder: decoder) }
      bag.error("expected \(decoder.expected), found a mapping", at: node.range, notes: useNote(node))
      return nil
    }
    do {
      return Field(literal: try decoder.decode(literal), range: node.range)
    } catch {
      report(error, at: node)
      return nil
    }
  }

  /// A decoder's problem with a node, at the part of its text that is wrong.
  mutating func report(_ problem: DecodingProblem, at node: YAMLNode) {
    bag.error(
      problem.message, at: problem.textRange.map { node.range(ofText: $0) } ?? node.range, notes: useNote(node),
      help: problem.help)
  }

  /// A field that `null` removes.
  mutating func setting<Output>(_ node: YAMLNode, _ decoder: ValueDecoder<Output>) -> Setting<Field<Output>> {
    if node.isNull { return .removed }
    return field(node, decoder).map { .given($0) } ?? .inherited
  }

  /// A value that must be known when the file is loaded.
  mutating func constant<Output>(
    _ node: YAMLNode, as what: String, _ decoder: ValueDecoder<Output>
  ) -> Output? {
    guard let field = field(node, decoder) else { return nil }
    if field.literal == nil {
      bag.error("`\(what)` takes no template", at: node.range, notes: useNote(node), help: "write the value itself")
    }
    return field.literal
  }

  /// Text without templates, or a list of texts.
  mutating func stringList(_ node: YAMLNode, as what: String) -> [Located<String>] {
    guard isUsable(node) else { return [] }
    return (node.items ?? [node]).compactMap { item in
      guard isUsable(item) else { return nil }
      guard let scalar = item.scalar, case .text(let text) = scalar.meaning else {
        bag.error(
          "`\(what)` is text or a list of texts, found \(item.kindPhrase)", at: item.range, notes: useNote(item),
          help: item.scalar.map { $0.text.isEmpty ? "leave the key out" : "quote it: \"\($0.text)\"" })
        return nil
      }
      if Template.isTemplate(text) {
        bag.error("`\(what)` takes no template", at: item.range, notes: useNote(item), help: "write the text itself")
        return nil
      }
      return Located(text, at: item.range)
    }
  }

  /// Text for people, with whatever it holds.
  mutating func plainText(_ node: YAMLNode, as what: String) -> String? {
    guard isUsable(node) else { return nil }
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning else {
      bag.error("`\(what)` is text, found \(node.kindPhrase)", at: node.range, notes: useNote(node))
      return nil
    }
    return text
  }
}

/// The keys that a mapping of the format has.
struct KeyTable {
  let known: [String]
  /// Part of the format, but not of this version.
  var later: [String] = []
  /// Words that people try here, and the key that they mean.
  var synonyms: [String: String] = [:]
  /// Words that people try here, and what to do instead.
  var advice: [String: String] = [:]
  /// The keys to name where all would be too many.
  var usual: [String] = []
  /// How such a mapping is written, such as `{size: 1MiB}`.
  var shape: String?

  /// What can stand here.
  fileprivate var list: String {
    usual.isEmpty
      ? "the keys here are \(known.joined(separator: ", "))"
      : "among the keys here are \(usual.joined(separator: ", "))"
  }
}

/// A help text that names the nearest of the known words.
package func suggestion(_ word: String, among known: [String]) -> String? {
  nearestWord(to: word, among: known).map { "did you mean `\($0)`?" }
}
