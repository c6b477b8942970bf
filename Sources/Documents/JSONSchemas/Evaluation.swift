import DocumentQueries
import OperatingSystem
import Values

/// Validates an instance against schemas; without a report it stops at the first failure.
struct Evaluation {
  let set: SchemaSet
  let document: JSONDocument
  let direction: SchemaSet.Direction?
  /// The reason why the evaluation was ended; its results are then void.
  var problem: String?
  /// The resources that references led into, outermost first.
  private var scope: [Int32] = []
  /// Schemas that may circle and are being applied to an instance.
  private var active: [(schema: SchemaID, instance: Int)] = []
  /// The stack address at the start, and the number of bytes by which the stack may grow from there.
  private let stackTop: UInt
  private let room: Int
  /// Indicates whether a larger stack would help.
  private(set) var lacksRoom = false
  /// The first name that a property misspells, and the number of objects that were searched for one.
  var misspelling: String?
  var searchedObjects = 0
  /// Indicates whether a schema is applied that should not hold, or need not.
  var isDenied = false
  /// The first schema that checks nothing of a value, which is of another type.
  var idle: (schema: SchemaNode, instance: Int)?
  /// The first text in another letter case than that of the condition of `if`, which did not hold.
  var otherCase: (wanted: String, instance: Int)?
  /// The number of schemas around that need not hold, those of `anyOf` and `contains`, too.
  var alternatives = 0
  private var steps = 0
  private let meter = EvaluationBudget.meter

  /// The limit of schema applications: usually fewer than ten for each node.
  private let stepLimit: Int

  init(set: SchemaSet, document: JSONDocument, direction: SchemaSet.Direction?, room: Int) {
    stackTop = stackAddress()
    stepLimit = 1_000_000 + 200 * document.nodeCount
    self.room = room
    self.set = set
    self.document = document
    self.direction = direction
  }

  func node(_ instance: Int) -> JSONNode { document.node(at: instance) }

  /// Ends the evaluation if there is no time left.
  mutating func spend(_ steps: Int) {
    if problem == nil, meter.isOver(after: steps) {
      problem = "it takes too long to hold this value against the schema"
    }
  }

  mutating func holds(_ id: SchemaID, _ instance: Int) -> Bool { evaluate(id, instance, nil, nil) }

  /// - Parameters:
  ///   - evaluated: collects the evaluated parts of the instance, if another keyword needs them.
  ///   - report: collects all failures.
  mutating func evaluate(
    _ id: SchemaID, _ instance: Int, _ evaluated: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    let schema = set.schema(id)
    if let fixedResult = schema.fixedResult {
      if !fixedResult { report?.add(schema, schema.place, instance, .never) }
      return fixedResult
    }
    guard problem == nil else { return false }
    steps += 1
    spend(8)
    guard problem == nil else { return false }
    if steps > stepLimit {
      problem = "the schema asks too much of this value: \(stepLimit) checks were not enough"
      return false
    }
    // The frame at the start may be deeper than this one.
    if Int(bitPattern: stackTop &- stackAddress()) > room {
      problem = "schema and value nest together too deep"
      lacksRoom = true
      return false
    }
    if schema.mayCircle {
      if active.contains(where: { $0.schema == id && $0.instance == instance }) {
        if schema.allowsCircles { return true }
        problem = "the schema leads back to itself without going deeper into the instance"
        return false
      }
      active.append((id, instance))
    }
    let entersResource = scope.last != schema.resource
    if entersResource { scope.append(schema.resource) }
    let result = evaluateRules(of: schema, instance, evaluated, report)
    if entersResource { scope.removeLast() }
    if schema.mayCircle { active.removeLast() }
    return result
  }

  private mutating func evaluateRules(
    of schema: SchemaNode, _ instance: Int, _ outer: Evaluated?, _ report: FailureReport?
  ) -> Bool {
    let evaluated = schema.needsEvaluated ? Evaluated() : outer
    var isValid = true
    for rule in schema.rules {
      // After a failure, it is unknown what is unevaluated.
      if !isValid, rule.check.rank == 5, problem == nil, report == nil { return false }
      if !check(rule, of: schema, instance, evaluated, report) {
        isValid = false
        // An instance of another type fails everything else too.
        if report == nil || rule.check.rank == 0 { return false }
      }
    }
    if !schema.impliedTypes.isEmpty, idle == nil, alternatives == 0, !schema.impliedTypes.contains(node(instance)),
      node(instance).kind != .null
    {
      idle = (schema, instance)
    }
    if schema.needsEvaluated, isValid || report != nil, let outer, let evaluated { outer.merge(evaluated) }
    return isValid
  }

  /// The schema that an anchor names in the outermost resource that has it.
  func dynamicTarget(_ anchor: String, _ initial: SchemaID) -> SchemaID {
    for resource in scope {
      if let schema = set.resources[Int(resource)].dynamicAnchors[anchor] { return schema }
    }
    return initial
  }
}

/// The current stack address; the stack grows towards lower addresses.
@inline(never)
private func stackAddress() -> UInt {
  var mark: UInt8 = 0
  return withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
}

/// The parts of one instance that keywords have evaluated.
final class Evaluated {
  private var hasAll = false
  /// The number of leading items.
  private var prefix = 0
  /// Values of members and items, by their positions in the document.
  private var places: Set<Int> = []

  func insert(_ place: Int) { if !hasAll { places.insert(place) } }
  func insertItems(upTo count: Int) { prefix = max(prefix, count) }
  func insertAll() { hasAll = true }

  func contains(_ place: Int) -> Bool { hasAll || places.contains(place) }
  func containsItem(_ index: Int, at place: Int) -> Bool { hasAll || index < prefix || places.contains(place) }

  func merge(_ other: Evaluated) {
    hasAll = hasAll || other.hasAll
    prefix = max(prefix, other.prefix)
    if !hasAll { places.formUnion(other.places) }
  }
}
