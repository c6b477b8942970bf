import DocumentQueries
import Matching
import OperatingSystem
import RequestSpecs
import Templates
import Values

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
    case .data(let name): return name == event.dataName ? text(event.data) : .missing
    case .code: return event.message?.code.map { .value(.integer($0)) } ?? .missing
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
