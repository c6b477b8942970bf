import Testing

@testable import SpecImports

@Suite("Documents of OpenAPI are recognized") struct OpenAPIRecognitionTests {
  private static let long = String(repeating: "x", count: 70_000)

  @Test(
    "by their version at the beginning and at the end",
    arguments: [
      (#"{"swagger": "2.0", "info": "\#(long)"}"#, true), (#"{"info": "\#(long)", "swagger": "2.0"}"#, true),
      (#"{"info": "\#(long)"}"#, false), ("info: \(long)\nswagger: '2.0'\n", true),
      ("info: \(long)\n  swagger: '2.0'\n", false),
    ])
  func recognizes(_ text: String, _ isDocument: Bool) {
    #expect(OpenAPIImport.kind.recognizes(ImportSource(path: "a", bytes: Array(text.utf8))) == isDocument)
  }
}
