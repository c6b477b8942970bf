/// The files that `.http` files import, with the requests in them that they may read.
struct HTTPFileImports {
  /// The files in an order in which each stands behind those that it imports.
  private(set) var order: [Int] = []
  /// The files that each imports.
  private var imports: [[Int]] = []
  private let names: [Set<String>]

  init(_ files: [(path: String, file: HTTPFile)]) {
    let places = Dictionary(
      files.enumerated().map { (Self.normalized($1.path), $0) }, uniquingKeysWith: { one, _ in one })
    names = files.map { file in Set(file.file.blocks.flatMap { $0.tags.filter { $0.name == "name" }.map(\.value) }) }
    imports = files.map { path, file in
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      return file.imports.compactMap { places[Self.normalized("\(folder)/\($0)")] }
    }
    var seen: Set<Int> = []
    for index in files.indices { visit(index, &seen) }
  }

  private mutating func visit(_ index: Int, _ seen: inout Set<Int>) {
    guard seen.insert(index).inserted, seen.count - order.count < 60 else { return }
    for other in imports[index] { visit(other, &seen) }
    order.append(index)
  }

  /// The names of requests that a file may read of others.
  func requests(importedBy index: Int) -> Set<String> { imports[index].reduce(into: []) { $0.formUnion(names[$1]) } }

  /// The imported file that has a request.
  func owner(of request: String, importedBy index: Int) -> Int? { imports[index].first { names[$0].contains(request) } }

  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
