import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import Values

/// A fast path for the simplest assertions, as nearly all are, without the reasons for failures.
extension Response {
  /// Returns whether the predicates certainly hold; false leaves it open.
  package func certainlyMeets(_ specs: [PredicateSpec], _ subject: ResponseSubject) -> Bool {
    switch subject {
    case .json(let path):
      guard let path = path.compiled, let node = (try? json())?.node(at: path) else { return false }
      return specs.allSatisfy { $0.fixed?.certainlyHolds(for: node) ?? false }
    case .header(let name):
      guard name.template == nil, let line = head.headers.onlyValue(name.text) else { return false }
      return specs.allSatisfy { $0.fixed?.certainlyHolds(forHeader: line) ?? false }
    case .body: return storedTextCertainlyMeets(specs)
    default: return false
    }
  }
}

extension PredicateSpec {
  var fixed: Predicate? { if case .fixed(let predicate) = self { predicate } else { nil } }
}

extension Predicate {
  package func certainlyHolds(for node: JSONNode) -> Bool {
    switch operand {
    case .value(let value): return kind === PredicateKind.equals && node.isWritten(as: value)
    case .flag(true): return kind === PredicateKind.exists
    case .predicates(let predicates):
      return kind === PredicateKind.count && node.isContainer
        && predicates.allSatisfy { predicate in
          guard case .number(let number)? = predicate.value(of: .equals) else { return false }
          return Int(number.lexeme) == node.count
        }
    default: return false
    }
  }

  /// - Parameter line: the header's only line.
  package func certainlyHolds(forHeader line: String) -> Bool {
    switch operand {
    case .value(.text(let text)):
      if kind === PredicateKind.equals { return line.utf8.elementsEqual(text.string.utf8) }
      // An empty text has a note.
      return kind === PredicateKind.contains && !text.isEmpty && occurs(text.string.utf8, in: line.utf8)
    case .flag(true): return kind === PredicateKind.exists
    default: return false
    }
  }
}

extension JSONNode {
  fileprivate func isWritten(as value: Value) -> Bool {
    switch value {
    case .text(let text): isString(text.string)
    case .number(let number): isNumber(writtenAs: number.lexeme)
    case .bool(let flag): isBoolean(flag)
    case .null: kind == .null
    default: false
    }
  }
}
