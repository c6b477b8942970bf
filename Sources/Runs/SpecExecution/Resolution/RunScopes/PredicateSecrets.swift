import Matching
import Values

extension Predicate {
  /// Adds the secret parts of the operands.
  package func addSecrets(to registry: SecretRegistry) {
    switch operand {
    case .value(let value): registry.add(value)
    case .values(let values): for value in values { registry.add(value) }
    case .bounds(let low, let high):
      registry.add(low)
      registry.add(high)
    case .text(let text): registry.add(text)
    case .predicates(let inner): for predicate in inner { predicate.addSecrets(to: registry) }
    case .shape(let shaped): shaped.shape.addSecrets(to: registry)
    case .distance, .pattern, .kind, .flag, .order: break
    }
  }
}

extension Shape {
  fileprivate func addSecrets(to registry: SecretRegistry) {
    switch self {
    case .value(let value): registry.add(value)
    case .each(let item): item.addSecrets(to: registry)
    case .predicates(let predicates): for predicate in predicates { predicate.addSecrets(to: registry) }
    case .list(let items): for item in items { item.addSecrets(to: registry) }
    case .object(let members): for member in members { member.shape.addSecrets(to: registry) }
    case .anything, .kind, .pattern: break
    }
  }
}
