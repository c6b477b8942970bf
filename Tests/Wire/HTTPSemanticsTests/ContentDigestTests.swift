import Cryptography
import HTTPSemantics
import TestSupport
import Testing
import Values

/// Digests of bodies, by the examples of RFC 9530, appendix B.
struct ContentDigestTests {
  private let content = "{\"hello\": \"world\"}\n"
  private let sha256 = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
  private let sha512 =
    "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:"

  private struct Source: BodySource {
    let text: String

    func produce(_ take: (UnsafeRawBufferPointer) -> Bool) throws(TransportError) {
      for byte in text.utf8 where ![byte].withUnsafeBytes(take) { return }
    }
  }

  @Test("of bytes at hand")
  func bytes() {
    let digest = ContentDigest(header: "Content-Digest", algorithms: [.sha256, .sha512])
    #expect(digest.value(of: Array(content.utf8)) == "\(sha256), \(sha512)")
  }

  @Test("of what is read, told in headers that go when the body goes", arguments: [307, 303])
  func read(_ status: Int) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a": content])
    let bodies: [RequestBody] = [
      .pieces([.file(try FileRange(wholeFile: folder.path + "/a"))]), .stream(Source(text: content)),
    ]
    for body in bodies {
      let transport = ScriptedTransport([.redirect(status, to: "/next"), .init()])
      var request = OutgoingRequest(method: .post, url: try url("http://a/"), body: body)
      request.digests = [
        ContentDigest(header: "Content-Digest", algorithms: [.sha512, .sha256]),
        ContentDigest(header: "Repr-Digest", algorithms: [.sha256]),
      ]
      _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
      let headers = transport.requests.map(\.headers)
      #expect(headers[0].values("Content-Digest") == ["\(sha512), \(sha256)"])
      #expect(headers[0].values("Repr-Digest") == [sha256])
      #expect(headers[1].values("Content-Digest").count == (status == 307 ? 1 : 0))
    }
  }

  @Test("a signature is over the body that is read, too")
  func signature() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a": content])
    let file = RequestBody.pieces([.bytes([65]), .file(try FileRange(wholeFile: folder.path + "/a"))])
    let transport = ScriptedTransport([.init()])
    let keys = AWSCredentials(
      accessKey: "a", secretKey: "b", sessionToken: nil, region: "eu-north-1", service: "s3")
    for body in [file, .bytes(Array("A\(content)".utf8)), .stream(Source(text: "A\(content)"))] {
      let request = OutgoingRequest(
        method: .put, url: try url("http://bucket.test/x"), body: body, credentials: .awsSigV4(keys))
      _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    let hash = hexEncoded(DigestAlgorithm.sha256.digest(of: "A\(content)"))
    #expect(transport.requests.map { $0.headers.first("X-Amz-Content-Sha256") } == [hash, hash, hash])
  }

  @Test("a file that cannot be read any more is an error, and nothing is sent")
  func vanished() async throws {
    let folder = try TemporaryFolder()
    try folder.write(["a": content])
    let body = RequestBody.pieces([.file(try FileRange(wholeFile: folder.path + "/a"))])
    folder.remove()
    let transport = ScriptedTransport([.init()])
    var request = OutgoingRequest(method: .put, url: try url("http://a/"), body: body)
    request.digests = [ContentDigest(header: "Content-Digest", algorithms: [.sha256])]
    let failure = await #expect(throws: ExchangeFailure.self) {
      _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(failure?.error.kind == .body)
    #expect(transport.requests.isEmpty)
  }
}
