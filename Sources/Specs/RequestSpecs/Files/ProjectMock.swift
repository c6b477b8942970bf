import Values
import YAMLNodes

/// `mock` of a project: a server for a run.
package struct ProjectMock: Sendable {
  /// The files that it responds from; none for one that responds to all requests with 204.
  package fileprivate(set) var sources: [Located<String>] = []
  /// Indicates whether collections keep what clients create.
  package fileprivate(set) var isStateful = false
  /// Indicates whether a request that breaks the contract is rejected.
  package fileprivate(set) var isStrict = false
  /// The shortest and the longest delay before a response.
  package fileprivate(set) var latency: ClosedRange<Duration>?

  static let keys = Keys<ProjectMock>(
    [
      Key("sources", "specs, recordings and contracts, beside the project file", SchemaShape.text.orList) {
        $2.sources = $0.stringList($1.value, as: "sources")
      },
      Key(
        "stateful", "`true`: collections of a contract keep what clients create", .constant(.boolean)
      ) { $0.isStateful = $1 ?? false },
      Key(
        "reject", "`true`: a request that breaks the contract is a 400 or a 401", .constant(.boolean)
      ) { $0.isStrict = $1 ?? false },
      Key(
        "latency", "the delay before each response, such as `50ms..200ms`", synonyms: "delay", .constant(.latency)
      ) { $0.latency = $1 },
    ], shape: "{sources: [api.yaml], stateful: true}")

  static var shape: SchemaShape { keys.shape().or(SchemaShape.text.orList).or(.constants([.bool(true)])) }
}

extension ValueDecoder where Output == ClosedRange<Duration> {
  /// `50ms`, or `50ms..200ms`.
  fileprivate static var latency: ValueDecoder {
    ValueDecoder("a duration, or two with `..` between them, such as 50ms..200ms", .text) { value in
      if case .text(let text) = value { durationRange(text.string) } else { nil }
    }
  }
}

/// A duration, or two with `..` between them; nil for other texts.
package func durationRange(_ text: String) -> ClosedRange<Duration>? {
  let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { parseDuration(String($0)) }
  guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else { return nil }
  return first...last
}

extension SpecReader {
  mutating func projectMock(_ node: YAMLNode) -> ProjectMock? {
    var mock = ProjectMock()
    if case .bool(let isStarted)? = node.scalar?.meaning, node.localTag == nil { return isStarted ? mock : nil }
    if node.localTag == nil, node.members != nil {
      visit(node, as: "`mock`", keys: ProjectMock.keys, into: &mock)
    } else if let scalar = node.scalar, node.plainText?.isEmpty ?? true {
      let found = if case .text = scalar.meaning { "an empty text" } else { node.kindPhrase }
      return reject(
        .wrongType, "`mock` is true, a file, a list of files, or a mapping, found \(found)", at: node,
        help: "write {sources: [api.yaml]}")
    } else {
      mock.sources = stringList(node, as: "mock")
    }
    return mock
  }
}
