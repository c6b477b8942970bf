import HTTPSemantics
import RequestSpecs
import Testing

@Suite struct SelectionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var tags: [String] = []
    var excludedTags: [String] = []
    var pattern: String?
    var lines: [Int] = []
    /// Names of the requests that run; those brought along in parentheses.
    let expected: String

    init(
      _ name: String, tags: [String] = [], excludedTags: [String] = [], pattern: String? = nil, lines: [Int] = [],
      _ expected: String
    ) {
      testDescription = name
      (self.tags, self.excludedTags, self.pattern, self.lines) = (tags, excludedTags, pattern, lines)
      self.expected = expected
    }
  }

  static let cases: [Case] = [
    Case("all", "(before) login users item rest (after)"),
    Case("a tag brings along what it reads", tags: ["read"], "(before) (login) users (after)"),
    Case("a chain of captures", tags: ["item"], "(before) (login) (users) item (after)"),
    Case("tags are alternatives", tags: ["auth", "rest"], "(before) login rest (after)"),
    Case("an excluded tag wins", tags: ["auth", "rest"], excludedTags: ["rest"], "(before) login (after)"),
    Case(
      "excluded requests are still brought along", tags: ["read"], excludedTags: ["auth"],
      "(before) (login) users (after)"),
    Case("a tag of nobody", tags: ["nobody"], ""),
    Case("a part of a name, whatever its case", pattern: "USE", "(before) (login) users (after)"),
    Case("a pattern matches the whole name", pattern: "u*", "(before) (login) users (after)"),
    Case("any one character", pattern: "res?", "(before) rest (after)"),
    Case("one character is not none", pattern: "rest?", ""),
    Case("a line of a request", lines: [9], "(before) (login) users (after)"),
    Case("several lines", lines: [5, 14], "(before) login rest (after)"),
    Case("the line of a list is all of it", lines: [3], "(before) login users item rest (after)"),
    Case("setup by itself", lines: [2], "before"),
    Case("teardown by itself, by its list", lines: [16], "after"),
    Case("teardown by itself, by name", pattern: "aft", "after"),
    Case("setup and teardown", lines: [1, 17], "before after"),
    Case("teardown with a request is as always", lines: [5, 17], "(before) login (after)"),
    Case("a tag never means setup by itself", tags: ["nobody"], pattern: "before", ""),
  ]

  private static let spec = """
    setup:
      - {name: before, url: http://h}
    requests:
      - name: login
        tags: [auth]
        url: http://h/login
        capture: {token: $.token}
      - name: users
        tags: [read]
        url: http://h/users/${{ token }}
        capture: {id: $.id}
      - {name: item, tags: item, url: "http://h/${{ id }}"}
      - name: rest
        tags: [rest]
        url: http://h
    teardown:
      - {name: after, url: "http://h/${{ token }}"}

    """

  @Test(arguments: cases)
  func selects(_ test: Case) throws {
    var planning = Planning()
    planning.options.tags = test.tags
    planning.options.excludedTags = test.excludedTags
    planning.options.namePattern = test.pattern
    planning.lines = test.lines
    let plan = try #require(try planning.plan(SelectionTests.spec).plan)
    let names = plan.requestSteps.map { $0.isSelected ? $0.request.staticName : "(\($0.request.staticName))" }
    #expect(names.joined(separator: " ") == test.expected)
  }

  static let flowCases = [
    Case("everything", "(before) (begin) login users (end) other (after)"),
    Case("a flow by its name", pattern: "an admin", "(before) (begin) login users (end) (after)"),
    Case("a flow by its tag", tags: ["slow"], "(before) other (after)"),
    Case("what a request needs is in its flow", pattern: "users", "(before) (begin) (login) users (end) (after)"),
    Case("a line of a flow", lines: [4], "(before) (begin) login users (end) (after)"),
    Case("a line of a request in it", lines: [10], "(before) (begin) (login) users (end) (after)"),
    Case("the line of the list is all of it", lines: [3], "(before) (begin) login users (end) other (after)"),
    Case("setup of a flow by itself", pattern: "begin", "begin"),
    Case("the file's setup by itself", lines: [1], "before"),
  ]

  private static let flows = """
    setup:
      - {name: before, url: http://h}
    flows:
      - name: an admin
        setup:
          - {name: begin, url: http://h}
        requests:
          - {name: login, url: http://h, capture: {token: $.token}}
          # users
          - {name: users, url: "http://h/${{ token }}"}
        teardown:
          - {name: end, url: http://h}
      - name: a guest
        tags: [slow]
        requests:
          - {name: other, url: http://h, capture: {token: $.token}}
    teardown:
      - {name: after, url: http://h}

    """

  @Test(arguments: flowCases)
  func selectsInFlows(_ test: Case) throws {
    var planning = Planning()
    planning.options.tags = test.tags
    planning.options.namePattern = test.pattern
    planning.lines = test.lines
    let plan = try #require(try planning.plan(SelectionTests.flows).plan)
    let names = plan.requestSteps.map { $0.isSelected ? $0.request.staticName : "(\($0.request.staticName))" }
    #expect(names.joined(separator: " ") == test.expected)
  }

  @Test(arguments: [
    ([18], "warning: no request stands at line 18 of spec.yaml | the nearest request begins at line 13"),
    (
      [5, 2],
      "warning: line 2 of spec.yaml belongs to `setup`, which runs with any request | the nearest request begins at line 4"
    ),
  ])
  func aLineWithoutARequestIsTold(lines: [Int], message: String) throws {
    var planning = Planning()
    planning.lines = lines
    #expect(try planning.plan(SelectionTests.spec).messages == [message])
  }

  @Test func aRequestWithoutANameIsFoundByMethodAndURL() throws {
    var planning = Planning()
    planning.options.namePattern = "post */a"
    let plan = try planning.plan("requests:\n  - {url: http://h/a, body: x}\n  - url: http://h/a\n").plan
    #expect(plan?.requestSteps.map(\.request.staticName) == ["POST http://h/a"])
  }
}

