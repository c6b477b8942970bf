import DocumentQueries
import HTTPSemantics
import Matching
import OperatingSystem
import Synchronization
import Values

/// A node of a parsed body that becomes a value only if a predicate needs it; its secrets are marked then.
package struct LazyNode: LazyValue {
  package let node: JSONNode
  /// Finds secrets; nil if the value is shown to nobody.
  package let registry: SecretRegistry?
  package let memory: ValueMemory

  /// Indicates whether a message names its place in the document, and not its position among the items of a list.
  package let hasPlace: Bool

  package init(node: JSONNode, registry: SecretRegistry?, memory: ValueMemory, hasPlace: Bool = true) {
    self.node = node
    self.registry = registry
    self.memory = memory
    self.hasPlace = hasPlace
  }

  package var location: String? { hasPlace ? node.location : nil }
  package var kind: ValueKind { node.kind }
  package var count: Int? { node.isContainer ? node.count : nil }

  package var value: Value { memory.take(cost) ? marked(node.value) : .null }
  package var beginning: Value { marked(node.beginning(shownNodeLimit)) }
  package func release() { memory.giveBack(cost) }

  package var items: (any LazyList)? {
    node.kind == .list ? LazyNodeList(count: node.count, registry, memory, havePlaces: false) { node.itemList } : nil
  }

  private var cost: Int { node.valueMemory }

  private func marked(_ value: Value) -> Value { registry?.filtered(value) ?? value }
}

/// Nodes as a list of values.
package final class LazyNodeList: LazyList {
  /// The memory for the position of a node, and for a predicate's notes on each.
  private static let costOfNode = 24

  private let nodes: JSONNodeList?
  private let registry: SecretRegistry?
  private let memory: ValueMemory
  private let havePlaces: Bool
  private let cost: Int
  package let count: Int

  /// - Parameter nodes: only called if there is memory.
  package init(
    count: Int, _ registry: SecretRegistry?, _ memory: ValueMemory, havePlaces: Bool = true, nodes: () -> JSONNodeList
  ) {
    self.havePlaces = havePlaces
    self.registry = registry
    self.memory = memory
    cost = count * LazyNodeList.costOfNode
    self.nodes = memory.take(cost) ? nodes() : nil
    self.count = self.nodes?.count ?? 0
  }

  deinit {
    if nodes != nil { memory.giveBack(cost) }
  }

  package subscript(index: Int) -> any LazyValue {
    guard let nodes else { return ConcreteValue(.null) }
    return LazyNode(node: nodes[index], registry: registry, memory: memory, hasPlace: havePlaces)
  }

  package var value: Value {
    guard let nodes, memory.take(valueCost) else { return .null }
    let values = Value.list(nodes.map(\.value))
    return registry?.filtered(values) ?? values
  }

  package var beginning: Value {
    let values = Value.list(nodes?.prefix(shownNodeLimit).map { $0.beginning(shownNodeLimit) } ?? [])
    return registry?.filtered(values) ?? values
  }

  package func release() { memory.giveBack(valueCost) }

  private var valueCost: Int { nodes?.valueMemory ?? 0 }
}

/// The memory of the values that predicates have made from a document.
///
/// A predicate that gets no value continues with null; the caller must check for a shortage before using its result.
package final class ValueMemory: Sendable {
  /// The size below which a value is too short-lived to count.
  private static let smallest = 1 << 12

  private let share: StorageBudget.Share
  private let shortage = Mutex<MemoryShortage?>(nil)

  package init(of budget: StorageBudget) {
    share = StorageBudget.Share(of: budget)
  }

  package func take(_ count: Int) -> Bool {
    if count < ValueMemory.smallest { return true }
    do throws(MemoryShortage) {
      try share.takeMemory(count)
      return true
    } catch {
      shortage.withLock { if $0 == nil { $0 = error } }
      return false
    }
  }

  package func giveBack(_ count: Int) {
    if count >= ValueMemory.smallest { share.giveBackMemory(count) }
  }

  /// The shortage since the previous call.
  package func takeShortage() -> MemoryShortage? {
    shortage.withLock { shortage in
      defer { shortage = nil }
      return shortage
    }
  }

  /// The maximum number of nodes that a query may select.
  package var nodeLimit: Int { max(1000, share.budget.freeMemory / 24) }
}

extension MemoryShortage {
  /// - Parameters:
  ///   - what: the part that needs the memory, such as `the JSON of the response`.
  ///   - details: its contents.
  package func message(_ what: String, _ details: String? = nil) -> String {
    let size = "\(what) needs \(byteCountText(Int64(clamping: needed)))\(details.map { " (\($0))" } ?? "")"
    let limit = byteCountText(Int64(clamping: limit))
    return needed > self.limit
      ? "\(size); --max-memory allows \(limit)"
      : "\(size), and of the \(limit) that --max-memory allows \(byteCountText(Int64(clamping: free))) are free"
  }

  package var help: String {
    needed > limit ? "raise the limit with --max-memory if that size is right" : "fewer --jobs need less at a time"
  }
}
