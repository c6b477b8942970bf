import Templates
import Values
import YAMLNodes

/// A step that runs the setup and the requests of another file where it stands.
package struct UseSpec: Sendable {
  package let file: ReusedFile
  /// The captures that come out, by their new names; nil for all of them.
  package let taken: [TakenCapture]?
}

/// A capture of a used file that comes out under a name of its own.
package struct TakenCapture: Sendable {
  package let name: Located<String>
  package let capture: Located<String>
}

/// ``UseSpec`` while it is read.
struct UseDraft {
  var reference: Located<String>?
  var arguments = KeyedSettings<ValueTemplate>()
  var taken: [TakenCapture]?
  var sharesCookies: Bool?

  var spec: UseSpec? {
    reference.map { UseSpec(file: ReusedFile($0, arguments, sharesCookies: sharesCookies), taken: taken) }
  }
}

/// The keys that only stand beside `use`.
private let ownUseKeys: [Key<RequestDraft>] = [
  Key(
    "use", "the path of a spec file, whose setup and requests run here; `login.yaml#log in` is one request of it", .text
  ) { $2.use.reference = $0.reusedFile($1) },
  Key(
    "with", "values of the file's variables", synonyms: "variables vars args params parameters input inputs",
    argumentsShape
  ) { $2.use.arguments = $0.arguments($1.value) },
  Key(
    "take", "the captures to take, by new names; by default all, by their own",
    synonyms: "capture bind save extract set outputs output returns", .names(of: .text)
  ) { $2.use.taken = $0.takenCaptures($1.value) },
  Key("share_cookies", "`false`: the file has cookies of its own", .constant(.boolean)) { $0.use.sharesCookies = $1 },
  Key(
    "each", "the file runs once for each row: see \"Rows\"",
    synonyms: "loop for_each foreach with_items iteration iterations parameterize examples repeat rows", RowsDraft.shape
  ) { $2.rows = $0.rows($1.value) },
]

/// The keys of requests that stand beside `use`, too.
private let sharedUseKeys: Set<String> = [
  "name", "description", "tags", "when", "skip", "poll", "continue_on_failure",
]

let useKeys: Keys<RequestDraft> = Keys(
  ownUseKeys + requestKeys.all.filter { sharedUseKeys.contains($0.name) },
  advice: Dictionary(
    requestKeys.names.known.filter { $0 != "each" && !sharedUseKeys.contains($0) }.map {
      ($0, "it belongs to a request: a step with `use` sends none of its own")
    }, uniquingKeysWith: { first, _ in first }
  ).merging([
    "capture": "write `take: {name: its capture}`", "variables": "write `with: {name: value}`",
  ]) { $1 },
  usual: ["use", "with", "take", "name", "when", "each", "poll", "share_cookies"])

/// The words beside `use` in a request, with advice.
let useAdvice = Dictionary(
  uniqueKeysWithValues: ["with", "take", "share_cookies"].map { ($0, "it belongs beside `use`, which names a file") })

extension SpecReader {
  /// A step that uses another file.
  mutating func use(_ item: YAMLNode) -> RequestSpec? {
    if isWithinDuring {
      return reject(
        .misplacedKey, "`use` cannot stand in `during`", at: item.range.firstLine,
        help: "use the file before or after the stream")
    }
    let errorsBefore = bag.errorCount
    var draft = RequestDraft(range: item.range)
    visit(item, as: "a step with `use`", keys: useKeys, into: &draft)
    if let poll = draft.settings.repetitionBox?.content.poll.value { checkPollOfFile(poll) }
    if bag.errorCount > errorsBefore || isIncomplete(item) { missedNames = .any }
    return draft.use.reference == nil ? nil : RequestSpec(draft)
  }

  /// Reports conditions on a response: a used file has several.
  private mutating func checkPollOfFile(_ poll: PollSpec) {
    for assertion in poll.conditions.flatMap(\.assertions) {
      if case .value = assertion.subject { continue }
      bag.error(
        .conflictingKeys, "`\(assertion.label)` looks at one response, and a used file has several",
        at: assertion.range, help: "capture it in that file, and compare the capture: `until: {values: {state: done}}`")
    }
  }

  private func takeInstead(of node: YAMLNode) -> String {
    let names = (node.items ?? [node]).compactMap(\.plainText).filter(Template.isName)
    let members = names.isEmpty ? "order: id" : names.map { "\($0): \($0)" }.joined(separator: ", ")
    return "write `take: {\(members)}`; without `take` all captures come out under their own names"
  }

  fileprivate mutating func takenCaptures(_ node: YAMLNode) -> [TakenCapture]? {
    guard isUsable(node) else { return nil }
    guard let members = node.members else {
      return reject(
        .wrongType, "`take` is a mapping of new names to captures, found \(node.kindPhrase)", at: node,
        help: takeInstead(of: node))
    }
    return members.compactMap { member in
      guard checkName(member.key, at: member.keyRange, of: "a capture"),
        let capture = stringList(member.value, as: "take").first
      else { return nil }
      if member.value.items != nil {
        return reject(.wrongType, "`take` has one capture for each name, found a list", at: member.value.range)
      }
      return TakenCapture(name: Located(member.key, at: member.keyRange), capture: capture)
    }
  }
}
