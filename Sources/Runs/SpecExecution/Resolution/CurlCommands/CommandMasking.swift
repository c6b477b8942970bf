import Values

/// The form of secrets in a curl command: masked, or open.
struct CommandMasking {
  /// Finds secrets that became known only with the response.
  let registry: SecretRegistry
  /// `--show-secrets`
  var isOpen = false
  /// The quoting of words for a shell.
  var quoted: @Sendable (String) -> String = { quotedForShell($0) }

  func callAsFunction(_ text: Text) -> String { isOpen ? text.string : registry.masked(text.masked) }

  /// A value that is secret as a whole.
  func secret(_ value: @autoclosure () -> String) -> String { isOpen ? value() : Text.mask }
}
