import LocalServer
import Values

/// A small API with state.
let resourceRoutes: [Route] = [
  Route("POST", "/api/login", "A bearer token for {username: ann, password: secret-password}") { login($0) },
  Route("GET", "/api/users", "Users by ?page=, ?limit= (20) and ?role=") { listUsers($0) },
  Route("POST", "/api/users", "Adds a user; needs a token") { call in authorized(call) { addUser(call) } },
  Route("GET", "/api/users/{id}", "One user, with its ETag") { call in
    withUser(call) { contents, index in
      let user = contents.users[index]
      return (precondition(call.request, entityTag: user.entityTag) ?? .json(user.value))
        .with("ETag", user.entityTag)
    }
  },
  Route("PUT", "/api/users/{id}", "Replaces a user; needs a token, heeds If-Match") { call in
    authorized(call) { changeUser(call, isPartial: false) }
  },
  Route("PATCH", "/api/users/{id}", "Changes members of a user; needs a token, heeds If-Match") { call in
    authorized(call) { changeUser(call, isPartial: true) }
  },
  Route("DELETE", "/api/users/{id}", "Removes a user; needs a token, heeds If-Match") { call in
    authorized(call) {
      withUser(call) { contents, index in
        if let refusal = precondition(call.request, entityTag: contents.users[index].entityTag) { return refusal }
        contents.users.remove(at: index)
        return ServerResponse(status: 204)
      }
    }
  },
  Route("POST", "/api/reset", "Makes everything as it was at the start") { call in
    call.state.withContents { $0 = DemoState.Contents() }
    return ServerResponse(status: 204)
  },
  Route("GET", "/api/jobs/{id}", "A job that is done at the fourth time it is asked for") { job($0) },
  Route("GET", "/api/flaky", "503 the first ?fail= (2) times for each ?key=, then 200") { flaky($0) },
]

