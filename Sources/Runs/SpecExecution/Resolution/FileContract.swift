import APIContracts
import Values

/// The contract of a file, with what was known when it was loaded.
package struct FileContract: Sendable {
  package let contract: APIContract
  /// The secrets that were known when it was loaded.
  package let registry: SecretRegistry
  /// The place where the file, or one that it extends, names the document.
  package let range: SourceRange
}
