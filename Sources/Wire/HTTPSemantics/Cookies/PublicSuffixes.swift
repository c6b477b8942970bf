import OperatingSystem

/// The domains below which anyone can register a name, such as `com` and `co.uk`: no cookie is valid for all hosts of
/// one.
package struct PublicSuffixes: Sendable {
  /// Checks domains with a dot.
  private let isListed: @Sendable (String) -> Bool

  /// - Parameter isListed: called for domains with a dot, in lower case and ASCII.
  package init(_ isListed: @escaping @Sendable (String) -> Bool) {
    self.isListed = isListed
  }

  /// The list of libpsl if it is installed, else only single labels. Loaded at the first domain with a dot.
  package static let system = PublicSuffixes { PublicSuffixList.system?.contains($0) ?? false }

  package func contains(_ domain: String) -> Bool {
    !domain.contains(".") || isListed(domain)
  }

  /// The library that has the list, such as `libpsl 0.21.2`; nil without libpsl.
  package static var versionText: String? { PublicSuffixList.system?.version.map { "libpsl \($0)" } }
}

/// The list of libpsl.
// Unchecked: libpsl only reads a list once it is loaded, and this one is never freed.
private final class PublicSuffixList: @unchecked Sendable {
  private typealias Load = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
  private typealias IsPublicSuffix = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> CInt
  private typealias Version = @convention(c) () -> UnsafePointer<CChar>?

  /// Nil if libpsl isn't installed.
  static let system = PublicSuffixList()

  private let list: OpaquePointer
  private let isPublicSuffix: IsPublicSuffix
  let version: String?

  private init?() {
    guard let library = SharedLibrary.publicSuffixes, let load: Load = library.function("psl_latest"),
      let isPublicSuffix: IsPublicSuffix = library.function("psl_is_public_suffix"), let list = load(nil)
    else { return nil }
    self.list = list
    self.isPublicSuffix = isPublicSuffix
    let version: Version? = library.function("psl_get_version")
    self.version = version?().map { String(cString: $0) }
  }

  func contains(_ domain: String) -> Bool { isPublicSuffix(list, domain) == 1 }
}
