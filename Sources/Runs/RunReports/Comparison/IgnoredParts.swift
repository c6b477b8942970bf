import DocumentQueries
import Values

/// The parts of responses that are not compared.
package struct IgnoredParts: Sendable {
  private(set) var ignoresStatus = false
  private(set) var ignoresContentType = false
  private var paths: [JSONPath] = []
  /// The texts of the paths that found something.
  private var found: Set<String> = []

  package init() {}

  /// - Parameter texts: JSONPaths, `status` and `content-type`.
  package init(_ texts: [String]) throws(Diagnostic) {
    for text in texts {
      switch text.lowercased() {
      case "status": ignoresStatus = true
      case "content-type", "content_type": ignoresContentType = true
      case _ where text.hasPrefix("$"):
        do throws(JSONPathError) {
          paths.append(try JSONPath(text))
        } catch {
          throw .error(
            .invalidOption, "--ignore \(jsonEscaped(text)) is not a JSONPath: \(error.message)", at: nil,
            help: error.help)
        }
      default:
        throw .error(
          .invalidOption, "--ignore \(jsonEscaped(text)) is not a part of a response that is compared", at: nil,
          help: "write a JSONPath such as '$.id' or '$..updated', content-type, or status")
      }
    }
  }

  /// The paths that no response has: probably misspelt.
  package var unused: [String] { paths.map(\.text).filter { !found.contains($0) } }

  /// The positions of the nodes that are left out.
  mutating func positions(in document: JSONDocument) -> Set<Int> {
    var positions: Set<Int> = []
    for path in paths {
      guard let nodes = try? path.nodes(in: document), nodes.count > 0 else { continue }
      found.insert(path.text)
      for node in nodes { positions.insert(node.position) }
    }
    return positions
  }
}
