import Foundation

/// A folder for one test.
package struct TemporaryFolder: Sendable {
  /// Without symbolic links, as a program sees its working directory.
  package let path: String

  package init() throws {
    #if os(Linux)
      let parent = FileManager.default.temporaryDirectory
    #else
      // A socket's path has at most 103 bytes, of which a user's own directory takes too many.
      let parent = URL(fileURLWithPath: "/private/tmp")
    #endif
    let url = parent.appendingPathComponent("reqrun-test-\(UUID().uuidString.suffix(12))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Writes files, by their paths in the folder.
  package func write(_ files: [String: String]) throws {
    for (name, text) in files {
      let url = URL(fileURLWithPath: path).appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  /// The text of a file in the folder; nil if there is none.
  package func text(_ name: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(name)))
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
