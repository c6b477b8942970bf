import Matching
import Templates
import Values

/// An expected value with tags in place of values, and with templates inside.
package indirect enum ShapeTemplate: Sendable {
  /// A shape without templates.
  case fixed(Shape)
  case value(ValueTemplate)
  case pattern(ValueTemplate)
  case each(ShapeTemplate)
  case predicates([PredicateSpec])
  case list([ShapeTemplate])
  case object([Member])

  package struct Member: Sendable {
    package let key: TextTemplate
    package let shape: ShapeTemplate
    package let isOptional: Bool
  }

  package func resolve(in scope: any TemplateScope, unit: OperandUnit = .plain) throws(TemplateError) -> Shape {
    switch self {
    case .fixed(let shape): return shape
    case .value(let value):
      let resolved = try value.resolve(in: scope)
      do {
        return .value(try measured(resolved, unit))
      } catch {
        throw TemplateError(error, at: value.range)
      }
    case .pattern(let text):
      let resolved = try text.resolve(in: scope)
      do {
        return .pattern(try compilePattern(resolved.asText))
      } catch {
        throw TemplateError(error, at: text.range)
      }
    case .each(let item): return .each(try item.resolve(in: scope))
    case .predicates(let specs):
      var predicates: [Predicate] = []
      for spec in specs { predicates.append(try spec.resolve(in: scope)) }
      return .predicates(predicates)
    case .list(let items):
      var shapes: [Shape] = []
      shapes.reserveCapacity(items.count)
      for item in items { shapes.append(try item.resolve(in: scope, unit: unit)) }
      return .joined(shapes)
    case .object(let members):
      var shapes: [Shape.Member] = []
      shapes.reserveCapacity(members.count)
      for member in members {
        shapes.append(
          Shape.Member(
            key: try member.key.resolve(in: scope), shape: try member.shape.resolve(in: scope),
            isOptional: member.isOptional))
      }
      return .joined(shapes)
    }
  }

  /// The shape if it has no templates.
  var literal: Shape? {
    if case .fixed(let shape) = self { shape } else { nil }
  }

  package var templates: [Template] {
    switch self {
    case .fixed: []
    case .value(let value), .pattern(let value): value.templates
    case .each(let item): item.templates
    case .predicates(let specs): specs.flatMap(\.templates)
    case .list(let items): items.flatMap(\.templates)
    case .object(let members): members.flatMap { $0.key.templates + $0.shape.templates }
    }
  }
}

/// A predicate with such an operand.
package struct ShapedOperand: Sendable {
  let kind: PredicateKind
  let shape: ShapeTemplate
  let unit: OperandUnit
  let isUnordered: Bool
  let range: SourceRange

  func resolve(in scope: any TemplateScope) throws(TemplateError) -> Predicate {
    let resolved = try shape.resolve(in: scope, unit: unit)
    do {
      return .shaped(try shapedPredicate(kind, resolved, isUnordered: isUnordered))
    } catch {
      throw TemplateError(error, at: range)
    }
  }
}

func shapedPredicate(
  _ kind: PredicateKind, _ shape: Shape, isUnordered: Bool
) throws(DecodingProblem) -> ShapedPredicate {
  switch (kind.operand, shape) {
  case (.list, .list), (.list, .value(.list)): break
  case (.list, _): throw DecodingProblem(.wrongType, "`\(kind.name)` takes \(kind.operand.phrase)")
  case (.members, .list), (.members, .object), (.members, .each), (.members, .value(.list)),
    (.members, .value(.mapping)):
    break
  case (.members, _):
    throw DecodingProblem(
      .wrongType, "`\(kind.name)` takes \(kind.operand.phrase)",
      help: "write `contains` for one item, `equals` for the value itself")
  default: break
  }
  return ShapedPredicate(of: kind, shape, isUnordered: isUnordered)
}