@Suite("The tree of steps") struct StepTreeTests {
  @Test("a stream holds the requests that are sent while it is open")
  func nested() throws {
    var planning = Planning()
    let spec = """
      setup: [{name: login, url: http://h}]
      requests:
        - name: stream
          url: http://h
          stream: {timeout: 1s, during: [{name: a, url: http://h}, {name: b, url: http://h}]}
        - {name: last, url: http://h}

      """
    let plan = try #require(try planning.plan(spec).plan)
    #expect(plan.topRequests.map(\.request.staticName) == ["login", "stream", "last"])
    #expect(plan.topRequests.map { $0.children.map(\.request.staticName) } == [[], ["a", "b"], []])
    // Those within a step are done before it is.
    #expect(plan.requestSteps.map(\.request.staticName) == ["login", "a", "b", "stream", "last"])
    planning.options.namePattern = "b"
    let selected = try #require(try planning.plan(spec).plan)
    #expect(selected.topRequests.map { $0.children.map(\.request.staticName) } == [[], ["a", "b"]])
    #expect(selected.selectedCount == 1)
  }
}

@Suite struct TransportChoiceTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let request: String
    let expected: TransportKind
    let reason: String

    init(_ name: String, _ request: String, _ expected: TransportKind, _ reason: String) {
      (testDescription, self.request, self.expected, self.reason) = (name, request, expected, reason)
    }
  }

  private static let able = "URLSession is sound here and can do all that the file needs"

  static let cases: [Case] = [
    Case("a plain request", "url: http://h", .urlsession, able),
    Case(
      "a header several times", "url: http://h\nheaders: {a: [1, 2]}", .curl,
      "URLSession lacks a header sent several times: it joins them"),
    Case("a header in a list of one", "url: http://h\nheaders: {a: [1]}", .urlsession, able),
    Case(
      "a header of the transport's own", "url: http://h\nbody: a\nheaders: {Expect: 100-continue}", .curl,
      "URLSession lacks its own Content-Length, Transfer-Encoding or Expect header: it sets them"),
    Case(
      "a request target", "url: http://h\nrequest_target: '*'", .curl,
      "URLSession lacks a request target of its own: it has none"),
    Case(
      "a body on GET", "url: http://h\nmethod: GET\nbody: a\nbody_on_get: true", .curl,
      "URLSession lacks a body on GET or HEAD: it refuses"),
    Case("a body on GET that is only allowed", "url: http://h\nbody_on_get: true", .urlsession, able),
    Case(
      "a short timeout", "url: http://h\ntimeout: 200ms", .curl,
      "URLSession lacks timeouts below a second: its clock is coarse"),
    Case("an IPv6 address", "url: http://[::1]/", .curl, "URLSession lacks an IPv6 address in the URL: it refuses"),
    Case(
      "details of the response", "url: http://h\nexpect: {http_version: 2}", .curl,
      "URLSession lacks the response's HTTP version and address: it tells neither"),
    Case("asked for", "url: http://h\ntransport: curl", .curl, "asked for by `transport`"),
  ]

  @Test(arguments: cases)
  func whereURLSessionIsSound(_ test: Case) throws {
    var planning = Planning()
    planning.capabilities = [Platforms.sound, Platforms.curl]
    let decision = try planning.step(test.request + "\n").transport
    let isUsual = !test.reason.hasPrefix("URLSession lacks")
    #expect(decision == TransportDecision(kind: test.expected, reason: test.reason, isUsual: isUsual))
  }

  @Test(arguments: [("get", TransportKind.curl), ("Delete", .curl), ("patch", .urlsession), ("GET", .urlsession)])
  func letterCaseOfTheMethod(_ method: String, _ expected: TransportKind) throws {
    var planning = Planning()
    planning.capabilities = [Platforms.sound, Platforms.curl]
    let plan = try planning.plan("url: http://h\nmethod: \(method)\n").plan
    #expect(plan?.requestSteps.map(\.transport.kind) == [expected])
  }

  @Test func whereURLSessionIsNotSound() throws {
    let decision = try Planning().step("url: http://h\n").transport
    #expect(decision == TransportDecision(kind: .curl, reason: "URLSession is not sound here: it ends the process"))
  }

  @Test func theCommandWins() throws {
    var planning = Planning()
    planning.options.transport = .urlsession
    let decision = try planning.step("url: http://h\ntransport: curl\n").transport
    #expect(decision == TransportDecision(kind: .urlsession, reason: "asked for by --transport"))
  }

  @Test func onceForTheWholeFile() throws {
    var planning = Planning()
    planning.capabilities = [Platforms.sound, Platforms.curl]
    let plan = try planning.plan(
      "requests:\n  - url: http://h\n  - {url: http://h, request_target: /a}\n  - {url: http://h, transport: urlsession}\n"
    ).plan
    #expect(plan?.requestSteps.map(\.transport.kind) == [.curl, .curl, .urlsession])
  }

  @Test func whatATransportCannotDoIsAnErrorWhereItIsAskedFor() throws {
    let result = try Planning().plan("url: http://h\ntransport: urlsession\nrequest_target: «/a»\n")
    #expect(
      result.messages == [
        "the urlsession transport lacks a request target of its own here: it has none | write `transport: auto`"
      ])
    #expect(result.diagnostics.compactMap { $0.range?.bytes } == result.marks)
  }
}
