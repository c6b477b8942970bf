import OperatingSystem
import Values

/// A path that doesn't exist: suggests the nearest existing one, and names the folder that was searched.
package struct MissingFile {
  package let nearest: String?
  private let place: String

  /// - Parameter folder: the base of a relative path.
  package init(_ path: String, in folder: String) {
    let parts = path.split(separator: "/").map(String.init)
    var existing = path.hasPrefix("/") ? "/" : folder
    var found: [String] = []
    for part in parts {
      let next = existing.hasSuffix("/") ? existing + part : "\(existing)/\(part)"
      guard pathKind(next) == .directory else { break }
      existing = next
      found.append(part)
    }
    let shown =
      existing == "."
      ? "the working directory" : "\"\(existing.hasPrefix("./") ? String(existing.dropFirst(2)) : existing)\""
    guard found.count < parts.count else {
      (nearest, place) = (nil, "looked for in \(shown)")
      return
    }
    let part = parts[found.count]
    let rest = parts.dropFirst(found.count + 1)
    let names = directoryEntries(existing).prefix(10_000).filter {
      rest.isEmpty || pathKind("\(existing)/\($0)") == .directory
    }
    // A directory of another name must contain the file.
    nearest = nearestFile(to: part, among: names).flatMap { name in
      let whole = (found + [name] + rest).joined(separator: "/")
      guard path.hasPrefix("/") || pathKind(folder + "/" + whole) != .nothing else { return nil }
      return path.hasPrefix("/") ? "/" + whole : whole
    }
    place = rest.isEmpty ? "looked for in \(shown)" : "there is no directory \"\(part)\" in \(shown)"
  }

  package var help: String { nearest.map { "did you mean `\($0)`? \(place)" } ?? place }
}

/// The nearest name with the same extension, or else the one with another extension.
private func nearestFile(to name: String, among names: [String]) -> String? {
  let (wanted, ending) = split(name)
  let parts = names.map { (name: $0, stem: split($0).stem, ending: split($0).ending) }
  let alike = parts.filter { $0.ending == ending }
  if let stem = nearestName(to: wanted, among: alike.map(\.stem)) { return alike.first { $0.stem == stem }?.name }
  let others = parts.filter { !wanted.isEmpty && $0.stem == wanted }
  return others.count == 1 ? others[0].name : nil
}

private func split(_ name: String) -> (stem: String, ending: String) {
  guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
  return (String(name[..<dot]), name[dot...].lowercased())
}
