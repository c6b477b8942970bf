import HTTPSemantics
import Matching
import Values
import YAMLNodes

extension SubjectKey {
  static let all: [SubjectKey] = [
    SubjectKey(
      "status", words: "code statusCode status_code http_status httpStatus response_code responseStatus",
      documentation: [("", "a number, or by its own words", "`404`, `2xx`, `{one_of: [200, 204]}`")],
      sourceDocumentation: "the number",
      assertionShape: { ValueDecoder<StatusSet>.status.shape.orTemplate.or(predicateMappingShape) },
      assertions: .one { $0.statusAssertion($1, &$2) }, source: .word(.status)),
    SubjectKey(
      "content_type", words: "type mime media_type",
      documentation: [
        ("", "a media type; with predicates the header's text", "`image/*`, `{contains: charset=utf-8}`")
      ],
      assertions: .one { $0.contentTypeAssertion($1, &$2) }),
    SubjectKey(
      "headers", sourceName: "header", words: "header responseHeaders", sourceWords: "headers",
      shape: "{content-type: text/html}: a name and what is expected of it",
      documentation: [
        ("", "text in lines", "`{x-limit: {at_least: 1}, vary: {any: Origin}, date: {after: 2024-01-01}}`")
      ],
      sourceDocumentation: "its lines, joined by `, `",
      assertions: .group(prefix: "header ") { $0.fieldAssertions($1.value, "header", ResponseSubject.header, &$2) },
      source: .part { $0.fieldSource($1, "header", ResponseSubject.header) }),
    SubjectKey(
      "trailers", sourceName: "trailer", words: "trailer", sourceWords: "trailers",
      shape: "{etag: {exists: true}}: a name and what is expected of it",
      documentation: [("", "text in lines, of the fields behind the body", "`{server-timing: {contains: total}}`")],
      sourceDocumentation: "the lines of a field behind the body, joined by `, `",
      assertions: .group(prefix: "trailer ") { $0.fieldAssertions($1.value, "trailer", ResponseSubject.trailer, &$2) },
      source: .part { $0.fieldSource($1, "trailer", ResponseSubject.trailer) }),
    SubjectKey(
      "cookies", sourceName: "cookie", words: "cookie", sourceWords: "cookies",
      shape: "{session: {exists: true}}: a name and what is expected of it",
      documentation: [
        (
          ": `value`, `domain`, `path`, `same_site`",
          "text; alone it is the value; `same_site` is `strict`, `lax` or `none`",
          "`{session: {value: {is: uuid}, path: /}}`"
        ),
        (
          "`expires`", "a date, from `Max-Age` where that is given",
          "`{expires: {before: \"${{ now | plus('1d') }}\"}}`"
        ), ("`max_age`", "a duration", "`{max_age: {between: [1m, 1h]}}`"),
        ("`secure`, `http_only`", "true or false", "`{secure: true}`"),
      ],
      sourceDocumentation: "the value, treated as a secret; `attribute` selects another part, which is not",
      assertionShape: {
        .names(of: expectedShape.or(attributesShape(CookieAttribute.allCases.map(\.rawValue))))
      },
      assertions: .group(prefix: "cookie ") { reader, member, result in
        reader.each(member.value, of: "cookies") { $0.cookieAssertions($1, &result) }
      },
      source: .part { reader, node in reader.named("cookie", node) { .cookie($0, .value) } }),
    SubjectKey(
      "link", sourceDocumentation: "the target with that relation in the `Link` header, absolute",
      source: .part { reader, node in reader.named("link", node) { .link($0) } }),
    SubjectKey(
      "json", words: "jsonpath json_path jsonPath", sourceWords: "jsonpath path",
      documentation: [("", "what the path finds", "`{$.id: {is: integer}}`")],
      sourceDocumentation: "what the JSONPath finds: a list where it can select several values",
      assertions: .group(prefix: "json ") { reader, member, result in
        reader.each(member.value, of: "json") { $0.jsonAssertion($1, &result) }
      },
      source: .part { reader, node in
        guard let text = reader.plainText(node, as: "json"), let path = reader.jsonPath(text, at: node) else {
          return nil
        }
        return (.json(path), "json \(text)")
      }),
    SubjectKey(
      "xpath", shape: "{string(//title): Hello}: an expression and what is expected of it",
      documentation: [
        (
          "", "a list of the nodes' texts, or a text, a number, true or false, by the expression",
          "`{string(//title): Hello}`"
        )
      ],
      sourceDocumentation: "what the expression yields",
      assertions: .group(prefix: "xpath ") { reader, member, result in
        reader.each(member.value, of: "xpath") { $0.xpathAssertion($1, &result) }
      },
      source: .part { reader, node in
        guard let text = reader.plainText(node, as: "xpath"), let spec = reader.xpath(text, at: node) else {
          return nil
        }
        return (.xpath(spec), "xpath \(text)")
      }),
    SubjectKey(
      "csv", shape: "{count: 3, \"[0].name\": Ann}: predicates on the list of rows, and paths below it",
      documentation: [
        (
          "", "the list of rows, each an object by the names in the first line, and paths below it",
          "`{count: 3, \"[0].name\": Ann}`"
        )
      ],
      sourceDocumentation: "what the JSONPath below the list of rows of a body in CSV finds",
      assertionShape: { .anything },
      assertions: .group(prefix: "csv") { $0.listAssertions($1.value, of: .csv, &$2) },
      source: .part { $0.listSource($1, of: .csv) }),
    SubjectKey(
      "body", words: "text content raw", documentation: [("", "text", "`{contains: Hello}`")],
      sourceDocumentation: "the text",
      assertions: .one { $0.bodyAssertion($1, &$2) },
      source: .word(.body)),
    SubjectKey(
      "bytes", words: "size length", shape: bytesHelp,
      documentation: [
        (": `count`, `wire_count`", "a size, or predicates on it", "`{count: {less_than: 1MiB}}`"),
        ("`sha256`, `md5`", "text, in lower-case hexadecimal digits", "`{sha256: \"${{ expected }}\"}`"),
      ],
      sourceDocumentation: "their count",
      assertionShape: { attributesShape(["count", "wire_count", "sha256", "md5"]) },
      assertions: .group(prefix: "bytes ") { reader, member, result in
        reader.each(member.value, of: "bytes") { $0.bytesAssertion($1, &result) }
      },
      source: .word(.bytes(.content))),
    SubjectKey(
      "duration", words: "time response_time responseTime elapsed latency max_time",
      documentation: [("", "a duration", "`{less_than: 500ms}`")],
      sourceDocumentation: "milliseconds",
      assertions: .one { $0.durationAssertion($1, &$2) }, source: .word(.duration)),
    SubjectKey(
      "timing", shape: "{total: {less_than: 500ms}}",
      documentation: [(", each phase", "a duration", "`{total: {less_than: 1s}, connect: {between: [0, 50ms]}}`")],
      sourceDocumentation: "milliseconds until a phase: `name_lookup`, `connect`, `tls`, `first_byte` or `total`",
      assertionShape: { attributesShape(TimingPhase.allCases.map(\.rawValue)) },
      sourceShape: { .words(TimingPhase.allCases.map(\.rawValue)) },
      assertions: .group(prefix: "timing ") { reader, member, result in
        reader.each(member.value, of: "timing") { $0.timingAssertion($1, &result) }
      },
      source: .part { reader, node in reader.word("timing", node) { .timing($0) } }),
    SubjectKey(
      "redirects", words: "redirect",
      documentation: [
        (
          "", "a list of `{status: …, url: …}`: each redirect, and where it led",
          "`{count: 1, any: {includes: {status: 301}}}`"
        )
      ],
      sourceDocumentation: "the list of them: `redirects[0].url`",
      assertions: .one { $0.redirectsAssertion($1, &$2) }, source: .word(.redirects)),
    SubjectKey(
      "url", .url, words: "final_url", type: "text, the final URL", example: "`{ends_with: /home}`",
      sourceDocumentation: "the final URL"),
    SubjectKey(
      "http_version", .httpVersion, words: "version protocol", example: "`{at_least: 2}`",
      sourceDocumentation: "such as `1.1`"),
    SubjectKey(
      "remote_address", .address(.remote), example: "`127.0.0.1`, `{is: ipv6}`",
      sourceDocumentation: "the server's address"),
    SubjectKey("remote_port", .port(.remote), type: "a number", example: "`8080`", sourceDocumentation: "its port"),
    SubjectKey(
      "local_address", .address(.local), example: "`{starts_with: 127.}`",
      sourceDocumentation: "the own address of the connection"),
    SubjectKey(
      "local_port", .port(.local), type: "a number", example: "`{at_least: 1024}`", sourceDocumentation: "its port"),
    SubjectKey(
      "cache", documentation: [("", "text", "`hit`")],
      assertions: .one { $0.cacheAssertion($1, &$2) }),
    SubjectKey(
      "certificate", words: "cert tls", shape: "{expires_in: {at_least: 30d}}",
      documentation: [
        (": `starts`, `expires`", "a date", "`{expires: {after: 2030-01-01}}`"),
        ("`expires_in`", "a duration", "`{expires_in: {at_least: 30d}}`"),
        ("`key_bits`", "a number", "`{key_bits: {at_least: 2048}}`"),
        ("`names`, `chain`", "a list of texts; of certificates", "`{names: {any: {ends_with: .example.com}}}`"),
        ("the others", "text", "`{issuer: {contains: \"O=Example\"}}`"),
      ],
      sourceDocumentation: "a mapping of its members, see below; `{certificate: expires}` takes one of them",
      assertionShape: { attributesShape(CertificateAttribute.allCases.map(\.rawValue)) },
      sourceShape: { .any([.words(CertificateAttribute.allCases.map(\.rawValue)), .constants([.bool(true)])]) },
      assertions: .group(prefix: "certificate ") { reader, member, result in
        reader.each(member.value, of: "certificate") { $0.certificateAssertion($1, &result) }
      },
      source: .wholeOrPart(.certificate(nil)) { reader, node in reader.word("certificate", node) { .certificate($0) } }),
    SubjectKey(
      "snapshot",
      documentation: [("", "true, or its name and what is not compared", "`{ignore: [$.id]}`")],
      assertionShape: { SnapshotSpec.keys.shape().or(.constants([.bool(true)])) },
      assertions: .one { reader, member, result in
        guard let spec = reader.snapshot(member.value) else { return }
        reader.add(.snapshot, member.key, .snapshot(spec), member.value, &result)
      }),
    SubjectKey(
      "schema", words: "json_schema jsonSchema",
      documentation: [("", "a file, a schema, or `{file: …, draft: …, format: …}`", "`user.schema.json`")],
      assertionShape: { .any([.someText, .names(of: .anything)]) },
      assertions: .one { reader, member, result in
        guard let spec = reader.schema(member.value) else { return }
        reader.add(.schema, spec.label, key: member.key, .schema(spec), member.value, &result)
      }),
    SubjectKey(
      "events", words: "event",
      documentation: [("", "the list of a stream's events, and paths below it", "`{count: 3, \"[0].data\": hello}`")],
      sourceDocumentation: "what the JSONPath below the list of a stream's events finds",
      assertionShape: { .anything },
      assertions: .group(prefix: "events") { $0.listAssertions($1.value, of: .events, &$2) },
      source: .part { $0.listSource($1, of: .events) }),
    SubjectKey(
      "calls", words: "mock_calls received webhooks",
      documentation: [
        (
          "", "the list of what the project's `mock` received, and paths below it",
          "`{\"$[?@.path == '/hooks'].json.state\": {any: paid}}`"
        )
      ],
      sourceDocumentation: "what the JSONPath below the list of the mock's calls finds",
      assertionShape: { .anything },
      assertions: .group(prefix: "calls") { $0.listAssertions($1.value, of: .calls, &$2) },
      source: .part { $0.listSource($1, of: .calls) }),
    SubjectKey(
      "values", sourceName: "value", words: "value", sourceWords: "values expression",
      shape: "{length(items) + 1: 3}: an expression and what is expected of it",
      documentation: [("", "what the expression yields", "`{\"length(a) + length(b)\": {greater_than: 55}}`")],
      sourceDocumentation:
        "what a template yields, such as `${{ (scope | split(':'))[1] }}`; any other value is itself",
      sourceShape: { .anything },
      assertions: .group(prefix: "value ") { reader, member, result in
        reader.each(member.value, of: "values") { $0.valueAssertion($1, &result) }
      },
      source: .part { reader, node in
        reader.warnOfPathAsValue(node)
        return reader.valueTemplate(node).map {
          (.value($0), node.range.spansLines ? "value" : "value \(node.range.text)")
        }
      }),
    SubjectKey(
      "file", sourceDocumentation: "the path of the file that was downloaded",
      source: .word(.file)),
    SubjectKey(
      "error",
      documentation: [
        ("", "the failure of the exchange, in place of all others, or a list of those that may occur", "`timeout`")
      ],
      assertionShape: { ValueDecoder.failures.shape.orTemplate },
      assertions: .whole { $2.failure = $0.setting($1.value, .failures) }),
  ]
}