private func login(_ call: RouteCall) -> ServerResponse {
  guard case .mapping(let sent)? = call.request.jsonBody, sent["username"] == .text("ann"),
    sent["password"] == .text("secret-password")
  else { return .problem(401, "the user name or the password is wrong") }
  let token = "demo-" + hexEncoded((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  call.state.withContents { contents in
    if contents.tokens.count >= DemoState.nameLimit { contents.tokens = [] }
    contents.tokens.insert(token)
  }
  return .json(
    .object([("access_token", .text(token)), ("token_type", .text("Bearer")), ("expires_in", .integer(3600))]))
}

private let userLimit = 10_000
/// The maximum size in bytes of the JSON of a user or an order.
private let authorizedSizeLimit = 4 << 10

func authorized(_ call: RouteCall, _ body: () -> ServerResponse) -> ServerResponse {
  guard call.request.body.count <= authorizedSizeLimit else {
    return .problem(413, "a body may have at most \(authorizedSizeLimit) bytes")
  }
  let token = bearerToken(call.request)
  guard let token, call.state.withContents({ $0.tokens.contains(token) }) else {
    let challenge = token == nil ? "Bearer" : "Bearer error=\"invalid_token\""
    return .problem(401, "POST /api/login gives the bearer token that this needs").with("WWW-Authenticate", challenge)
  }
  return body()
}

private func listUsers(_ call: RouteCall) -> ServerResponse {
  let request = call.request
  guard let page = Int(request.parameter("page") ?? "1"), let limit = Int(request.parameter("limit") ?? "20"),
    (1...1_000_000).contains(page), (1...100).contains(limit)
  else { return .problem(400, "page is a number from 1, limit one from 1 to 100") }
  let role = request.parameter("role")
  let all = call.state.withContents { $0.users }.filter { role == nil || $0.text("role") == role }
  let items = all.dropFirst((page - 1) * limit).prefix(limit)
  let last = max(1, (all.count + limit - 1) / limit)
  func url(_ page: Int) -> String {
    let query = "page=\(page)&limit=\(limit)"
    return request.baseURL + request.path + "?"
      + (role.map { "\(query)&role=\(percentEncoded($0, allowed: .unreserved))" } ?? query)
  }
  let next = page < last ? url(page + 1) : nil
  var links = ["<\(url(1))>; rel=\"first\"", "<\(url(last))>; rel=\"last\""]
  if page > 1 { links.insert("<\(url(page - 1))>; rel=\"prev\"", at: 0) }
  if let next { links.insert("<\(next)>; rel=\"next\"", at: 0) }
  let members: [(String, Value)] = [
    ("items", .list(items.map(\.value))), ("page", .integer(page)), ("limit", .integer(limit)),
    ("total", .integer(all.count)), ("next", next.map { .text($0) } ?? .null),
  ]
  return .json(.object(members)).with("Link", links.joined(separator: ", "))
}

private func addUser(_ call: RouteCall) -> ServerResponse {
  let (fields, errors) = checkedUserFields(call.request.jsonBody, isPartial: false)
  guard errors.isEmpty else { return invalid(errors) }
  return call.state.withContents { contents in
    guard contents.users.count < userLimit else { return .problem(507, "there are at most \(userLimit) users") }
    var user = User(id: contents.nextUserID, members: fields)
    guard !contents.users.contains(where: { $0.hasSameEmail(as: user) }) else { return emailTaken(user) }
    user.members["created"] = .text(now())
    contents.nextUserID += 1
    contents.users.append(user)
    return .json(user.value, status: 201).with("Location", "/api/users/\(user.id)").with("ETag", user.entityTag)
  }
}

private func changeUser(_ call: RouteCall, isPartial: Bool) -> ServerResponse {
  let sent = call.request.jsonBody
  return withUser(call) { contents, index in
    var user = contents.users[index]
    if let refusal = precondition(call.request, entityTag: user.entityTag) { return refusal }
    let (fields, errors) = checkedUserFields(sent, isPartial: isPartial, before: user.members)
    guard errors.isEmpty else { return invalid(errors) }
    user.members = fields
    user.version += 1
    guard !contents.users.contains(where: { $0.id != user.id && $0.hasSameEmail(as: user) }) else {
      return emailTaken(user)
    }
    contents.users[index] = user
    return .json(user.value).with("ETag", user.entityTag)
  }
}

/// Responds with the user that the path names.
private func withUser(
  _ call: RouteCall, _ body: (inout DemoState.Contents, Int) -> ServerResponse
) -> ServerResponse {
  call.state.withContents { contents in
    guard let id = Int(call["id"]), let index = contents.users.firstIndex(where: { $0.id == id }) else {
      return .problem(404, "there is no user \"\(call["id"])\"")
    }
    return body(&contents, index)
  }
}

private func invalid(_ errors: [UserFieldError]) -> ServerResponse {
  .problem(
    422, "the user is not valid",
    [
      ("errors", .list(errors.map { .object([("field", .text($0.field)), ("message", .text($0.message))]) }))
    ])
}

private func emailTaken(_ user: User) -> ServerResponse {
  .problem(409, "the e-mail address \(user.text("email") ?? "") is taken")
}

extension User {
  fileprivate func hasSameEmail(as other: User) -> Bool {
    text("email")?.lowercased() == other.text("email")?.lowercased()
  }
}

private func job(_ call: RouteCall) -> ServerResponse {
  let id = call["id"]
  guard id.utf8.count <= DemoState.nameLengthLimit else { return .nameTooLong }
  let polls = call.state.count(id, in: \.jobPolls)
  let isDone = polls >= 4
  return .json(
    .object([
      ("id", .text(id)), ("status", .text(isDone ? "done" : polls == 1 ? "queued" : "running")),
      ("progress", .integer(min(100, (polls - 1) * 34))),
      ("result", isDone ? .object([("lines", .integer(42))]) : .null),
    ]))
}

private func flaky(_ call: RouteCall) -> ServerResponse {
  let key = call.request.parameter("key") ?? "default"
  let failures = call.request.parameter("fail").flatMap { Int($0) } ?? 2
  guard key.utf8.count <= DemoState.nameLengthLimit else { return .nameTooLong }
  let calls = call.state.count(key, in: \.flakyCalls)
  guard calls > failures else { return .problem(503, "failure \(calls) of \(failures) for the key \"\(key)\"") }
  return .json(.object([("key", .text(key)), ("attempts", .integer(calls))]))
}
