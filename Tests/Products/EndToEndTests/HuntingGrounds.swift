import Foundation

/// A place where a server can put a secret, and a request that makes reqrun speak of it.
struct HuntingGround: Sendable {
  let name: String
  /// The response with the text in it; nil where it can't stand there.
  let response: @Sendable (String) -> String?
  /// The rest of the request, in YAML's flow style.
  let request: String
  /// Whether the text stands in JSON as it is: what has backslashes of its own would be another text there.
  var isJSON: Bool { ["json", "json-name", "json-in-json", "schema", "graphql", "captured"].contains(name) }

  static let all: [HuntingGround] = [
    ground("reason", "expect: {status: 201}") { isLine($0) ? "HTTP/1.1 500 \($0)\r\nContent-Length: 0\r\n\r\n" : nil },
    ground("header", "expect: {headers: {x-echo: nothing of that}}") { header("X-Echo", $0) },
    ground("header-matches", "expect: {headers: {x-echo: {matches: \"^never$\"}}}") { header("X-Echo", $0) },
    ground("header-name", "expect: {headers: {x-missing: {exists: true}}}") {
      $0.utf8.allSatisfy { HuntedEncoding.alphanumerics.utf8.contains($0) || "-_.%+~".utf8.contains($0) }
        ? header("X-\($0)", "1") : nil
    },
    ground("cookie", "expect: {cookies: {sid: nothing of that, other: {exists: true}}}") {
      header("Set-Cookie", "sid=\($0)")
    },
    ground("location-scheme", "") { redirect("ftp://x/?t=\($0)") },
    ground("location-host", "") { redirect("http://\($0).invalid:99999/") },
    ground("location-path", "redirects: {max: 0}") { redirect("/again/\($0)") },
    ground("location-userinfo", "redirects: {max: 0}") { redirect("http://u:\($0)@127.0.0.1:1/") },
    ground("content-type", "expect: {content_type: image/png, body: x}") { text($0, type: "text/\($0)") },
    ground("charset", "expect: {body: x}") { text("é", type: "text/plain; charset=\"\($0)\"") },
    ground("challenge", "auth: {digest: {username: a, password: b}}") {
      isLine($0)
        ? "HTTP/1.1 401 U\r\nWWW-Authenticate: Digest realm=\"\($0)\", nonce=\"n\", algorithm=\($0), qop=\"\($0)\"\r\n"
          + "Content-Length: 0\r\n\r\n" : nil
    },
    ground("error-body", "expect: {status: 201}") {
      response("500 Broken", "it broke: \($0) there", type: "text/plain")
    },
    ground("body", "expect: {body: {equals: one, contains: two, starts_with: it is a, matches: \"^z$\"}}") {
      text("it is \($0) there")
    },
    ground("body-lines", "expect: {body: \"one\\ntwo\\nthree\\n\"}") { text("one\n\($0)\nthree\n") },
    ground("json", "expect: {json: {$.k: other, $.k.m: 1, $.l: {matches: \"^z$\"}, $.list: {every: {is: number}}}}") {
      json("{\"k\":\"\($0)\",\"l\":\"a \($0) b\",\"list\":[\"\($0)\"]}", from: $0)
    },
    ground("json-name", "expect: {json: {$.missing: 1, $: {equals: {a: 1}}}}") {
      json("{\"\($0)\":1,\"other\":{\"\($0)\":[]}}", from: $0)
    },
    ground("json-in-json", "expect: {json: {$.k: other}}") {
      json("{\"k\":\"\(HuntedEncoding.json("{\"v\":\"\(HuntedEncoding.json($0))\"}"))\"}", from: "")
    },
    ground("broken-json", "expect: {json: {$.k: other}}") {
      response("200 OK", "{\"k\": \($0), x}", type: "application/json")
    },
    ground("schema", "expect: {schema: {type: object, additionalProperties: false, properties: {k: {type: integer}}}}")
    {
      json("{\"k\":\"\($0)\",\"\($0)\":{\"\($0)\":1}}", from: $0)
    },
    ground("graphql", "expect: {json: {$.errors: {count: 0}, $.data: {exists: true}}}") {
      json("{\"errors\":[{\"message\":\"no \($0)\",\"path\":[\"\($0)\"]}]}", from: $0)
    },
    ground("xml", "expect: {xpath: {string(//a): other, //missing: {exists: true}, count(//a): 2}}") {
      response("200 OK", "<r><a b=\"\(HuntedEncoding.html($0))\">\(HuntedEncoding.html($0))</a></r>", type: "text/xml")
    },
    ground("broken-xml", "expect: {xpath: {string(//a): other}}") {
      response("200 OK", "<r><\($0)></r>", type: "text/xml")
    },
    ground("html", "expect: {xpath: {string(//p): other}}") {
      response("200 OK", "<!doctype html><p class=\"\($0)\">\($0)</p>", type: "text/html")
    },
    ground("events", "stream: {until: {event: never}}") {
      response(
        "200 OK", "retry: 1\nevent: \(line($0))\ndata: {\"v\":\"\(line($0))\"}\nid: \(line($0))\n\n",
        type: "text/event-stream")
    },
    ground("events-json", "stream: {until: {json: {$.json.v: never}}}") {
      response(
        "200 OK", "retry: 1\ndata: {\"v\":\"\(HuntedEncoding.json($0))\"}\n\n", type: "text/event-stream")
    },
    ground("ndjson", "stream: {format: ndjson, max_events: 9}") {
      response("200 OK", "{\"v\":1}\n{\"v\": \(line($0))}\n", type: "application/x-ndjson")
    },
    ground("playlist", "hls: {to: out}") {
      response("200 OK", "#EXTM3U\nseg.ts?token=\(line($0))\n", type: "application/vnd.apple.mpegurl")
    },
    ground("playlist-tag", "hls: {to: out}") {
      response("200 OK", "#EXTM3U\n#EXTINF:\(line($0)),\nseg.ts\n", type: "application/vnd.apple.mpegurl")
    },
    ground("token-error", "auth: \(grant)") {
      response(
        "400 Bad", "{\"error\":\"a\",\"error_description\":\"\(HuntedEncoding.json($0))\"}", type: "application/json")
    },
    ground("token-code", "auth: \(grant)") {
      response("400 Bad", "{\"error\":\"\(HuntedEncoding.json($0))\"}", type: "application/json")
    },
    ground("token-type", "auth: \(grant)") {
      response(
        "200 OK", "{\"access_token\":\"t\",\"token_type\":\"\(HuntedEncoding.json($0))\"}", type: "application/json")
    },
    ground("token-name", "auth: \(grant)") {
      response("200 OK", "{\"\(HuntedEncoding.json($0))\":1}", type: "application/json")
    },
    ground("token-status", "auth: \(grant)") { response("500 Broken", "it broke: \($0)", type: "text/plain") },
    ground("token-redirect", "auth: \(grant)") { redirect("/again/\($0)") },
    ground("disposition", "download: {to: files/, sha256: \(String(repeating: "ab", count: 32))}") {
      isLine($0)
        ? "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"\($0)\"\r\nContent-Length: 1\r\n\r\nx" : nil
    },
    ground("long-disposition", "download: {to: files/}") {
      // Of a path only the last segment is the name.
      isLine($0) && !$0.contains("/") && !$0.contains("\\")
        ? "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"\(String(repeating: "p", count: 190))\($0).txt\"\r\n"
          + "Content-Length: 1\r\n\r\nx" : nil
    },
    ground("captured", "capture: {seen: $.k, gone: $.none}") { json("{\"k\":\"\($0)\"}", from: $0) },
    ground("snapshot", "expect: {snapshot: true}") { text("it is \($0) there") },
    ground("broken-length", "expect: {status: 200}") {
      isLine($0) ? "HTTP/1.1 200 OK\r\nContent-Length: \($0)\r\n\r\n" : nil
    },
    ground("trailer", "expect: {status: 201}") {
      isLine($0)
        ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n2\r\nok\r\n0\r\nX-End: \($0)\r\n\r\n"
        : nil
    },
    ground("status-line", "expect: {status: 200}") { isLine($0) ? "HTTP/1.1 \($0) 200\r\n\r\n" : nil },
  ]

  /// A grant whose token endpoint is the URL of the request.
  private static let grant =
    "{oauth2: {grant_type: client_credentials, token_url: \"${{ env.SERVER }}@\", client_id: a, client_secret: b}}"

  /// Where a spec puts a secret of its own: names of requests, and the rest of each.
  static func ownPlaces(_ secret: String) -> [(name: String, request: String)] {
    [
      ("header", "headers: {X-T: \"a \(secret)\"}"), ("cookie", "cookies: {sid: \"\(secret)\"}"),
      ("query", "query: {q: \"a \(secret)\", \"\(secret)\": 1}"),
      ("form", "method: POST, form: {f: \"a \(secret)\", \"\(secret)\": 1}"),
      ("json", "method: POST, json: {j: [\"\(secret)\"], \"\(secret)\": 1}"),
      ("multipart", "method: POST, multipart: {m: \"\(secret)\"}"),
      ("basic", "auth: {basic: {username: \"\(secret)\", password: \"\(secret)\"}}"),
      ("digest", "auth: {digest: {username: a, password: \"\(secret)\"}}"),
      ("bearer", "auth: {bearer: \"\(secret)\"}"), ("path", "path: {p: \"\(secret)\"}"),
      ("graphql", "method: POST, graphql: {query: \"{a}\", variables: {v: \"\(secret)\"}}"),
    ]
  }

  private static func ground(
    _ name: String, _ request: String, _ response: @escaping @Sendable (String) -> String?
  ) -> HuntingGround {
    HuntingGround(name: name, response: response, request: request)
  }

  private static func isLine(_ text: String) -> Bool { !text.utf8.contains { $0 < 0x20 } }
  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\t" }))
  }

  private static func header(_ name: String, _ value: String) -> String? {
    isLine(value) ? "HTTP/1.1 200 OK\r\n\(name): \(value)\r\nContent-Length: 0\r\n\r\n" : nil
  }

  private static func redirect(_ location: String) -> String? {
    isLine(location) ? "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n" : nil
  }

  private static func text(_ body: String, type: String = "text/plain; charset=utf-8") -> String? {
    isLine(type) ? response("200 OK", body, type: type) : nil
  }

  /// A document in whose strings the text can stand as it is.
  private static func json(_ body: String, from text: String) -> String? {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8))) == nil
      ? nil : response("200 OK", body, type: "application/json")
  }

  private static func response(_ status: String, _ body: String, type: String) -> String? {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}
