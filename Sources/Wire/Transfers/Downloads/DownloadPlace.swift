import HTTPSemantics
import OperatingSystem
import Values

/// Determines the file for a response.
struct DownloadPlace: Sendable {
  let plan: DownloadPlan
  let coordinator: DownloadCoordinator
  let claim: DownloadCoordinator.Claim

  /// The path of the file.
  ///
  /// - Parameter url: the URL of the response, after all redirects.
  func path(for head: ResponseHead, from url: HTTPURL) throws(TransportError) -> String {
    let path: String
    switch plan.target {
    case .file(let directory, let name): path = joinedPath(directory, name)
    case .directory(let directory):
      let offered = head.headers.first("Content-Disposition").flatMap { ContentDisposition(parsing: $0).fileName }
      guard let name = offered.flatMap(safeFileName) ?? fileName(of: url) else {
        throw TransportError(
          .storage, "neither the response nor its URL has a name for the file",
          help: "name the file: `to: \(directory.split(separator: "/").last ?? "directory")/…`")
      }
      path = joinedPath(directory, name)
      if isSpecName(name) {
        throw TransportError(
          .storage, "the server calls the file \(name), which a later run could take for a spec",
          help: "name the file in `to`, if it may be one")
      }
    }
    guard coordinator.reserve(path, for: claim) else { throw .targetInUse(path) }
    try check(path)
    return path
  }

  /// Throws unless a file may be stored there.
  func check(_ path: String) throws(TransportError) {
    switch entryKind(path) {
    case .nothing: return
    case .directory:
      throw TransportError(
        .storage, "\(path) is a directory", help: "write `to: …/` with a slash at its end to put the file into it")
    // Links to files have been resolved before.
    case .other, .link:
      throw TransportError(
        .storage, "\(path) is neither a file nor a directory", help: "name a file that may be replaced")
    case .file:
      guard plan.replaces else { throw .targetExists(path, plan.target) }
    }
  }
}

extension TransportError {
  static func targetExists(_ path: String, _ target: DownloadPlan.Target) -> TransportError {
    let help =
      switch target {
      case .file: "remove it, or write `overwrite: true` to replace it"
      case .directory:
        "a server's name replaces nothing: remove the file, name it in `to`, or write `overwrite: true` to replace it"
      }
    return TransportError(.storage, "there is a file \(path) already", help: help)
  }

  static func targetInUse(_ path: String) -> TransportError {
    TransportError(
      .storage, "another request of this run is downloading something else to \(path)",
      help: "give each a file of its own")
  }

  static func partInUse(_ path: String) -> TransportError {
    TransportError(
      .storage, "another program is downloading to \(path)", help: "wait for it to end, or name another file")
  }

  /// - Parameter path: the path of the file that could not be written.
  static func notWritten(_ path: String, _ problem: SystemProblem) -> TransportError {
    TransportError(.storage, "\(path) cannot be written: \(problem.reason)")
  }
}
