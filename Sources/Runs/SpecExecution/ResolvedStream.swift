import Diagnostics
import EventStreams
import JSONQueries
import Matching
import OperatingSystem
import RequestSpecs
import RunScopes
import Templates
import Values

/// The resolved `stream` of a request.
struct ResolvedStream: Sendable {
  let range: SourceRange
  let format: EventStreamFormat
  let maxEvents: Int?
  /// The conditions; empty if any event matches.
  let until: [ResolvedCondition]
  let untilRange: SourceRange
  let timeout: Duration?
  let reconnectionLimit: Int

  /// Indicates whether a condition or a number of events ends the stream.
  var hasEndCondition: Bool { !until.isEmpty || maxEvents != nil }
}

struct ResolvedCondition: Sendable {
  let spec: EventCondition
  /// The path; nil except for a part of the JSON.
  let path: JSONPath?
  let predicates: [Predicate]
}

extension StreamSpec {
  /// The default number of reconnections.
  private static let standardReconnectionLimit = 3

  func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedStream {
    var conditions: [ResolvedCondition] = []
    for condition in until?.conditions ?? [] { conditions.append(try condition.resolve(in: scope)) }
    return ResolvedStream(
      range: range, format: format, maxEvents: try maxEvents?.resolve(in: scope), until: conditions,
      untilRange: until?.range ?? range, timeout: try timeout?.resolve(in: scope),
      reconnectionLimit: try reconnect?.resolve(in: scope) ?? StreamSpec.standardReconnectionLimit)
  }
}

extension EventCondition {
  fileprivate func resolve(in scope: FileScope) throws(TemplateError) -> ResolvedCondition {
    let path: JSONPath? = if case .json(let spec) = part { try spec.resolve(in: scope) } else { nil }
    var resolved: [Predicate] = []
    for spec in predicates {
      let predicate = try spec.resolve(in: scope)
      if case .fixed = spec {} else { predicate.addSecrets(to: scope.registry) }
      resolved.append(predicate)
    }
    return ResolvedCondition(spec: self, path: path, predicates: resolved)
  }
}

/// An event for conditions; it is parsed at most once.
final class InspectedEvent {
  let event: StreamEvent
  /// Finds secrets, if failures are shown.
  private let registry: SecretRegistry?
  private let memory: ValueMemory
  private lazy var document = try? JSONDocument(parsing: event.jsonText)

  init(_ event: StreamEvent, registry: SecretRegistry? = nil, storage: StorageBudget) {
    self.event = event
    self.registry = registry
    memory = ValueMemory(of: storage)
  }

  func meets(_ condition: ResolvedCondition) -> Bool {
    guard let subject = try? subject(of: condition) else { return false }
    return hold(condition.predicates, for: subject) && memory.takeShortage() == nil
  }

  func subject(of condition: ResolvedCondition) throws(JSONPathError) -> MatchSubject {
    switch condition.spec.part {
    case .type: return text(event.type)
    case .id: return text(event.id)
    case .data: return text(event.data)
    case .json:
      guard let path = condition.path, let document else { return .missing }
      let nodes = try path.nodes(in: document)
      if path.isSingular {
        return nodes.first.map { .lazy(LazyNode(node: $0, registry: registry, memory: memory)) } ?? .missing
      }
      return .list(LazyNodeList(count: nodes.count, registry, memory) { nodes })
    }
  }

  /// The reason why the subject of a condition is missing in the event, if one is known.
  func absence(of condition: ResolvedCondition) -> String? {
    document.flatMap { condition.path?.absence(in: $0) }
  }

  private func text(_ text: String?) -> MatchSubject {
    text.map { .lazy(UntypedText(registry?.filtered($0) ?? Text($0))) } ?? .missing
  }
}
