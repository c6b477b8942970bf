import Values

/// The names of a file's snapshots, including those of requests that aren't selected.
package struct SnapshotNames: Sendable {
  /// Names by the requests' numbers; a name with templates is known only when the request has run.
  package private(set) var known: [Int: SnapshotName] = [:]
  /// The requests whose snapshot names have templates.
  package private(set) var atRunTime: Set<Int> = []

  /// Reports names that no file can have, and requests that would share one without naming it explicitly.
  ///
  /// - Parameter rowsOfFlows: the indices of the flows with rows, each of which has snapshots of its own.
  init(_ requests: [PlannedRequest], rowsOfFlows: Set<Int> = [], into bag: inout DiagnosticBag) {
    var users: [SnapshotName: PlannedRequest] = [:]
    for request in requests {
      guard let snapshot = request.settings.expect.snapshot else { continue }
      if snapshot.name.map({ $0.literal == nil }) ?? false || request.spec.rows != nil
        || request.flow.map({ rowsOfFlows.contains($0) }) ?? false
      {
        atRunTime.insert(request.number)
        continue
      }
      let text = snapshot.name?.literal?.masked ?? request.nameWithoutOrigin
      let place = snapshot.name?.range ?? request.spec.name?.range ?? request.spec.range.firstLine
      guard let name = SnapshotName(text) else {
        bag.error(
          .invalidName, "no file name can be made of this name for the snapshot", at: place,
          help: "write `snapshot: {name: …}` with letters or digits")
        continue
      }
      known[request.number] = name
      guard let other = users.updateValue(request, forKey: name) else { continue }
      // The same explicit name means the same snapshot.
      if snapshot.name != nil, other.settings.expect.snapshot?.name != nil { continue }
      bag.error(
        .conflictingNames, "two requests would have the snapshot `\(name)`", at: place,
        notes: [Diagnostic.Note("the other is this one", at: other.spec.range.firstLine)],
        help: "name the requests apart, or write the same `snapshot: {name: …}` in both to compare both with one")
    }
  }
}

extension PlannedRequest {
  /// The request's name; without one its method and URL, without scheme, credentials and host.
  fileprivate var nameWithoutOrigin: String {
    let name = staticName
    guard spec.name == nil, let scheme = name.firstRange(of: "://") else { return name }
    let rest = name[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    return "\(name.prefix { $0 != " " }) \(rest)"
  }
}
