import OperatingSystem

/// The program that `reqrun import` and `reqrun export` start, as it is installed.
package struct InstalledConverter: Sendable {
  private static let name = "reqrun-convert"
  private let program = CompanionProgram(name)

  package static let help =
    "install it beside reqrun: it is in the package of reqrun; from source, `swift build --product \(name)` builds it"

  package init() {}

  /// Nil if there is none to start, for which ``problem`` is the reason.
  package var path: String? { program.path }

  package var problem: String {
    if let path = program.blockedPath { return "\(path), which imports and exports, may not be executed" }
    return "\(Self.name), which imports and exports, was not found; looked for "
      + program.places.joined(separator: " and ")
  }
}
