import HTTPSemantics
import TestSupport
import Testing
import Values

/// A request of AWS's Signature Version 4 test suite, signed 2015-08-30T12:36:00Z for us-east-1 and `service`.
private struct Vector: Sendable, CustomTestStringConvertible {
  let name: String
  var method = "GET"
  /// As the suite has it, not encoded.
  var path = "/"
  var query: String?
  var headers: [(String, String)] = []
  var body = ""
  var sessionToken: String?
  var signedHeaders = "host;x-amz-date"
  let signature: String

  var testDescription: String { name }
}

private let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
private let sessionToken =
  "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwth"
  + "Ax7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXA"
  + "kiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="

private let vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
private let withHeader = "host;my-header1;x-amz-date"

private let vectors = [
  Vector(name: "get-vanilla", signature: vanilla),
  Vector(
    name: "get-header-key-duplicate",
    headers: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
    signedHeaders: withHeader, signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
  Vector(
    name: "get-header-value-order",
    headers: [("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"), ("My-Header1", "value2")],
    signedHeaders: withHeader, signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
  Vector(
    name: "get-header-value-trim", headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
    signedHeaders: "host;my-header1;my-header2;x-amz-date",
    signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
  Vector(
    name: "get-unreserved", path: "/" + unreserved,
    signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
  Vector(
    name: "get-utf8", path: "/ሴ", signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
  Vector(
    name: "get-vanilla-empty-query-key", query: "Param1=value1",
    signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
  Vector(
    name: "get-vanilla-query-order-key", query: "Param1=value2&Param1=Value1",
    signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
  Vector(
    name: "get-vanilla-query-order-key-case", query: "Param2=value2&Param1=value1",
    signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
  Vector(
    name: "get-vanilla-query-order-value", query: "Param1=value2&Param1=value1",
    signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
  Vector(
    name: "get-vanilla-query-unreserved", query: "\(unreserved)=\(unreserved)",
    signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
  Vector(
    name: "get-vanilla-utf8-query", query: "ሴ=bar",
    signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
  Vector(
    name: "post-header-key-case", method: "POST",
    signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
  Vector(
    name: "post-header-key-sort", method: "POST", headers: [("My-Header1", "value1")], signedHeaders: withHeader,
    signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
  Vector(
    name: "post-header-value-case", method: "POST", headers: [("My-Header1", "VALUE1")], signedHeaders: withHeader,
    signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
  Vector(
    name: "post-vanilla-query", method: "POST", query: "Param1=value1",
    signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
  Vector(
    name: "post-x-www-form-urlencoded", method: "POST",
    headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
    signedHeaders: "content-type;host;x-amz-date",
    signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
  Vector(
    name: "post-x-www-form-urlencoded-parameters", method: "POST",
    headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf8")], body: "Param1=value1",
    signedHeaders: "content-type;host;x-amz-date",
    signature: "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
  Vector(
    name: "post-sts-header-before", method: "POST", sessionToken: sessionToken,
    signedHeaders: "host;x-amz-date;x-amz-security-token",
    signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
  Vector(name: "normalize-path/get-relative", path: "/example/..", signature: vanilla),
  Vector(name: "normalize-path/get-relative-relative", path: "/example1/example2/../..", signature: vanilla),
  Vector(name: "normalize-path/get-slash", path: "//", signature: vanilla),
  Vector(name: "normalize-path/get-slash-dot-slash", path: "/./", signature: vanilla),
  Vector(
    name: "normalize-path/get-slash-pointless-dot", path: "/./example",
    signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
  Vector(
    name: "normalize-path/get-slashes", path: "//example//",
    signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
  Vector(
    name: "normalize-path/get-space", path: "/example space/",
    signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
]

/// The examples of the S3 documentation ("Signature Calculations for the Authorization Header"), of 2013-05-24.
private let objectVectors = [
  Vector(
    name: "GET object", path: "/test.txt", headers: [("Range", "bytes=0-9")],
    signedHeaders: "host;range;x-amz-content-sha256;x-amz-date",
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
  Vector(
    name: "PUT object", method: "PUT", path: "/test$file.text",
    headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("X-Amz-Storage-Class", "REDUCED_REDUNDANCY")],
    body: "Welcome to Amazon S3.",
    signedHeaders: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
  Vector(
    name: "GET bucket lifecycle", query: "lifecycle", signedHeaders: "host;x-amz-content-sha256;x-amz-date",
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
  Vector(
    name: "GET bucket", query: "max-keys=2&prefix=J", signedHeaders: "host;x-amz-content-sha256;x-amz-date",
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
]

private let secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

@Suite("AWS signatures")
struct AWSSignatureTests {
  /// What is sent for a request at that time.
  private func sent(
    _ request: OutgoingRequest, at time: String = "2015-08-30T12:36:00Z", after redirects: [String] = []
  ) async throws -> [WireRequest] {
    let now = try #require(Timestamp(rfc3339: time))
    let transport = ScriptedTransport(redirects.map { .redirect(307, to: $0) } + [.init()])
    let client = HTTPClient(
      transport: transport, authenticator: Authenticator(now: { now }, clientNonce: { "" }))
    _ = try await client.perform(request, into: CollectingSink())
    return transport.requests
  }

  private func request(_ vector: Vector, host: String, _ credentials: AWSCredentials) throws -> OutgoingRequest {
    OutgoingRequest(
      method: try #require(HTTPMethod(vector.method)),
      url: HTTPURL(scheme: "https", host: host, path: vector.path, query: vector.query),
      headers: HeaderFields(vector.headers), body: vector.body.isEmpty ? .none : .bytes(Array(vector.body.utf8)),
      credentials: .awsSigV4(credentials))
  }

  @Test("The signatures of the test suite", arguments: vectors)
  private func suite(_ vector: Vector) async throws {
    let credentials = AWSCredentials(
      accessKey: "AKIDEXAMPLE", secretKey: secretKey, sessionToken: vector.sessionToken, region: "us-east-1",
      service: "service")
    let wire = try await sent(try request(vector, host: "example.amazonaws.com", credentials))[0]
    #expect(
      wire.headers.values("Authorization") == [
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
          + "SignedHeaders=\(vector.signedHeaders), Signature=\(vector.signature)"
      ])
    #expect(wire.headers.values("X-Amz-Date") == ["20150830T123600Z"])
    #expect(wire.headers.first("X-Amz-Security-Token") == vector.sessionToken)
    #expect(!wire.headers.contains("X-Amz-Content-Sha256"))
  }

  @Test("The signatures of S3's documentation, region and service by the host", arguments: objectVectors)
  private func objects(_ vector: Vector) async throws {
    let credentials = AWSCredentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let wire = try await sent(
      try request(vector, host: "examplebucket.s3.amazonaws.com", credentials), at: "2013-05-24T00:00:00Z")[0]
    #expect(
      wire.headers.first("Authorization")
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=\(vector.signedHeaders), Signature=\(vector.signature)")
  }

  @Test("The canonical request of get-vanilla-query-order-key-case")
  func canonical() throws {
    let wire = WireRequest(
      method: .get, url: try url("https://example.amazonaws.com/?Param2=value2&Param1=value1"),
      headers: HeaderFields([("X-Amz-Date", "20150830T123600Z")]))
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let canonical = CanonicalRequest(
      wire, scope: AWSScope(region: "us-east-1", service: "service"), payloadHash: hash)
    #expect(
      canonical.text
        == "GET\n/\nParam1=value1&Param2=value2\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\n"
        + "host;x-amz-date\n\(hash)")
    #expect(canonical.signedHeaders == "host;x-amz-date")
  }

  @Test(
    "Path and query as they are signed",
    arguments: [
      ("/a%20b/c", "service", "/a%2520b/c", ""), ("/a%20b/c", "s3", "/a%20b/c", ""),
      ("/a%2fb", "s3", "/a%2Fb", ""), ("/a+b=c:d", "s3", "/a%2Bb%3Dc%3Ad", ""),
      ("//a/./b/../c//", "s3", "//a/./b/../c//", ""),
      ("/a/../../b", "service", "/b", ""), ("/a/b/..", "service", "/a/", ""), ("", "service", "/", ""),
      ("", "s3", "/", ""),
      ("/?a=b=c&a&&%41=%7e&b=x+y&c=%2b", "s3", "/", "A=~&a=&a=b%3Dc&b=x%20y&c=%2B"),
      ("/?%ff=%c3%a9", "s3", "/", "%FF=%C3%A9"), ("/?b=2&a=10&a=1&a-=1", "s3", "/", "a=1&a=10&a-=1&b=2"),
      ("/?", "s3", "/", ""), ("/a?b/c?d", "s3", "/a", "b%2Fc%3Fd="),
    ])
  func forms(_ target: String, _ service: String, _ path: String, _ query: String) throws {
    let wire = WireRequest(method: .get, url: try url("http://h:8080\(target)"))
    let canonical = CanonicalRequest(wire, scope: AWSScope(region: "r", service: service), payloadHash: "")
    let lines = canonical.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1] == path)
    #expect(lines[2] == query)
    #expect(lines[3] == "host:h:8080")
  }

  @Test(
    "Path and query are sent as they are signed, in their order",
    arguments: [
      (
        "/a+b=c:d(1)/%2f", "?delimiter=/&prefix=a+b(c);d,e&acl&%7e=%c3%a9", "/a%2Bb%3Dc%3Ad%281%29/%2F",
        "?delimiter=%2F&prefix=a%20b%28c%29%3Bd%2Ce&acl&~=%C3%A9"
      ),
      ("//a/../b", "", "//a/../b", ""), ("", "", "", ""), ("/a", "?", "/a", "?"),
    ])
  func isSentAsSigned(_ path: String, _ query: String, _ sentPath: String, _ sentQuery: String) async throws {
    let request = OutgoingRequest(
      method: .get, url: try url("http://h\(path)\(query)"), headers: HeaderFields(), body: .none,
      credentials: .awsSigV4(AWSCredentials(accessKey: "a", secretKey: "b", region: "r", service: "s3")))
    let wire = try await sent(request)[0]
    #expect(wire.url.path == sentPath)
    #expect(wire.url.query.map { "?" + $0 } ?? "" == sentQuery)
  }

  @Test(
    "Region and service by the host's name",
    arguments: [
      ("dynamodb.eu-west-1.amazonaws.com", "eu-west-1 dynamodb"), ("iam.amazonaws.com", "us-east-1 iam"),
      ("s3.amazonaws.com", "us-east-1 s3"), ("my.bucket.s3.eu-central-1.amazonaws.com", "eu-central-1 s3"),
      ("bucket.s3.dualstack.us-west-2.amazonaws.com", "us-west-2 s3"), ("s3-us-west-2.amazonaws.com", "us-west-2 s3"),
      ("a1b2.execute-api.ap-southeast-2.amazonaws.com", "ap-southeast-2 execute-api"),
      ("search-x.us-gov-west-1.es.amazonaws.com", "us-gov-west-1 es"),
      ("sqs.cn-north-1.amazonaws.com.cn", "cn-north-1 sqs"),
      ("amazonaws.com", nil), ("evil-amazonaws.com", nil), ("dynamodb.eu-west-1.amazonaws.com.evil", nil),
      ("example.com", nil), ("eu-west-1.amazonaws.com", nil), ("127.0.0.1", nil), ("::1", nil),
    ])
  func scope(_ host: String, _ found: String?) {
    #expect(AWSScope(host: host).map { "\($0.region) \($0.service)" } == found)
  }

  @Test("Headers that others change are not signed; one's own date and body hash are taken as they are")
  func ownHeaders() async throws {
    let request = OutgoingRequest(
      method: .get, url: try url("http://h/"),
      headers: HeaderFields([
        ("User-Agent", "x"), ("Accept-Encoding", "gzip"), ("Cookie", "a=b"), ("Accept", "*/*"), ("Host", "v"),
        ("X-Amz-Date", "20200101T000000Z"), ("X-Amz-Content-SHA256", "UNSIGNED-PAYLOAD"),
      ]), body: .none,
      credentials: .awsSigV4(AWSCredentials(accessKey: "a", secretKey: "b", region: "r", service: "s3")))
    let wire = try await sent(request)[0]
    let value = wire.headers.first("Authorization") ?? ""
    #expect(value.contains("Credential=a/20200101/r/s3/aws4_request"))
    #expect(value.contains("SignedHeaders=accept;host;x-amz-content-sha256;x-amz-date,"))
    #expect(wire.headers.values("X-Amz-Content-Sha256") == ["UNSIGNED-PAYLOAD"])
    #expect(wire.headers.values("X-Amz-Date") == ["20200101T000000Z"])
  }

  @Test("Each hop is signed anew, another host only if it is trusted", arguments: [[], ["b", "a"]])
  func hops(_ trusted: [String]) async throws {
    let request = OutgoingRequest(
      method: .get, url: try url("http://a/1"),
      credentials: .awsSigV4(
        AWSCredentials(accessKey: "a", secretKey: "b", sessionToken: "t", region: "r", service: "s")),
      redirects: RedirectPolicy(trustedHosts: trusted))
    let requests = try await sent(request, after: ["/2", "http://b/", "http://a/1"])
    let signed = requests.map { $0.headers.first("Authorization") }
    #expect(requests.map { $0.headers.contains("X-Amz-Security-Token") } == signed.map { $0 != nil })
    if trusted.isEmpty {
      #expect(signed.map { $0 != nil } == [true, true, false, false])
      #expect(signed[0] != signed[1])
    } else {
      #expect(Set(signed.compactMap { $0 }).count == 3)
      #expect(signed[0] == signed[3])
    }
  }

  @Test("A file's part is hashed as it will be sent")
  func file() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["body": String(repeating: "x", count: 100_000) + "Welcome to Amazon S3." + "more"])
    var request = try request(
      objectVectors[1], host: "examplebucket.s3.amazonaws.com",
      AWSCredentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
    request.body = .file(path: folder.path + "/body", offset: 100_000, length: 21)
    let wire = try await sent(request, at: "2013-05-24T00:00:00Z")[0]
    #expect(wire.headers.first("Authorization")?.hasSuffix(objectVectors[1].signature) == true)
    request.body = .file(path: folder.path + "/none", offset: 0, length: 1)
    let unreadable = request
    let failure = await #expect(throws: ExchangeFailure.self) { try await sent(unreadable) }
    #expect(failure?.error.kind == .body)
  }

  @Test("A host that tells no region is refused before anything is sent, or where a redirect leads there")
  func unknownScope() async throws {
    var request = OutgoingRequest(
      method: .get, url: try url("http://example.com/"),
      credentials: .awsSigV4(AWSCredentials(accessKey: "a", secretKey: "b", service: "s")))
    let message = "an AWS signature is for a region and a service, and the host example.com contains neither"
    #expect(checkWire(request).map(\.message) == [message])
    request.url = try url("http://s.us-east-1.amazonaws.com/")
    request.redirects.trustedHosts = ["example.com"]
    #expect(checkWire(request).isEmpty)
    let redirected = request
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await sent(redirected, after: ["http://example.com/"])
    }
    #expect(failure?.error.message == message)
    #expect(failure?.hops.count == 1)
  }
}
