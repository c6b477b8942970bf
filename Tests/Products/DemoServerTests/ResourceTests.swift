import LocalServer
import DemoServer
import Testing

@Suite struct ResourceTests {
  let server: HTTPServer
  let users: String

  init() throws {
    server = try DemoAPI.start()
    users = "\(server.address)/api/users"
  }

  private func authorization() async throws -> [(String, String)] {
    let response = try await send(
      "POST", "\(server.address)/api/login", json: #"{"username":"ann","password":"secret-password"}"#)
    #expect(response.status == 200)
    #expect(response.value("token_type") == "Bearer")
    #expect(response.value("expires_in") == "3600")
    return [("Authorization", "Bearer \(response.value("access_token") ?? "")")]
  }

  @Test("a wrong password is a problem") func wrongPassword() async throws {
    let response = try await send(
      "POST", "\(server.address)/api/login", json: #"{"username":"ann","password":"x"}"#)
    #expect(response.status == 401)
    #expect(response.header("Content-Type") == "application/problem+json")
  }

  @Test("writing needs a token that the server gave") func tokens() async throws {
    let none = try await send("POST", users, json: "{}")
    #expect(none.status == 401)
    #expect(none.header("WWW-Authenticate") == "Bearer")
    let wrong = try await send("DELETE", "\(users)/1", headers: [("Authorization", "Bearer demo-0")])
    #expect(wrong.status == 401)
    #expect(wrong.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
  }

  @Test("lists are paged, filtered, and link to the next page") func pages() async throws {
    let all = try await send("GET", users)
    #expect(all.value("total") == "5")
    #expect(all.value("next") == "null")
    #expect(all.text.contains("\"balance\": 10.50"))
    let page = try await send("GET", "\(users)?page=2&limit=2")
    #expect(page.value("items.0.id") == "3")
    #expect(page.value("items.2") == nil)
    #expect(page.value("next") == "\(users)?page=3&limit=2")
    #expect(page.header("Link")?.contains("<\(users)?page=3&limit=2>; rel=\"next\"") == true)
    let last = try await send("GET", "\(users)?page=3&limit=2")
    #expect(last.value("next") == "null")
    #expect(last.header("Link")?.contains("rel=\"next\"") == false)
    #expect(try await send("GET", "\(users)?role=viewer").value("total") == "2")
    #expect(try await send("GET", "\(users)?limit=0").status == 400)
  }

  @Test("a user lives from POST to DELETE") func lifeCycle() async throws {
    let token = try await authorization()
    let created = try await send(
      "POST", users, headers: token, json: #"{"name":"Finn","email":"finn@example.com","balance":0.10}"#)
    #expect(created.status == 201)
    #expect(created.header("Location") == "/api/users/6")
    #expect(created.header("ETag") == "\"user-6-1\"")
    #expect(created.value("role") == "viewer")
    #expect(created.text.contains("\"balance\": 0.10"))

    let unchanged = try await send("GET", "\(users)/6", headers: [("If-None-Match", "\"user-6-1\"")])
    #expect(unchanged.status == 304)
    let patched = try await send("PATCH", "\(users)/6", headers: token, json: #"{"role":"editor"}"#)
    #expect(patched.status == 200)
    #expect(patched.value("role") == "editor")
    #expect(patched.value("name") == "Finn")
    #expect(patched.header("ETag") == "\"user-6-2\"")
    let outdated = try await send(
      "PATCH", "\(users)/6", headers: token + [("If-Match", "\"user-6-1\"")], json: #"{"role":"admin"}"#)
    #expect(outdated.status == 412)
    let replaced = try await send(
      "PUT", "\(users)/6", headers: token, json: #"{"name":"Fay","email":"fay@example.com"}"#)
    #expect(replaced.value("name") == "Fay")
    #expect(replaced.value("role") == "viewer")

    #expect(try await send("DELETE", "\(users)/6", headers: token).status == 204)
    #expect(try await send("GET", "\(users)/6").status == 404)
    #expect(try await send("DELETE", "\(users)/6", headers: token).status == 404)
  }

  @Test("what is not valid is told by field, a taken e-mail address is a conflict") func refusals() async throws {
    let token = try await authorization()
    let invalid = try await send(
      "POST", users, headers: token, json: #"{"email":"nowhere","role":"king","balance":"1","colour":"red"}"#)
    #expect(invalid.status == 422)
    let fields = (0..<5).compactMap { invalid.value("errors.\($0).field") }
    #expect(fields == ["name", "email", "role", "balance", "colour"])
    #expect(try await send("POST", users, headers: token, json: "[").status == 422)
    let taken = #"{"name":"Ann","email":"ANN@example.com"}"#
    #expect(try await send("POST", users, headers: token, json: taken).status == 409)
    #expect(try await send("PUT", "\(users)/2", headers: token, json: taken).status == 409)
    #expect(try await send("PUT", "\(users)/1", headers: token, json: taken).status == 200)
  }

  @Test("reset makes it as it was, tokens included") func reset() async throws {
    let token = try await authorization()
    #expect(try await send("DELETE", "\(users)/1", headers: token).status == 204)
    #expect(try await send("POST", "\(server.address)/api/reset").status == 204)
    #expect(try await send("GET", "\(users)/1").value("name") == "Ann Lindgren")
    #expect(try await send("DELETE", "\(users)/1", headers: token).status == 401)
  }

  @Test("a job is done in the end") func job() async throws {
    var statuses: [String?] = []
    for _ in 0..<5 { statuses.append(try await send("GET", "\(server.address)/api/jobs/7").value("status")) }
    #expect(statuses == ["queued", "running", "running", "done", "done"])
    #expect(try await send("GET", "\(server.address)/api/jobs/8").value("result") == "null")
  }

  @Test("flaky fails so many times for each key") func flaky() async throws {
    var statuses: [Int] = []
    for _ in 0..<4 { statuses.append(try await send("GET", "\(server.address)/api/flaky?fail=2&key=x").status) }
    #expect(statuses == [503, 503, 200, 200])
    #expect(try await send("GET", "\(server.address)/api/flaky?fail=1&key=y").status == 503)
  }
}
