import CommandLineOptions
import Testing

@Suite struct CertificateArgumentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let file: String
    let passphrase: String?
    var testDescription: String { text }
  }

  static let cases = [
    Case(text: "a.pem", file: "a.pem", passphrase: nil),
    Case(text: "a.pem:secret", file: "a.pem", passphrase: "secret"),
    Case(text: "a.pem:", file: "a.pem", passphrase: ""),
    Case(text: "a.pem:se:cr\\et", file: "a.pem", passphrase: "se:cr\\et"),
    Case(text: "a\\:b.pem:x", file: "a:b.pem", passphrase: "x"),
    Case(text: "a\\\\:x", file: "a\\", passphrase: "x"),
    Case(text: "a\\b", file: "a\\b", passphrase: nil),
    Case(text: "a\\", file: "a\\", passphrase: nil),
  ]

  @Test(arguments: cases)
  func parts(_ test: Case) {
    let argument = CertificateArgument(test.text)
    #expect(argument.file == test.file)
    #expect(argument.passphrase == test.passphrase)
  }
}
