import OperatingSystem
import ReqrunKit

extension Runner {
  /// The largest file that is copied beside a spec or an export.
  static let maxCopySize = 16 << 20

  /// The files that requests send, found beside the sources; others are reported.
  ///
  /// - Parameter made: the files that the import makes itself.
  static func copies(
    of sent: [(spec: String, path: String)], from sources: [String], except made: Set<String>,
    into result: inout ImportResult
  ) -> [(path: String, bytes: [UInt8])] {
    let places = sources.map { source in
      pathKind(source) == .directory
        ? source : source.contains("/") ? String(source[..<(source.lastIndex(of: "/") ?? source.startIndex)]) : "."
    }
    var copies: [(path: String, bytes: [UInt8])] = []
    var seen: Set<String> = []
    for (spec, path) in sent {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      let folder = spec.split(separator: "/").dropLast().joined(separator: "/")
      let target = folder.isEmpty ? path : "\(folder)/\(path)"
      let isSpec = isSpecName(path)
      guard seen.insert(target).inserted, isSpec || !made.contains(target) else { continue }
      // Nothing is read or written outside the directories that were given.
      let isBelow = !path.contains("\0") && parts.allSatisfy { !["", ".."].contains($0) }
      let place = isBelow ? places.first { pathKind("\($0)/\(path)") == .file } : nil
      var found: [UInt8]?
      if let place, isSpec {
        result.warn(
          .incompleteConversion,
          "\(place)/\(path), which a request sends, is not copied: reqrun would take it for a spec",
          help: "put it beside the specs under another name, and name it so in \(spec)")
        continue
      } else if let place, !leads("\(place)/\(path)", into: place) {
        result.warn(
          .incompleteConversion,
          "\(place)/\(path), which a request sends, is not copied: it is a link that leads out of \(place)",
          help: "copy the file itself if requests are to send it")
      } else if let place {
        found = try? readFile("\(place)/\(path)", limit: maxCopySize).get()
      }
      if let found {
        copies.append((target, found))
      } else {
        result.missingFiles.append(isBelow ? target : path)
      }
    }
    return copies
  }

  /// Returns whether a path, behind all links, is one below a directory.
  private static func leads(_ path: String, into directory: String) -> Bool {
    guard let root = canonicalPath(directory), let place = canonicalPath(path) else { return false }
    return place.hasPrefix(root == "/" ? root : root + "/")
  }
}
