import Values

/// How a curl command has what is secret: masked, or as it is.
struct CommandMasking {
  /// Finds secrets that came to be known only with the response.
  let registry: SecretRegistry
  /// `--show-secrets`
  var isOpen = false

  func callAsFunction(_ text: Text) -> String { isOpen ? text.string : registry.masked(text.masked) }

  /// What is secret as a whole.
  func secret(_ value: @autoclosure () -> String) -> String { isOpen ? value() : Text.mask }
}
