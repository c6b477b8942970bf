import LocalServer
import DemoServer
import Testing

@Suite struct ServerTests {
  @Test("unknown paths and methods are told as problems") func problems() async throws {
    let server = try DemoAPI.start()
    let missing = try await send("GET", "\(server.address)/nowhere")
    #expect(missing.status == 404)
    #expect(missing.header("Content-Type") == "application/problem+json")
    #expect(missing.value("detail") == "there is no endpoint /nowhere; GET / lists them all")
    let refused = try await send("POST", "\(server.address)/get")
    #expect(refused.status == 405)
    #expect(refused.header("Allow") == "GET, HEAD, OPTIONS")
    #expect(refused.value("title") == "Method Not Allowed")
  }

  @Test("HEAD has the headers of GET and no body; OPTIONS tells the methods") func headAndOptions() async throws {
    let server = try DemoAPI.start()
    let get = try await send("GET", "\(server.address)/json")
    let head = try await send("HEAD", "\(server.address)/json")
    #expect(head.status == 200)
    #expect(head.body.isEmpty)
    #expect(head.header("Content-Length") == String(get.body.count))
    let options = try await send("OPTIONS", "\(server.address)/api/users/1")
    #expect(options.status == 200)
    #expect(options.header("Allow") == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
  }

  @Test("the landing page lists every endpoint") func landing() async throws {
    let server = try DemoAPI.start()
    let response = try await send("GET", server.address + "/")
    #expect(response.value("endpoints.0.path") == "/get")
    for path in ["/status/{code}", "/anything/{path…}", "/api/users/{id}"] { #expect(response.text.contains(path)) }
  }

  @Test("a delay holds up no other request") func delay() async throws {
    let server = try DemoAPI.start()
    let clock = ContinuousClock()
    let start = clock.now
    let answers = try await withThrowingTaskGroup(of: (path: String, status: Int).self) { group in
      for path in Array(repeating: "/delay/5", count: 40) + ["/get"] {
        group.addTask { (path, try await send("GET", server.address + path).status) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.allSatisfy { $0.status == 200 })
    #expect(answers.first?.path == "/get")
    // One after another they would take 200 seconds.
    let took = clock.now - start
    #expect(took >= .seconds(5) && took < .seconds(100))
  }

  @Test("a response that comes later has its delay, too") func later() async throws {
    let server = try HTTPServer.start("the server", port: 0) { _ in
      .later { respond in respond(ServerResponse(status: 204, delay: .milliseconds(400))) }
    }
    let start = ContinuousClock.now
    #expect(try await send("GET", server.address + "/").status == 204)
    #expect(ContinuousClock.now - start >= .milliseconds(400))
  }

  @Test("stopping ends what waits, and can be done again") func stop() async throws {
    let server = try DemoAPI.start()
    let url = "\(server.address)/delay/10"
    let start = ContinuousClock.now
    async let waiting = send("GET", url)
    try await Task.sleep(for: .milliseconds(300))
    server.stop()
    server.stop()
    // On a machine so busy that stopping came late, the delay was over before.
    let isEarly = ContinuousClock.now - start < .seconds(8)
    // Whether it still gets its response or none, it does not wait for the delay.
    _ = try? await waiting
    #expect(ContinuousClock.now - start < .seconds(8) || !isEarly)
    await #expect(throws: ClientError.self) { try await send("GET", url) }
  }

  @Test("a port in use is told with what to do") func portInUse() throws {
    let server = try DemoAPI.start()
    let port = try #require(server.address.split(separator: ":").last.flatMap { UInt16($0) })
    let error = #expect(throws: ServerError.self) { try DemoAPI.start(port: port) }
    #expect(error?.message == "the demo server cannot listen on 127.0.0.1:\(port): address already in use")
    #expect(error?.help != nil)
  }

  @Test("many requests at once are all answered, and servers share no state") func many() async throws {
    let (first, second) = (try DemoAPI.start(), try DemoAPI.start())
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask {
          let response = try await send("GET", "\(first.address)/get?n=\(number)")
          return response.value("args.n").flatMap { Int($0) } ?? -1
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == Set(0..<100))
    _ = try await send("GET", "\(first.address)/api/flaky?fail=1")
    #expect(try await send("GET", "\(first.address)/api/flaky?fail=1").status == 200)
    #expect(try await send("GET", "\(second.address)/api/flaky?fail=1").status == 503)
  }
}
