import Values

/// Bodies of many media types and codings.
let contentRoutes: [Route] = [
  Route("GET", "/gzip", "JSON in gzip") { call in
    coded(call, member: "gzipped", coding: "gzip", gzipStored)
  },
  Route("GET", "/deflate", "JSON in deflate (the zlib format)") { call in
    coded(call, member: "deflated", coding: "deflate", zlibStored)
  },
  Route("GET", "/html", "A page") { _ in .text(htmlPage, type: "text/html; charset=utf-8") },
  Route("GET", "/xml", "A document with attributes and a namespace") { _ in .text(xmlPage, type: "application/xml") },
  Route("GET", "/json", "A document with lists, numbers and null") { _ in .text(jsonPage, type: "application/json") },
  Route("GET", "/encoding/utf8", "Text of many scripts") { _ in .text(utf8Page, type: "text/html; charset=utf-8") },
  Route("GET", "/uuid", "A random UUID") { _ in .json(.object([("uuid", .text(randomUUID()))])) },
  Route("GET", "/base64/{value}", "The base64 or base64url text, decoded") { call in
    var text = call["value"].map { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }.joined()
    while text.utf8.count % 4 != 0 { text += "=" }
    guard let bytes = base64Decoded(text) else {
      return .problem(400, "\"\(call["value"])\" is not base64")
    }
    return .bytes(bytes, type: "text/html; charset=utf-8")
  },
  Route("GET", "/links/{n}/{offset}", "A page with n links") { call in
    guard let count = call.integer("n", 1...200), let offset = call.integer("offset", 0...200) else {
      return .problem(400, "the number of links is from 1 to 200, the offset from 0 to 200")
    }
    let links = (0..<count).map { $0 == offset ? "\($0)" : "<a href=\"/links/\(count)/\($0)\">\($0)</a>" }
    let page = "<html><head><title>Links</title></head><body>\(links.joined(separator: " "))</body></html>\n"
    return .text(page, type: "text/html; charset=utf-8")
  },
  Route("GET", "/links/{n}", "A redirect to the first page of n links") { call in
    .redirect(to: "/links/\(call["n"])/0")
  },
]

private func coded(
  _ call: RouteCall, member: String, coding: String, _ encode: ([UInt8]) -> [UInt8]
) -> DemoResponse {
  var members = [(member, Value.bool(true))]
  if case .mapping(let echoed) = echo(call.request, ["headers", "method"], always: ["origin"]) {
    members += echoed.members.map { ($0.key.string, $0.value) }
  }
  let text = Value.object(members).jsonText(.pretty).string + "\n"
  return .bytes(encode(Array(text.utf8)), type: "application/json").with("Content-Encoding", coding)
}

/// A random UUID (RFC 9562, version 4).
private func randomUUID() -> String {
  var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  let digits = hexEncoded(bytes)
  var groups: [Substring] = []
  var rest = digits[...]
  for length in [8, 4, 4, 4, 12] {
    groups.append(rest.prefix(length))
    rest = rest.dropFirst(length)
  }
  return groups.joined(separator: "-")
}

private let htmlPage = """
  <!DOCTYPE html>
  <html lang="en">
    <head><meta charset="utf-8"><title>The harbour</title></head>
    <body>
      <h1>The harbour</h1>
      <p class="lead">Ships come in with the tide &amp; leave with it.</p>
      <ul><li>Anna</li><li>Bertha</li><li>Clara</li></ul>
    </body>
  </html>

  """

private let xmlPage = """
  <?xml version="1.0" encoding="UTF-8"?>
  <catalogue xmlns:p="http://example.com/price" title="Sea charts">
    <chart id="1"><title>The bay</title><p:price currency="EUR">10.50</p:price></chart>
    <chart id="2"><title>The strait</title><p:price currency="EUR">24.00</p:price></chart>
  </catalogue>

  """

private let jsonPage = """
  {
    "catalogue": {
      "title": "Sea charts",
      "date": "2024-05-01",
      "publisher": null,
      "charts": [
        {"id": 1, "title": "The bay", "price": 10.50, "tags": ["coast", "shallow"]},
        {"id": 2, "title": "The strait", "price": 24.00, "tags": []}
      ]
    }
  }

  """

private let utf8Page = """
  <h1>Unicode</h1>
  <pre>
  Latin     Zwölf Boxkämpfer, dîner, piñata, łódź, þórr
  Greek     Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία
  Cyrillic  Съешь ещё этих мягких булок
  Hebrew    דג סקרן שט בים
  Arabic    صِف خَلقَ خَودِ
  Japanese  いろはにほへど
  Chinese   天地玄黃
  Korean    다람쥐 헌 쳇바퀴
  Maths     ∮ E⋅da = Q, n → ∞, ∑ f(i)
  Emoji     🚢 ⚓️ 👩‍🚀
  </pre>

  """
