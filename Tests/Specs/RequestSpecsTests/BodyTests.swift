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
      "template is a boolean", "body: {file: a, template: «1»}",
      "expected true or false, found the number 1 | write `true`"),
    .request("a file has a name", "body: {file: «\"\"»}", "an empty path names no file"),
    .request(
      "the type of a body", "body: {file: a, «type»: text/plain}",
      "unknown key `type` in `body` | write the header `Content-Type`"),
    .request(
      "a query has its file", "graphql: {query: «{template: true}»}", "`query` is text or {file: …}, found no `file`"),
    .request(
      "multipart is a mapping", "multipart: «a»",
      "`multipart` is a mapping, found text | write {title: Holiday, photo: {file: sea.png}}: a name for each part"),
    .request(
      "a list of parts lacks their names", "multipart: «[]»",
      "`multipart` is a mapping, found a list | write {title: Holiday, photo: {file: sea.png}}: a name for each part"),
    .request(
      "several files of one name are several parts", "multipart: {a: {file: «[x, y]»}}",
      "`file` of a part is one path, found a list | several files of one name are a list of parts: [{file: x}, {file: y}]"
    ),
    .request(
      "a file's path is not a mapping", "multipart: {a: {file: «{path: x}»}}", "expected a path, found a mapping"),
    .request("a file's path is not a flag", "body: {file: «true»}", "expected a path, found true"),
    .request(
      "a list is not a body", "body: «[1]»",
      "`body` is text, {file: …} or {base64: …}, found a list | write `json:` in place of `body:` for a list in JSON"),
    .request(
      "a mapping of one's own is not a body", "body: «{a: 1}»",
      "`body` is text, {file: …} or {base64: …}, found another mapping | write `json:` in place of `body:` for a mapping in JSON, `form:` for a form"
    ),
    .request(
      "curl's file as a body", "body: «'@data/order.json'»",
      "warning: this text is sent as it stands, with its `@` | write {file: data/order.json} for what is in the file"),
    .request(
      "curl's file as JSON", "json: «'@order.json'»",
      "warning: this is sent as a JSON string, with its `@` | write `body: {file: order.json}`, and `Content-Type: application/json` under `headers:`"
    ),
    .request(
      "curl's file in a form", "form: {a: «'@order.json'», b: 1}",
      "warning: this text is sent as it stands, with its `@` | a form with files is `multipart:`, and the field {file: order.json}"
    ),
    .request(
      "a part's file in a form", "form: {a: «{file: order.json}»}",
      "warning: no file is read here: this is sent as a mapping with the member `file` | write `multipart:` instead of `form:`"
    ),
    .request(
      "curl's file as a part", "multipart: {a: «'@order.json'»}",
      "warning: this text is sent as it stands, with its `@` | write {file: order.json} for what is in the file"),
    .request("a name after an @", "body: '@ann'"),
    .request("a sentence after an @", "body: '@ann: see a.txt, please'"),
    .request("lines after an @", "body: |\n  @a.txt\n  b"),
    .request("a template after an @", "body: '@${{ env.HOME }}/a.txt'"),
    .request("a mapping with a file in a form, and more", "form: {a: {file: b.txt, name: c}}"),
    .request(
      "a part is not a null", "multipart: {a: «null»}",
      "a part cannot be null | a part is text, a number, true or false, {file: …}, {value: …}, or a list of these"),
    .request(
      "a part is not a list in a list", "multipart: {a: [b, «[c]»]}",
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
      "\"png\" is not a media type | write both of its parts, such as application/json"),
    .request(
      "the type of a part is not a range", "multipart: {a: {file: b, type: «image/*»}}",
      "\"image/*\" is not a media type that can be sent | write both of its parts, such as image/png"),
    .request(
      "a value is not a null", "multipart: {a: {value: «null»}}",
      "a part cannot be null | write \"\" for an empty one"),
    .request(
      "one body", "multipart: {a: 1}\n«json»: {}",
      "`json` and `multipart` are both bodies: a request has one | remove `multipart:` or `json:`"),
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
