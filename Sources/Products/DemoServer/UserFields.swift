import Values

/// An invalid member of a user that a client sent.
struct UserFieldError {
  let field: String
  let message: String
}

/// The validated members of a user that a client sent, in the order of the seeded ones.
///
/// - Parameter isPartial: whether missing members stay as they are (PATCH), instead of being an error or getting their
/// default.
func checkedUserFields(
  _ value: Value?, isPartial: Bool, before: Mapping? = nil
) -> (members: Mapping, errors: [UserFieldError]) {
  guard case .mapping(let sent)? = value else {
    return (Mapping(), [UserFieldError(field: "", message: "the body is a JSON object")])
  }
  var members = before ?? Mapping()
  var errors: [UserFieldError] = []
  func take(_ name: String, _ expected: String, default fallback: Value? = nil, _ isValid: (Value) -> Bool) {
    guard let value = sent[name] else {
      guard !isPartial else { return }
      if let fallback {
        members[name] = fallback
      } else {
        errors.append(UserFieldError(field: name, message: "is required"))
      }
      return
    }
    if isValid(value) {
      members[name] = value
    } else {
      errors.append(UserFieldError(field: name, message: "is \(expected)"))
    }
  }
  take("name", "a text of 1 to 100 characters") { (1...100).contains($0.textOrEmpty.count) }
  take("email", "an e-mail address") { isEmailAddress($0.textOrEmpty) }
  take("role", "one of " + User.roles.joined(separator: ", "), default: .text("viewer")) {
    User.roles.contains($0.textOrEmpty)
  }
  take("tags", "a list of texts", default: .list([])) { value in
    guard case .list(let items) = value else { return false }
    return items.allSatisfy { $0.kind == .text }
  }
  take("balance", "a number", default: .integer(0)) { $0.kind == .number }
  take("address", "an object or null", default: .null) { $0.kind == .mapping || $0.kind == .null }
  let known = ["id", "name", "email", "role", "tags", "balance", "address", "created"]
  for name in sent.keys where !known.contains(name) {
    errors.append(UserFieldError(field: name, message: "is not a member of a user"))
  }
  return (members, errors)
}

extension Value {
  fileprivate var textOrEmpty: String {
    if case .text(let text) = self { text.string } else { "" }
  }
}

private func isEmailAddress(_ text: String) -> Bool {
  let parts = text.split(separator: "@", omittingEmptySubsequences: false)
  return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !parts[1].hasPrefix(".")
    && !parts[1].hasSuffix(".") && !text.contains(where: \.isWhitespace)
}
