import HTTPSemantics
internal import Synchronization
import Values

/// An OpenAPI document as a contract: its operations, and their coverage by a run.
package final class APIContract: Sendable {
  package enum Version: Sendable { case openAPI30, openAPI31 }

  package let documents: DocumentSet
  package let version: Version
  package let title: String?
  package let apiVersion: String?
  /// The operations of `paths`, in order; webhooks and callbacks are requests of others.
  package let operations: [Operation]
  let paths: [DeclaredPath]
  private let groups: [ServerGroup]
  /// Query parameters that authenticate.
  let keyParameters: Set<String>
  let exercise = Mutex(ExerciseCounts())
  /// Indicates whether the coverage has the fields of requests.
  let countsFields: Bool
  /// Indicates whether some paths differ in their queries only.
  private let hasQueries: Bool
  /// Problems in the document that leave the rest usable.
  package let warnings: [Diagnostic]

  /// The paths that have the same servers.
  private struct ServerGroup: Sendable {
    let bases: [ServerBase]
    var index = PathIndex()
  }

  /// The path or URL for messages.
  package var name: String { documents.main.name }

  package init(_ documents: DocumentSet, countsFields: Bool = false) throws(BrokenContract) {
    self.documents = documents
    self.countsFields = countsFields
    var reader = ContractReader(documents)
    do throws(ContractProblem) {
      version = try reader.version()
    } catch {
      throw BrokenContract([error.diagnostic])
    }
    reader.readPaths(version)
    guard reader.bag.diagnostics.isEmpty else { throw BrokenContract(reader.bag.diagnostics) }
    operations = reader.operations
    paths = reader.paths
    let root = documents.main.root
    title = root["info"]?["title"]?.scalarText
    apiVersion = root["info"]?["version"]?.scalarText
    let schemes = root["components"]?["securitySchemes"]?.members.map(\.value) ?? []
    keyParameters = Set(schemes.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string })
    var groups: [ServerGroup] = []
    for (index, path) in paths.enumerated() {
      for bases in Set(path.operations.map(\.bases)) {
        let place = groups.firstIndex { $0.bases == bases } ?? groups.endIndex
        if place == groups.endIndex { groups.append(ServerGroup(bases: bases)) }
        groups[place].index.insert(path.template, as: index)
      }
    }
    self.groups = groups
    hasQueries = paths.contains { !$0.template.query.isEmpty }
    warnings = reader.warnings
  }

  /// The relation of a request to the contract.
  package enum Match: Sendable {
    /// The values of the path's parameters are percent-encoded, as sent.
    case operation(Operation, values: [String: String])
    /// The path is declared, but not with this method.
    case otherMethods(DeclaredPath)
    case none
  }

  /// Finds the operation of a request: the most concrete path below a server's base path, or without one, since a test
  /// may run without the gateway in front of the service.
  package func match(method: String, path: String, query: String? = nil) -> Match {
    let segments = PathTemplate.split(path[...])
    let decoded = segments.map { percentDecoded($0) }
    let sent = hasQueries ? queryPairs(query ?? "") : []
    var other: DeclaredPath?
    var best: Candidate?
    for isAnchored in [true, false] {
      for group in groups {
        for base in isAnchored ? group.bases : [.root] {
          guard let length = base.length(in: segments) else { continue }
          let isBase = segments.count == length + 1 && segments[length].isEmpty
          let end = isBase ? length : segments.count
          for match in group.index.matches(segments[length..<end], decoded: decoded[length..<end]) {
            let declared = paths[match.entry]
            guard declared.template.isMet(by: sent) else { continue }
            guard let operation = declared.operations.first(where: { $0.method == method }),
              operation.bases == group.bases
            else {
              other = other ?? declared
              continue
            }
            let candidate = Candidate(operation: operation, path: declared, values: match.values, base: base)
            if best.map({ candidate.isMoreConcrete(than: $0) }) ?? true { best = candidate }
          }
        }
      }
    }
    guard let best else { return other.map { .otherMethods($0) } ?? .none }
    let values = zip(best.path.template.parameterNames, best.values).map { ($0, String($1)) }
    return .operation(best.operation, values: Dictionary(values, uniquingKeysWith: { first, _ in first }))
  }

  /// The alternative requirements of an operation, or else of the whole document; none if it needs no credentials.
  package func security(of operation: Operation) -> [DocumentNode] {
    (operation.node["security"] ?? documents.main.root["security"])?.items ?? []
  }

  /// An operation that may match a request.
  private struct Candidate {
    let operation: Operation
    let path: DeclaredPath
    let values: [Substring]
    let base: ServerBase

    func isMoreConcrete(than other: Candidate) -> Bool {
      let own = base.segments + path.template.segments
      let others = other.base.segments + other.path.template.segments
      for (left, right) in zip(own, others) {
        if (left.literal != nil) != (right.literal != nil) { return left.literal != nil }
        if left.literal == nil, left.literalCount != right.literalCount {
          return left.literalCount > right.literalCount
        }
      }
      return path.template.query.count > other.path.template.query.count
    }
  }
}

/// The errors of an invalid document.
package struct BrokenContract: Error, Sendable {
  package let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }
}

/// A path of a document with its operations.
package struct DeclaredPath: Sendable {
  let template: PathTemplate
  package let operations: [Operation]
  let node: DocumentNode

  package var text: String { template.text }
  /// `GET, PUT`
  package var methods: String { operations.map(\.method).joined(separator: ", ") }
}
