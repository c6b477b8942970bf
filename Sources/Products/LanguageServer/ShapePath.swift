import RequestSpecs
import Values

extension SchemaShape {
  /// The shapes that a value may have, without names and nesting.
  var alternatives: [SchemaShape] {
    switch self {
    case .any(let shapes): shapes.flatMap(\.alternatives)
    case .named(_, let shape): shape().alternatives
    default: [self]
    }
  }

  /// The shapes inside, behind one step.
  fileprivate func inside(_ step: CursorContext.Step) -> [SchemaShape] {
    switch (self, step) {
    case (.list(let item, _), .item): item.alternatives
    case (.names(let value), .key): value.alternatives
    case (.keys(let keys, _), .key(let name)): keys.first { $0.name == name }?.shape.alternatives ?? []
    default: []
    }
  }

  /// Indicates whether a value of the shape stands on the line of its key.
  var isScalar: Bool {
    switch self {
    case .keys, .names, .list: false
    default: true
    }
  }
}

/// The shapes at a place of a file.
struct ShapePath {
  let shapes: [SchemaShape]

  /// - Parameter root: the shape of the file.
  init(_ path: [CursorContext.Step], in root: SchemaShape) {
    var shapes = root.alternatives
    for step in path { shapes = shapes.flatMap { $0.inside(step) } }
    self.shapes = shapes
  }

  /// The keys that a mapping there has, each once.
  var keys: [SchemaShape.Key] {
    var seen: Set<String> = []
    let keys = shapes.flatMap { shape -> [SchemaShape.Key] in if case .keys(let keys, _) = shape { keys } else { [] } }
    return keys.filter { seen.insert($0.name).inserted }
  }

  /// The values that the format defines there, each once.
  var words: [String] {
    var seen: Set<String> = []
    return shapes.flatMap { shape -> [String] in
      switch shape {
      case .boolean: ["true", "false"]
      case .constants(let values): values.map(\.asText.string)
      default: []
      }
    }.filter { seen.insert($0).inserted }
  }
}
