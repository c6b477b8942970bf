import LocalServer
import Values

/// Cookies and credentials.
let cookieRoutes: [Route] = [
  Route("GET", "/cookies", "The cookies") { call in
    .json(.object([("cookies", .grouped(call.request.cookies))]))
  },
  Route("GET", "/cookies/set", "Sets the cookies of the query, then redirects to /cookies") { call in
    setCookies(call.request.queryParameters)
  },
  Route("GET", "/cookies/set/{name}/{value}", "Sets that cookie, then redirects to /cookies") { call in
    setCookies([(call["name"], call["value"])])
  },
  Route("GET", "/cookies/delete", "Deletes the cookies that the query names, then redirects to /cookies") { call in
    call.request.queryParameters.reduce(ServerResponse.redirect(to: "/cookies")) { response, cookie in
      response.with("Set-Cookie", "\(cookie.name)=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/")
    }
  },
]

private func setCookies(_ cookies: [(name: String, value: String)]) -> ServerResponse {
  cookies.reduce(ServerResponse.redirect(to: "/cookies")) { response, cookie in
    response.with("Set-Cookie", "\(cookie.name)=\(cookie.value); Path=/")
  }
}

let authenticationRoutes: [Route] = [
  Route("GET", "/basic-auth/{user}/{passwd}", "200 with that user and password, 401 otherwise") { call in
    basicAuthentication(call)
      ?? ServerResponse.problem(401, "the Authorization header does not hold that user and password")
      .with("WWW-Authenticate", "Basic realm=\"demo\"")
  },
  Route("GET", "/hidden-basic-auth/{user}/{passwd}", "The same with 404 instead of 401") { call in
    basicAuthentication(call) ?? .problem(404, "there is no endpoint \(call.request.path); GET / lists them all")
  },
  Route("GET", "/bearer", "200 with any bearer token, 401 without") { call in
    guard let token = bearerToken(call.request) else {
      return .problem(401, "the Authorization header holds no bearer token").with("WWW-Authenticate", "Bearer")
    }
    return .json(.object([("authenticated", .bool(true)), ("token", .text(token))]))
  },
]

private func basicAuthentication(_ call: RouteCall) -> ServerResponse? {
  guard let credentials = credentials(call.request, scheme: "basic").flatMap({ base64Decoded($0) }),
    String(decoding: credentials, as: UTF8.self) == "\(call["user"]):\(call["passwd"])"
  else { return nil }
  return .json(.object([("authenticated", .bool(true)), ("user", .text(call["user"]))]))
}

func bearerToken(_ request: ServerRequest) -> String? {
  credentials(request, scheme: "bearer")
}

/// The credentials after the scheme in the Authorization header (RFC 9110, section 11.4); nil for another scheme or
/// none.
func credentials(_ request: ServerRequest, scheme: String) -> String? {
  guard let header = request.header("Authorization"), let space = header.firstIndex(of: " "),
    header[..<space].lowercased() == scheme
  else { return nil }
  let rest = header[space...].drop { $0 == " " }
  return rest.isEmpty ? nil : String(rest)
}
