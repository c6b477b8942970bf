import APIContracts

/// The order in which operations can run: what creates a resource is before what reads, changes, lists and deletes it.
struct OperationOrder {
  /// A path without the names of its parameters.
  typealias Segments = [Substring]

  private(set) var operations: [Operation] = []
  /// The operations that create resources, by the paths of the collections.
  private var creators: [Segments: Operation] = [:]
  /// The number of the first operation at a path or below it.
  private var firsts: [Segments: Int] = [:]

  init(_ declared: [Operation]) {
    let paths = declared.map { OperationOrder.segments($0.path) }
    let items = Set(paths.filter { $0.last == "{}" }.map { $0.dropLast() })
    for (number, (operation, path)) in zip(declared, paths).enumerated() {
      if operation.method == "POST", items.contains(path[...]) { creators[path] = operation }
      for end in 0...path.count where firsts[Array(path[..<end])] == nil { firsts[Array(path[..<end])] = number }
    }
    let deletions = Set(zip(declared, paths).filter { $0.0.method == "DELETE" }.map(\.1))
    for (operation, path) in zip(declared, paths) where OperationOrder.mayCreate(operation, at: path, deletions) {
      let collection = Array(path.dropLast())
      if creators[collection] == nil { creators[collection] = operation }
    }
    let keys = zip(declared, paths).enumerated().map { key(of: $1.0, at: $1.1, number: $0) }
    operations = declared.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }.map { declared[$0] }
  }

  private static func segments(_ path: String) -> Segments {
    path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }
  }

  /// Returns whether a PUT creates what its path names, where no POST does.
  private static func mayCreate(_ operation: Operation, at path: Segments, _ deletions: Set<Segments>) -> Bool {
    guard operation.method == "PUT", path.count > 1, path.last == "{}", path[path.count - 2] != "{}" else {
      return false
    }
    return operation.declaredStatuses.contains("201")
      || operation.node["requestBody"] != nil && deletions.contains(path)
  }

  /// The operations that create what the parameters of a path name, by the names of these parameters.
  func creators(above operation: Operation) -> [(parameter: String, operation: Operation, collection: Substring)] {
    let path = OperationOrder.segments(operation.path)
    return zip(path.indices, operation.path.split(separator: "/")).compactMap { index, segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}"), index > 0, let creator = creators[Array(path[..<index])]
      else { return nil }
      return (String(segment.dropFirst().dropLast()), creator, path[index - 1])
    }
  }

  /// The operations that post to collections, with the last segment of their path.
  var allCreators: [(operation: Operation, collection: Substring)] {
    operations.compactMap { operation in
      let path = OperationOrder.segments(operation.path)
      guard creators[path] === operation, let name = path.last, name != "{}" else { return nil }
      return (operation, name)
    }
  }

  /// Returns whether an operation deletes a resource that another one creates.
  func isDeletion(_ operation: Operation) -> Bool {
    operation.method == "DELETE" && creators[OperationOrder.segments(operation.path).dropLast()] != nil
  }

  /// The key that operations are sorted by: for each collection on the way, its place, and what is done there.
  private func key(of operation: Operation, at path: Segments, number: Int) -> [Int] {
    var key: [Int] = []
    for end in 0...path.count where creators[Array(path[..<end])] != nil {
      guard end == path.count || path[end] == "{}" else { continue }
      key.append(firsts[Array(path[..<end])] ?? number)
      let isItem = end + 1 == path.count
      switch operation.method {
      case "POST" where end == path.count: key.append(0)
      case "GET" where isItem, "HEAD" where isItem: key.append(1)
      case "PUT" where isItem && creators[Array(path[..<end])] === operation: key.append(0)
      case "PUT" where isItem, "PATCH" where isItem: key.append(2)
      case "DELETE" where isItem: key.append(5)
      default: key.append(end == path.count ? 4 : 3)
      }
    }
    return (key.isEmpty ? [number] : key) + [number]
  }
}
