import LocalServer
import Values

/// Bodies of many media types and codings.
let contentRoutes: [Route] = [
  Route("GET", "/gzip", "JSON in gzip") { call in
    coded(call, member: "gzipped", coding: "gzip", gzipStored)
  },
  Route("GET", "/deflate", "JSON in deflate (the zlib format)") { call in
    coded(call, member: "deflated", coding: "deflate", zlibStored)
  },
  Route("GET", "/html", "A page") { _ in .bytes(PackageResources.page_html, type: "text/html; charset=utf-8") },
  Route("GET", "/xml", "A document with attributes and a namespace") { _ in
    .bytes(PackageResources.page_xml, type: "application/xml")
  },
  Route("GET", "/json", "A document with lists, numbers and null") { _ in
    .bytes(PackageResources.page_json, type: "application/json")
  },
  Route("GET", "/encoding/utf8", "Text of many scripts") { _ in
    .bytes(PackageResources.unicode_html, type: "text/html; charset=utf-8")
  },
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
) -> ServerResponse {
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
