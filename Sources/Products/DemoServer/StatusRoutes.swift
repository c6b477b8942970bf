import LocalServer
import Values

/// Statuses and redirects.
let statusRoutes: [Route] = [
  Route(RouteTable.everyMethod, "/status/{code}", "That status; of a list such as 503,200 the first") { call in
    let codes = call["code"].split(separator: ",").map { $0.prefix { $0 != ":" } }
    guard let code = codes.first.flatMap({ Int($0) }), (200...999).contains(code) else {
      return .problem(400, "a status is a number from 200 to 999, not \"\(call["code"])\"")
    }
    let response = ServerResponse(status: code, headers: [("Content-Type", "text/plain; charset=utf-8")])
    switch code {
    case 301, 302, 303, 305, 307, 308: return response.with("Location", "/redirect/1")
    case 401: return response.with("WWW-Authenticate", "Basic realm=\"demo\"")
    case 407: return response.with("Proxy-Authenticate", "Basic realm=\"demo\"")
    case 405: return response.with("Allow", "GET, HEAD, OPTIONS")
    default: return response
    }
  }
]

let redirectRoutes: [Route] = [
  Route("GET", "/redirect/{n}", "n redirects with relative locations, then /get") { call in
    redirect(call, to: "/redirect/")
  },
  Route("GET", "/relative-redirect/{n}", "The same") { redirect($0, to: "/relative-redirect/") },
  Route("GET", "/absolute-redirect/{n}", "n redirects with absolute locations, then /get") { call in
    redirect(call, to: "/absolute-redirect/", base: call.request.baseURL)
  },
  Route(RouteTable.everyMethod, "/redirect-to", "A redirect to ?url= with ?status_code= (302)") { call in
    guard let url = call.request.parameter("url") else {
      return .problem(400, "the parameter url is missing")
    }
    let status = call.request.parameter("status_code").flatMap { Int($0) } ?? 302
    return .redirect(to: url, status: (300..<400).contains(status) ? status : 302)
  },
]

private func redirect(_ call: RouteCall, to path: String, base: String = "") -> ServerResponse {
  guard let count = call.integer("n", 1...1000) else {
    return .problem(400, "the number of redirects is from 1 to 1000, not \"\(call["n"])\"")
  }
  return .redirect(to: base + (count == 1 ? "/get" : path + String(count - 1)))
}
