import LocalServer
import HTTPSemantics
import Values

/// Endpoints that return the request.
let echoRoutes: [Route] = [
  Route("GET", "/get", "The query, headers and URL of a GET") { .json(echo($0.request, ["args", "headers"])) },
  Route("POST", "/post", "The request, with its body as data, form, files and json") {
    .json(echo($0.request, bodyMembers))
  },
  Route("PUT", "/put", "The same for PUT") { .json(echo($0.request, bodyMembers)) },
  Route("PATCH", "/patch", "The same for PATCH") { .json(echo($0.request, bodyMembers)) },
  Route("DELETE", "/delete", "The same for DELETE") { .json(echo($0.request, bodyMembers)) },
  Route(RouteTable.everyMethod, "/anything/{path…}", "The request, also its method and its headers as received") {
    .json(echo($0.request, bodyMembers + ["method", "raw_headers"]))
  },
  Route("GET", "/headers", "The headers") { .json(echo($0.request, ["headers"], always: [])) },
  Route("GET", "/ip", "The client's address") { .json(echo($0.request, [], always: ["origin"])) },
  Route("GET", "/user-agent", "The User-Agent header") { call in
    .json(.object([("user-agent", call.request.header("User-Agent").map { .text($0) } ?? .null)]))
  },
  Route(RouteTable.everyMethod, "/delay/{seconds}", "The request, after a delay in seconds (fractions too, at most 10)")
  {
    guard let seconds = Double($0["seconds"]), seconds >= 0 else {
      return .problem(400, "the delay is a number of seconds, not \"\($0["seconds"])\"")
    }
    var response = ServerResponse.json(echo($0.request, bodyMembers))
    response.delay = .seconds(min(seconds, 10))
    return response
  },
]

private let bodyMembers = ["args", "data", "files", "form", "headers", "json"]

/// The members of that name in alphabetical order, as httpbin has them.
func echo(_ request: ServerRequest, _ members: [String], always: [String] = ["origin", "url"]) -> Value {
  let body = ReceivedBody(request)
  return .object(
    (members + always).sorted().map { name in
      let value: Value =
        switch name {
        case "args": .grouped(request.queryParameters)
        case "data": dataText(body.data, type: "application/octet-stream")
        case "files": body.files
        case "form": .grouped(body.form)
        case "headers": headerValue(request)
        case "json": body.json
        case "method": .text(request.method)
        case "origin": .text("127.0.0.1")
        case "raw_headers": .list(request.headers.map { .text("\($0.name): \($0.value)") })
        default: .text(request.url)
        }
      return (name, value)
    })
}

/// The headers by name in title case, repeated ones joined by a comma.
private func headerValue(_ request: ServerRequest) -> Value {
  var mapping = Mapping()
  for (name, value) in request.headers {
    let title = name.split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined(separator: "-")
    if case .text(let before)? = mapping[title] {
      mapping[title] = .text("\(before.string),\(value)")
    } else {
      mapping[title] = .text(value)
    }
  }
  mapping.members.sort { $0.key.string < $1.key.string }
  return .mapping(mapping)
}

/// Bytes as text, or as a `data:` URL if they aren't UTF-8.
private func dataText(_ bytes: [UInt8], type: String) -> Value {
  String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .text("data:\(type);base64,\(base64Encoded(bytes))")
}

/// A body, parsed according to its content type.
private struct ReceivedBody {
  var data: [UInt8] = []
  var form: [(name: String, value: String)] = []
  var files = Value.object([])
  var json = Value.null

  /// The limit in bytes; longer bodies are returned unparsed.
  private static let limit = 8 << 20

  init(_ request: ServerRequest) {
    guard request.body.count <= ReceivedBody.limit else {
      data = request.body
      return
    }
    switch request.mediaType {
    case "application/x-www-form-urlencoded":
      form = formParameters(String(decoding: request.body, as: UTF8.self))
    case "multipart/form-data":
      guard let boundary = headerParameter("boundary", of: request.header("Content-Type") ?? "") else { fallthrough }
      var files: [(name: String, value: Value)] = []
      for part in multipartParts(request.body, boundary: boundary) {
        guard part.filename != nil else {
          form.append((part.name, String(decoding: part.content, as: UTF8.self)))
          continue
        }
        files.append((part.name, dataText(part.content, type: part.contentType)))
      }
      self.files = .grouped(files)
    default:
      data = request.body
      json = request.jsonBody ?? .null
    }
  }
}
