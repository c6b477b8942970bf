/// A doubt about an assertion that holds: it would not if it were written as it was probably meant.
package struct Doubt: Sendable {
  /// The reason in a few words, after the subject.
  package let message: String
  package let expected: Text
  package let actual: Text
  package let hint: String
  /// The existing name that was meant by a misspelt one.
  package private(set) var meant: String?

  package init(_ message: String, expected: Text, actual: Text, hint: String) {
    self.message = message
    self.expected = expected
    self.actual = actual
    self.hint = hint
  }

  /// The doubt about what is missing only since its name is misspelt.
  ///
  /// - Parameter name: the existing name that was meant.
  package static func misspelling(of name: String, hint: String? = nil) -> Doubt {
    var doubt = Doubt(
      "nothing has that name", expected: Text("a name that is there, or may be"),
      actual: Text("nothing, beside `\(name)`"), hint: hint ?? "did you mean `\(name)`?")
    doubt.meant = name
    return doubt
  }
}
