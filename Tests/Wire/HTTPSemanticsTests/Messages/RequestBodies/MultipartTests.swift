import Foundation
import HTTPSemantics
import TestSupport
import Testing

/// Multipart bodies to the byte.
struct MultipartTests {
  private func bytes(_ body: MultipartBody) throws -> [UInt8] {
    var reader = try RequestBodyReader(.pieces(body.pieces))
    var result: [UInt8] = []
    try reader.readAll { piece in
      result.append(contentsOf: piece)
      return true
    }
    #expect(RequestBody.pieces(body.pieces).length == Int64(result.count))
    return result
  }

  @Test("parts stand in their order, files among them, and the length is known")
  func order() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a.bin": "\r\n--x\r\n", "empty": ""])
    let parts = [
      MultipartPart(name: "text", content: .bytes(Array("one".utf8))),
      MultipartPart(
        name: "file", filename: "a.bin", contentType: "application/octet-stream",
        content: .file(try FileRange(wholeFile: folder.path + "/a.bin"))),
      MultipartPart(name: "text", content: .bytes([])),
      MultipartPart(name: "e", filename: "", content: .file(try FileRange(wholeFile: folder.path + "/empty"))),
    ]
    let text = String(decoding: try bytes(MultipartBody(parts: parts, boundary: "b")), as: UTF8.self)
    #expect(
      text == """
        --b\r
        Content-Disposition: form-data; name="text"\r
        \r
        one\r
        --b\r
        Content-Disposition: form-data; name="file"; filename="a.bin"\r
        Content-Type: application/octet-stream\r
        \r
        \r
        --x\r
        \r
        --b\r
        Content-Disposition: form-data; name="text"\r
        \r
        \r
        --b\r
        Content-Disposition: form-data; name="e"; filename=""\r
        \r
        \r
        --b--\r

        """)
    #expect(String(decoding: try bytes(MultipartBody(parts: [], boundary: "b")), as: UTF8.self) == "--b--\r\n")
  }

  @Test("a boundary that a part has is not taken")
  func boundary() {
    var numbers: [UInt64] = [1, 2, 1, 2, 3, 4].reversed()
    let first = "reqrun-" + String(repeating: "0", count: 15) + "1" + String(repeating: "0", count: 15) + "2"
    let random = { numbers.removeLast() }
    #expect(MultipartBody.boundary(for: [], random: random) == first)
    let part = MultipartPart(name: "a", content: .bytes(Array("x\r\n--\(first)--".utf8)))
    #expect(MultipartBody.boundary(for: [part], random: random).hasSuffix("4"))
    #expect(MultipartBody.boundaryOccurs(first, in: [part]))
    #expect(isBoundary(first) && isBoundary("a b") && !isBoundary("a ") && !isBoundary("") && !isBoundary("a\"b"))
    #expect(!isBoundary(String(repeating: "a", count: 71)))
  }

  // MARK: Conformance

  private func conformance(_ file: String) throws -> Any {
    let root = try #require(conformanceRoot)
    return try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: "\(root)/\(file)")))
  }

  @Test(
    "names and file names are escaped as browsers do",
    .enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE names no folder"))
  func browsers() throws {
    let cases = try #require(try conformance("form-encoding/html_forms.json") as? [[String: Any]])
    #expect(cases.count == 28)
    for example in cases {
      // Forms normalise the line ends of names first, which is the business of those who fill them in.
      let isNormalised = example["newline_normalisation"] as? Bool == true
      let name = try #require(example["name"] as? String)
      let filename = (example["value"] as? [String: Any])?["file"] as? String
      let part = MultipartPart(name: isNormalised ? withCRLF(name) : name, filename: filename, content: .bytes([]))
      let multipart = try #require(example["multipart"] as? [String: Any])
      let expected = try #require(multipart["content_disposition"] as? String)
      #expect(part.head == "Content-Disposition: \(expected)\r\n\r\n")
    }
  }

  private func withCRLF(_ text: String) -> String {
    text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
      .replacingOccurrences(of: "\n", with: "\r\n")
  }

  @Test(
    "bodies are Alamofire's, but for what it gets wrong",
    .enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE names no folder"))
  func alamofire() throws {
    let document = try #require(try conformance("alamofire/multipart.json") as? [String: Any])
    var compared = 0
    for example in try #require(document["cases"] as? [[String: Any]]) where example["class"] as? String != "quirk" {
      let parts = try #require(example["parts"] as? [[String: Any]]).map { part in
        MultipartPart(
          name: part["name"] as? String ?? "", filename: part["filename"] as? String,
          contentType: part["content_type"] as? String, content: .bytes(bytes(part["data"])))
      }
      let body = MultipartBody(parts: parts, boundary: try #require(example["boundary"] as? String))
      let expected = bytes((example["expect"] as? [String: Any])?["body"])
      let isSame = try bytes(body) == expected
      #expect(isSame, "\(example["name"] ?? "")")
      compared += 1
    }
    #expect(compared == 17)
  }

  private func bytes(_ value: Any?) -> [UInt8] {
    if let text = value as? String { return Array(text.utf8) }
    let base64 = (value as? [String: Any])?["base64"] as? String
    return base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []
  }
}
