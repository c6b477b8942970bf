import APIContracts
import DocumentQueries
import OperatingSystem
import SpecExecution
import Values

/// The sources of a mock's responses.
package struct MockSources: Sendable {
  var contracts: [APIContract] = []
  var exchanges: [MockedExchange] = []
  /// The hosts that recorded requests were sent to.
  var hosts: Set<String> = []
  /// The problems of the files.
  package private(set) var diagnostics: [Diagnostic] = []

  package init() {}

  init(contracts: [APIContract]) { self.contracts = contracts }

  /// Reads a file if it is a recording; false for another one.
  ///
  /// - Parameter keepsDelays: whether responses come as late as they did.
  package mutating func read(recording path: String, keepsDelays: Bool) -> Bool {
    guard let entries = recording(path) else { return false }
    read(entries, of: path, keepsDelays)
    return true
  }

  /// Adds what specs describe, before what was recorded.
  package mutating func add(_ found: SpecExchanges) {
    let (exchanges, diagnostics) = found.exchanges
    self.exchanges = exchanges + self.exchanges
    self.diagnostics += diagnostics
  }

  package mutating func add(_ diagnostics: [Diagnostic]) { self.diagnostics += diagnostics }

  /// Reads a contract.
  package mutating func read(contract path: String, by library: ContractLibrary) {
    switch library.contract(file: path, format: .assertion, from: .none, spec: path) {
    case .success(let contract): contracts.append(contract)
    case .failure(let problem): diagnostics += problem.diagnostics
    }
  }

  /// The exchanges of an HTTP archive or a JSON report; nil for a file of another kind.
  private func recording(_ path: String) -> [JSONNode]? {
    guard case .success(let bytes) = readFile(path, limit: JSONDocument.sizeLimit),
      bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "{"),
      let root =
        (try? JSONDocument(parsing: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes))?.root
    else { return nil }
    if let entries = root[member: "log"]?[member: "entries"] { return entries.items.sorted(byTime: \.start) }
    guard root[member: "reqrun"] != nil, let files = root[member: "files"] else { return nil }
    return files.items.flatMap { $0.hops(depth: 0) }.sorted(byTime: \.start)
  }

  private mutating func read(_ nodes: [JSONNode], of path: String, _ keepsDelays: Bool) {
    let path = sanitizedForTerminal(path)
    var problems: [String: Int] = [:]
    var incomplete = 0
    for node in nodes {
      do throws(RecordingProblem) {
        let recorded = try RecordedExchange(node, keepsDelay: keepsDelays)
        exchanges.append(recorded.exchange)
        hosts.insert(recorded.host)
        if recorded.isIncomplete { incomplete += 1 }
      } catch {
        problems[error.message, default: 0] += 1
      }
    }
    if incomplete > 0 {
      diagnostics.append(
        .warning(
          .incompleteConversion,
          "\(counted(incomplete, "exchange")) of \(path) \(incomplete == 1 ? "has" : "have") no body: the recording lacks it",
          at: nil))
    }
    for (message, count) in problems.sorted(by: { $0.key < $1.key }) {
      diagnostics.append(
        .warning(
          .incompleteConversion, "\(counted(count, "exchange")) of \(path) can't be played back: \(message)", at: nil))
    }
    if nodes.count == problems.values.reduce(0, +) {
      diagnostics.append(.error(.invalidFile, "\(path) has no exchange that can be played back", at: nil))
    }
  }
}

extension JSONNode {
  /// The time when an exchange began.
  fileprivate var start: Timestamp? { (text("startedDateTime") ?? text("start")).flatMap { Timestamp(rfc3339: $0) } }

  /// The exchanges of a file or a step of a JSON report.
  fileprivate func hops(depth: Int) -> [JSONNode] {
    if depth > 64 { return [] }
    return (self[member: "hops"]?.items ?? [])
      + (self[member: "steps"]?.items ?? []).flatMap { $0.hops(depth: depth + 1) }
  }
}
