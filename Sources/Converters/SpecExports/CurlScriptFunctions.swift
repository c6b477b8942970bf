import Values

/// The functions of a script that sends requests by curl, as they stand in `functions.sh`.
enum CurlScriptFunctions {
  private static let parts =
    String(decoding: PackageResources.functions_sh, as: UTF8.self).dropLast().parts(separatedBy: "\n\n")

  /// The beginning of each script.
  static let frame = parts[..<2].joined(separator: "\n\n") + "\n"

  /// The function that variables may use.
  static let uuid = all[0].definition

  /// All functions, each with the texts that show its use.
  static let all: [(uses: [String], definition: String)] = parts[2...].map { part in
    let name = part.split(separator: "\n")[1].prefix { $0 != "(" }
    return (uses[String(name)] ?? ["$(\(name) "], "\n\(part)\n")
  }

  /// The texts that show the use of functions that no `$(…)` calls with an argument.
  private static let uses = [
    "uuid": ["$(uuid)"], "expect": ["\nexpect ", "(expect ", "  expect "], "check": ["\ncheck ", "  check ", "holds "],
    "holds": ["holds "], "match": ["| match "],
  ]
}
