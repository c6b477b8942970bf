/// The files and collections of `/dav`, by their paths without a slash at either end; the root always exists.
struct DavTree: Sendable {
  struct File: Sendable {
    let bytes: [UInt8]
    let type: String
    let version: Int
  }

  enum Resource: Sendable {
    case collection
    case file(File)
  }

  /// The maximum total size of all files in bytes.
  static let limit = 64 << 20
  static let countLimit = 10_000
  /// The maximum length of a path in bytes.
  static let pathLimit = 1000

  private var resources: [String: Resource] = ["": .collection]
  private var version = 0
  private(set) var size = 0

  subscript(path: String) -> Resource? { resources[path] }

  var count: Int { resources.count }

  static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  func hasCollection(above path: String) -> Bool {
    if case .collection? = resources[DavTree.parent(of: path)] { return true }
    return false
  }

  /// A resource, and all below it if it is a collection, in order.
  func paths(under path: String) -> [String] {
    resources.keys.filter { path.isEmpty || $0 == path || $0.hasPrefix(path + "/") }.sorted()
  }

  /// The members of a collection, in order.
  func members(of path: String) -> [String] {
    resources.keys.filter { !$0.isEmpty && DavTree.parent(of: $0) == path }.sorted()
  }

  mutating func put(_ bytes: [UInt8], type: String, at path: String) {
    remove(path)
    version += 1
    size += bytes.count
    resources[path] = .file(File(bytes: bytes, type: type, version: version))
  }

  mutating func makeCollection(_ path: String) {
    resources[path] = .collection
  }

  mutating func remove(_ path: String) {
    for path in paths(under: path) where !path.isEmpty {
      if case .file(let file)? = resources.removeValue(forKey: path) { size -= file.bytes.count }
    }
  }

  /// - Parameter deep: whether the members of a collection are copied too.
  mutating func copy(_ source: String, to target: String, deep: Bool = true) {
    remove(target)
    for path in deep ? paths(under: source) : [source] {
      let place = target + path.dropFirst(source.count)
      switch resources[path] {
      case .file(let file): put(file.bytes, type: file.type, at: place)
      case .collection: makeCollection(place)
      case nil: break
      }
    }
  }
}

extension DavTree.File {
  var entityTag: String { "\"dav-\(version)\"" }
}
