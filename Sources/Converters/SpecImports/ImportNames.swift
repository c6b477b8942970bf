import RequestSpecs
import Values

/// The names of variables and secrets in the specs of an import, each valid and unique.
struct ImportNames {
  /// Names by those of the source.
  private var variables: [String: String] = [:]
  private var needs: [String: String] = [:]
  private var taken: Set<String> = []
  /// The numbers that names got last: thousands of secrets may have the same one.
  private var numbers: [String: Int] = [:]
  /// The literal credentials that were found, by what they are and their values.
  private(set) var secrets: [(name: String, value: String)] = []
  private var secretNames: [String: String] = [:]

  /// The name of the need that is a spec.
  mutating func need(_ path: String) -> String {
    if let name = needs[path] { return name }
    let name = free(Self.valid(String(path.split(separator: "/").last?.dropLast(".yaml".count) ?? "")))
    needs[path] = name
    return name
  }

  /// The name of a variable.
  mutating func variable(_ source: String) -> String {
    if let name = variables[source] { return name }
    let name = free(Self.valid(source))
    variables[source] = name
    return name
  }

  private static func valid(_ source: String) -> String {
    var name = String(String.UnicodeScalarView(source.unicodeScalars.map { isNamePart($0) ? $0 : "_" }))
    if name.unicodeScalars.first.map({ !isNamePart($0) || ("0"..."9").contains($0) }) ?? true { name = "_" + name }
    if unusableName(name, of: "a variable") != nil { name += "_" }
    return name
  }

  /// The name of the secret that holds a literal credential.
  ///
  /// - Parameter kind: what it is, such as `X-Api-Key`.
  mutating func secret(_ value: String, kind: String) -> String {
    if let name = secretNames[value] { return name }
    let name = free(secretVariable(for: kind))
    secretNames[value] = name
    secrets.append((name, value))
    return name
  }

  private mutating func free(_ name: String) -> String {
    let last = numbers[name] ?? 0
    return taken.insertUnique { number in
      numbers[name] = last + number
      return numbered(name, last + number)
    }
  }
}

extension Set<String> {
  /// Inserts the first name that isn't there, and returns it.
  ///
  /// - Parameter name: the name for a number: 1, 2 and so on.
  mutating func insertUnique(_ name: (Int) -> String) -> String {
    var number = 1
    while !insert(name(number)).inserted { number += 1 }
    return name(number)
  }
}

/// A name, with a number from the second on.
func numbered(_ name: String, _ number: Int, separator: String = "_") -> String {
  number == 1 ? name : "\(name)\(separator)\(number)"
}

private func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "a"..."z", "A"..."Z", "0"..."9", "_": true
  default: false
  }
}

/// The paths of the files of an import, each valid and unique.
struct ImportPaths {
  private var taken: Set<String>

  /// - Parameter taken: the paths of other files there.
  init(taken: Set<String> = []) { self.taken = taken.union(["reqrun.yaml"]) }

  /// The path of a spec for the names that folders and the file have in the source: `["Users", "Create user"]` is
  /// `users/create-user.yaml`.
  ///
  /// - Parameter ending: what stands before the extension.
  mutating func path(of names: [String], ending: String = "") -> String {
    let folders = names.dropLast().suffix(8).map { Self.component($0) }
    let stem = (folders + [Self.component(names.last ?? "")]).joined(separator: "/")
    return taken.insertUnique { numbered(stem, $0, separator: "-") + ending + ".yaml" }
  }

  /// The path of another file below the same directory; nil if it leads out of it or is that of another file.
  mutating func attachment(_ path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.contains("\0"), parts.allSatisfy({ !["", ".", ".."].contains($0) && $0.utf8.count < 200 }) else {
      return nil
    }
    return taken.insert(path).inserted ? path : nil
  }

  private static func component(_ name: String) -> String {
    var result = ""
    for character in name.lowercased() {
      if character.isLetter || character.isNumber || character == "_" && !result.isEmpty {
        result.append(character)
      } else if !result.isEmpty, !result.hasSuffix("-") {
        result += "-"
      }
      if result.utf8.count > 60 { break }
    }
    while result.hasSuffix("-") { result.removeLast() }
    return result.isEmpty ? "requests" : result
  }
}
