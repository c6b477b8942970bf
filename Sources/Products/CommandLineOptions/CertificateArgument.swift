/// The value of `--cert`, a path and a passphrase after a colon, as curl reads it: `\:` is a colon and `\\` a
/// backslash of the path.
package struct CertificateArgument: Sendable, Hashable {
  package let file: String
  package let passphrase: String?

  package init(_ text: String) {
    var path = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == ":" {
        file = path
        passphrase = String(rest)
        return
      }
      if character == "\\", let next = rest.first, next == ":" || next == "\\" {
        path.append(next)
        rest = rest.dropFirst()
      } else {
        path.append(character)
      }
    }
    file = path
    passphrase = nil
  }
}
