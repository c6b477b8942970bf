import DocumentQueries
import Values

/// The index of a compiled schema.
package struct SchemaID: Sendable, Hashable {
  let index: Int32

  init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}

/// A compiled subschema: its rules in the order in which they are checked.
struct SchemaNode: Sendable {
  /// The index of its document.
  var document: Int32
  /// Its position in that document's flat array.
  var place: Int32
  /// The schema resource that it belongs to.
  var resource: Int32
  /// The fixed result of `true` and `false`.
  var fixedResult: Bool?
  var rules: [SchemaRule] = []
  /// The types that its rules are about if it states none: they check no other value.
  var impliedTypes: TypeSet = []
  /// Indicates whether it may refer back to itself at the same place of the instance.
  var mayCircle = false
  var allowsCircles = false
  /// Indicates whether it needs the parts that other keywords evaluated.
  var needsEvaluated = false
  /// The direction of messages in which the property may be omitted.
  var access = PropertyAccess.any
}

/// `readOnly` and `writeOnly`, by which OpenAPI distinguishes requests and responses.
enum PropertyAccess: UInt8, Sendable {
  case any, readOnly, writeOnly
}

/// A keyword, or several that work together, with the place of its value.
struct SchemaRule: Sendable {
  var place: Int32
  var check: SchemaCheck
}

enum SchemaCheck: Sendable {
  case types(TypeSet)
  case equals(ValueSet)
  case bound(NumberBound, Number)
  case multipleOf(Number)
  case length(SizeBound, Int)
  case pattern(RegularExpression)
  case format(TextFormat)
  case content(ContentRule)
  case itemCount(SizeBound, Int)
  case uniqueItems
  case items(ItemRules)
  case contains(ContainsRule)
  case memberCount(SizeBound, Int)
  case required([[UInt8]])
  case dependentRequired([(name: [UInt8], needs: [[UInt8]], place: Int32)])
  case members(MemberRules)
  case propertyNames(SchemaID)
  case dependentSchemas([(name: [UInt8], schema: SchemaID)])
  case reference(SchemaID)
  case dynamicReference(anchor: String, initial: SchemaID)
  case allOf([SchemaID])
  case anyOf([SchemaID])
  case oneOf([SchemaID])
  case not(SchemaID)
  case conditional(ConditionalRule)
  case unevaluatedItems(SchemaID)
  case unevaluatedProperties(SchemaID)

  /// The order: cheap rules first, then those that apply other schemas, last those that need the evaluated parts.
  var rank: Int {
    switch self {
    case .types: 0
    case .equals, .bound, .length, .itemCount, .memberCount, .required, .dependentRequired: 1
    case .multipleOf, .pattern, .format, .content: 2
    case .reference, .dynamicReference, .members, .items: 3
    case .uniqueItems, .contains, .propertyNames, .dependentSchemas, .allOf, .anyOf, .oneOf, .not, .conditional: 4
    case .unevaluatedItems, .unevaluatedProperties: 5
    }
  }
}

struct TypeSet: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  static let null = TypeSet(rawValue: 1)
  static let boolean = TypeSet(rawValue: 2)
  static let integer = TypeSet(rawValue: 4)
  static let number = TypeSet(rawValue: 8)
  static let string = TypeSet(rawValue: 16)
  static let array = TypeSet(rawValue: 32)
  static let object = TypeSet(rawValue: 64)
  /// Indicates whether only numbers with neither point nor exponent are integers, as in draft 4.
  static let integersWithoutPoint = TypeSet(rawValue: 128)

  static let words: [(word: String, type: TypeSet)] = [
    ("string", .string), ("integer", .integer), ("number", .number), ("boolean", .boolean), ("object", .object),
    ("array", .array), ("null", .null),
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init?(word: some StringProtocol) {
    guard let known = TypeSet.words.first(where: { $0.word == word }) else { return nil }
    self = known.type
  }
}

enum SizeBound: Sendable { case atLeast, atMost }

enum NumberBound: Sendable { case atLeast, moreThan, atMost, lessThan }

struct PlacedSchema: Sendable {
  let schema: SchemaID
  /// The place of the keyword or member that contains it.
  let place: Int32
}

/// `properties`, `patternProperties` and `additionalProperties`: each member is visited once.
final class MemberRules: Sendable {
  let names: NameTable
  /// Schemas by the indices of `names`.
  let properties: [PlacedSchema]
  let patterns: [(pattern: RegularExpression, schema: PlacedSchema)]
  let additional: PlacedSchema?

  init(
    names: NameTable, properties: [PlacedSchema], patterns: [(pattern: RegularExpression, schema: PlacedSchema)],
    additional: PlacedSchema?
  ) {
    self.names = names
    self.properties = properties
    self.patterns = patterns
    self.additional = additional
  }
}

/// `prefixItems` and `items`, also with their former names.
final class ItemRules: Sendable {
  let prefix: [PlacedSchema]
  let rest: PlacedSchema?

  init(prefix: [PlacedSchema], rest: PlacedSchema?) {
    self.prefix = prefix
    self.rest = rest
  }
}

final class ContainsRule: Sendable {
  let schema: SchemaID
  let minimum: Int
  let maximum: Int?
  /// The places of `minContains` and `maxContains`.
  let minimumPlace: Int32?
  let maximumPlace: Int32?
  /// Indicates whether matching items count as evaluated.
  let evaluates: Bool

  init(
    schema: SchemaID, minimum: (count: Int, place: Int32)?, maximum: (count: Int, place: Int32)?, evaluates: Bool
  ) {
    self.schema = schema
    self.minimum = minimum?.count ?? 1
    self.maximum = maximum?.count
    minimumPlace = minimum?.place
    maximumPlace = maximum?.place
    self.evaluates = evaluates
  }
}

final class ConditionalRule: Sendable {
  let condition: SchemaID
  let then: SchemaID?
  let otherwise: SchemaID?

  init(condition: SchemaID, then: SchemaID?, otherwise: SchemaID?) {
    self.condition = condition
    self.then = then
    self.otherwise = otherwise
  }
}

/// Draft 7's `contentEncoding` and `contentMediaType`, as far as their values are known.
final class ContentRule: Sendable {
  let isBase64: Bool
  let isJSON: Bool

  init(isBase64: Bool, isJSON: Bool) {
    self.isBase64 = isBase64
    self.isJSON = isJSON
  }
}

/// A schema resource for the dynamic scope.
struct CompiledResource: Sendable {
  /// The schemas that `$dynamicAnchor` names.
  var dynamicAnchors: [String: SchemaID] = [:]
}
