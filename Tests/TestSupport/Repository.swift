import Foundation

/// The repository's files, for tests that read them.
package enum Repository {
  package static let root: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url = url.deletingLastPathComponent() }
    return url
  }()

  /// The YAML files below some folders, in order.
  package static func yamlFiles(in folders: [String] = ["Examples", "Tests"]) -> [(path: String, bytes: [UInt8])] {
    folders.flatMap { folder in
      let base = root.appendingPathComponent(folder).path
      let names = FileManager.default.enumerator(atPath: base)?.allObjects.compactMap { $0 as? String } ?? []
      return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().compactMap { name in
        // A directory may be called so, too.
        (try? Data(contentsOf: URL(fileURLWithPath: "\(base)/\(name)"))).map { ("\(base)/\(name)", Array($0)) }
      }
    }
  }
}
