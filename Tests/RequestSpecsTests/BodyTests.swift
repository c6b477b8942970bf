import Testing

/// What is wrong with bodies, before anything is sent.
struct BodyTests {
  static let cases: [DiagnosticCase] = [
    .request(
      "a body of neither kind", "body: «{}»", "`body` is text, {file: …} or {base64: …}, found neither of them"),
    .request(
      "a body of both kinds", "body: «{file: a, base64: YQ==}»",
      "a body is either `file` or `base64` | remove one of them"),
    .request(
      "a template of base64", "body: {base64: YQ==, «template»: true}", "`template` belongs to `file` | remove it"),
    .request(
      "template is a constant", "body: {file: a, template: «\"${{ t }}\"»}",
      "`template` takes no template | write the value itself"),
    .request(
      "template is a boolean", "body: {file: a, template: «1»}", "expected true or false, found the number 1"),
    .request("a file has a name", "body: {file: «\"\"»}", "an empty path names no file"),
    .request(
      "the type of a body", "body: {file: a, «type»: text/plain}",
      "unknown key `type` in `body` | write the header `Content-Type`"),
    .request(
      "a query has its file", "graphql: {query: «{template: true}»}", "`query` is text or {file: …}, found no `file`"),
    .request(
      "multipart is a mapping", "multipart: «a»", "`multipart` is a mapping, found text"),
    .request(
      "a part is no null", "multipart: {a: «null»}",
      "a part cannot be null | a part is text, a number, true or false, {file: …}, {value: …}, or a list of these"),
    .request(
      "a part is no list in a list", "multipart: {a: [b, «[c]»]}",
      "a part cannot be a list | a part is text, a number, true or false, {file: …}, {value: …}, or a list of these"),
    .request(
      "a part has something", "multipart: {a: «{type: text/plain}»}",
      "a part needs `file` or `value` | a part is text, a number, true or false, {file: …}, {value: …}, or a list of these"
    ),
    .request(
      "a part has one content", "multipart: {a: {file: b, «value»: c}}",
      "a part is either `file` or `value` | remove one of them"),
    .request(
      "an unknown key of a part", "multipart: {a: {file: b, «filname»: c}}",
      "unknown key `filname` in a part | did you mean `filename`?"),
    .request(
      "the headers of a part", "multipart: {a: {value: b, «headers»: {c: d}}}",
      "unknown key `headers` in a part | a part has the headers that `filename` and `type` make"),
    .request(
      "the type of a part", "multipart: {a: {file: b, type: «png»}}",
      "\"png\" is not a media type | write type/subtype, such as application/json"),
    .request(
      "the type of a part is no range", "multipart: {a: {file: b, type: «image/*»}}",
      "\"image/*\" is not a media type that can be sent | write type/subtype, such as image/png"),
    .request(
      "a value is no null", "multipart: {a: {value: «null»}}",
      "a part cannot be null | write \"\" for an empty one"),
    .request(
      "one body", "multipart: {a: 1}\n«json»: {}", "`json` and `multipart` are both bodies: a request has one"),
    .request(
      "an unknown coding", "compress: «gzpi»",
      "unknown value \"gzpi\": expected one of gzip, deflate, none | did you mean `gzip`?"),
    .request(
      "an unknown digest", "digest: [sha-256, «sha-1»]",
      "unknown value \"sha-1\": expected one of sha-256, sha-512"),
    .request("a digest of nothing", "digest: «{}»", "an empty `digest` sends nothing | write `none`, or `sha-256`"),
    .request(
      "whose digest", "digest: {«contents»: sha-256}",
      "unknown key `contents` in `digest` | did you mean `content`?"),
  ]

  @Test(arguments: cases)
  func diagnostics(_ test: DiagnosticCase) { test.check() }
}
