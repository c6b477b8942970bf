/// A program that is installed with this one: beside it, or in `../libexec/reqrun`.
package struct CompanionProgram: Sendable {
  /// The paths where it may be, the first one first.
  package let places: [String]

  package init(_ name: String) {
    let folder = executablePath()?.split(separator: "/", omittingEmptySubsequences: false).dropLast() ?? []
    places = [folder, folder.dropLast() + ["libexec", "reqrun"]].map { ($0 + [Substring(name)]).joined(separator: "/") }
  }

  /// The path of the program that can be started; nil if there is none.
  package var path: String? { files.first(where: isExecutable) }

  /// The path of a file that may not be executed; nil if there is none.
  package var blockedPath: String? { path == nil ? files.first : nil }

  private var files: [String] { places.filter { pathKind($0) == .file } }
}
