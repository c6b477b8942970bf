import Templates
import Values

/// A variable or secret, with the names that it reads.
struct Declaration {
  let name: String
  let range: SourceRange
  let references: [TemplateReference]

  init(name: String, range: SourceRange, template: ValueTemplate?) {
    self.name = name
    self.range = range
    references = (template?.templates ?? []).flatMap(\.references)
  }
}

/// The circles in which declarations read each other, each from its first member back to it.
func circles(among declarations: [Declaration]) -> [[Declaration]] {
  enum State { case new, open, done }
  let indices = Dictionary(
    declarations.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  let readings = declarations.map { $0.references.compactMap { indices[$0.name] } }
  var states = [State](repeating: .new, count: declarations.count)
  var result: [[Declaration]] = []
  // A chain of references may be longer than the call stack is deep.
  for start in declarations.indices where states[start] == .new {
    var path: [(index: Int, next: Int)] = [(start, 0)]
    states[start] = .open
    while let last = path.last {
      guard last.next < readings[last.index].count else {
        states[last.index] = .done
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let read = readings[last.index][last.next]
      switch states[read] {
      case .new:
        states[read] = .open
        path.append((read, 0))
      case .open:
        let circle = path.drop { $0.index != read }.map { declarations[$0.index] }
        result.append(circle + [declarations[read]])
      case .done: break
      }
    }
  }
  return result
}
