import HTTPSemantics
import RequestSpecs
import Testing
import Values

@Suite struct MergingTests {
  private func names(_ entries: [KeyedSettings<ValueTemplate>.Entry]) -> [String] {
    entries.filter { $0.value != nil }.map { "\($0.key.text)=\($0.value?.literal?.asText.string ?? "?")" }
  }

  @Test func projectThenBasesThenFileThenRequest() throws {
    var planning = Planning()
    planning.project = "defaults: {headers: {P: p, X: p}, timeout: 1s}\n"
    planning.bases = ["defaults: {headers: {B: b, x: b}}\n", "defaults: {headers: {B: c}}\n"]
    let request = try planning.request(
      "defaults: {headers: {F: f, X: f}}\nrequests:\n  - {url: http://h, headers: {x: r}}\n")
    #expect(names(request.settings.headers.entries) == ["P=p", "x=r", "B=c", "F=f"])
    #expect(request.settings.timeout.resource.value?.literal == .seconds(1))
  }

  @Test("environments lie between the project and the files that a spec extends, the private file over the other")
  func environments() throws {
    var planning = Planning()
    planning.project = "defaults: {headers: {A: p, B: p, C: p, D: p, E: p}}\nvariables: {a: p, b: p, c: p}\n"
    planning.environment = [
      "defaults: {headers: {B: e, C: e, D: e, E: e}}\nvariables: {b: e, c: e}\nsecrets: {d: e}\n",
      "defaults: {headers: {C: m, D: m, E: m}}\nvariables: {c: m, d: m}\n",
    ]
    planning.bases = ["defaults: {headers: {D: b, E: b}}\n"]
    let plan = try #require(
      try planning.plan("defaults: {headers: {E: f}}\nrequests:\n  - {url: http://h}\n").plan)
    let settings = plan.requestSteps[0].request.settings
    #expect(names(settings.headers.entries) == ["A=p", "B=e", "C=m", "D=b", "E=f"])
    #expect(settings.headers.entries.map { $0.value?.literal?.isSecret } == [false, false, true, false, false])
    let shared = try #require(plan.sharedScope)
    #expect(names(shared.variables.entries) == ["a=p", "b=e", "c=m", "d=m", "environment=e"])
    #expect(shared.variables.entries.map { $0.value?.literal?.isSecret } == [false, false, true, true, false])
    #expect(shared.secrets.isEmpty)
    #expect(shared.path == "reqrun.yaml")
    #expect(plan.requestSteps[0].request.layer { $0.headers.entries.contains { $0.key.text == "C" } } == .environment)
  }

  @Test("a setting knows the layer that it comes from")
  func layers() throws {
    var planning = Planning()
    planning.project = "defaults: {timeout: 1s, auth: {bearer: p}, redirects: {max: 1}, headers: {P: p, X: p}}\n"
    planning.bases = ["defaults: {auth: {bearer: b}, redirects: {max: 2}, headers: {X: b}}\n"]
    let request = try planning.request(
      """
      defaults: {redirects: {max: 3}, delay: 0s}
      requests:
        - {url: http://h, auth: null, redirects: {keep_method: true}, headers: {x: r}}

      """)
    func mentions(_ name: String) -> (RequestSettings) -> Bool {
      { $0.headers.entries.contains { $0.key.text == name } }
    }
    #expect(request.layer { $0.url.isMentioned } == .request)
    #expect(request.layer { $0.auth.isMentioned } == .request)
    #expect(request.layer { $0.redirects.keepMethod.isMentioned } == .request)
    #expect(request.layer { $0.redirects.max.isMentioned } == .file)
    #expect(request.layer { $0.delay.isMentioned } == .file)
    #expect(request.layer(where: mentions("X")) == .extended)
    #expect(request.layer(where: mentions("P")) == .project)
    #expect(request.layer { $0.timeout.resource.isMentioned } == .project)
    #expect(request.layer { $0.validate.isMentioned } == nil)
  }

  @Test func nullRemoves() throws {
    let request = try Planning().request(
      """
      defaults:
        headers: {A: 1, B: 2}
        cookies: {a: 1}
        auth: {bearer: x}
        timeout: {connect: 1s, request: 2s}
        expect: {status: 200, headers: {x-id: 1}}
        encoding: {array: no_brackets, bool: numeric}
      requests:
        - url: http://h
          headers: {a: null}
          cookies: null
          auth: null
          timeout: {connect: null}
          expect: {headers: {X-Id: null}}
          encoding: {array: null}

      """)
    let settings = request.settings
    #expect(names(settings.headers.entries) == ["B=2"])
    #expect(settings.cookies.isEmpty)
    #expect(settings.auth.value == nil)
    #expect(settings.timeout.connect.value == nil)
    #expect(settings.timeout.request.value?.literal == .seconds(2))
    #expect(settings.expect.assertions.map(\.label) == ["status"])
    #expect(settings.encoding.entries.filter { $0.option != nil }.map(\.key) == ["bool"])
  }

  @Test func assertionsAreReplacedOneByOne() throws {
    let request = try Planning().request(
      """
      defaults: {expect: {status: 200, headers: {Content-Type: a}, json: {$.a: {at_least: 1, at_most: 5}}, cookies: {s: x}}}
      requests:
        - url: http://h
          expect: {headers: {content-type: b}, json: {$.a: 2}, cookies: {s: {value: y}}}

      """)
    #expect(
      request.settings.expect.assertions.map { "\($0.label) \($0.range.text)" } == [
        "status 200", "header content-type b", "json $.a 2", "cookie s value y",
      ])
  }

  @Test func anExpectedErrorReplacesExpectationsOfTheResponse() throws {
    let failing = try Planning().request(
      "defaults: {expect: {status: 200}}\nrequests:\n  - {url: http://h, expect: {error: timeout}}\n")
    #expect(failing.settings.expect.assertions.isEmpty)
    #expect(failing.settings.expect.failure.value?.literal == [.timeout])
    let answered = try Planning().request(
      "defaults: {expect: {error: timeout}}\nrequests:\n  - {url: http://h, expect: {status: 200}}\n")
    #expect(answered.settings.expect.failure.value == nil)
    #expect(answered.settings.expect.expectsStatus)
  }

  @Test func aBodyReplacesAnyBody() throws {
    let request = try Planning().request(
      "defaults: {method: PUT, json: {a: 1}}\nrequests:\n  - {url: http://h, form: {b: 2}}\n")
    guard case .form? = request.settings.body.value else {
      Issue.record("\(String(describing: request.settings.body.value))")
      return
    }
  }

  @Test(
    arguments: [
      ("none", "{max: 3}", nil, 3), ("{max: 3, keep_method: true}", "none", RedirectMode.none, nil),
      ("{max: 3}", "{keep_method: true}", nil, 3), ("{max: 3}", "null", nil, nil),
    ] as [(String, String, RedirectMode?, Int?)])
  func redirects(below: String, above: String, mode: RedirectMode?, max: Int?) throws {
    let request = try Planning().request(
      "defaults: {redirects: \(below)}\nrequests:\n  - {url: http://h, redirects: \(above)}\n")
    #expect(request.settings.redirects.mode.value?.literal == mode)
    #expect(request.settings.redirects.max.value?.literal == max)
  }

  @Test func tagsOfTheFileAreInherited() throws {
    let request = try Planning().request("tags: [a, b]\nrequests:\n  - {url: http://h, tags: [c, a]}\n")
    #expect(request.tags == ["a", "b", "c"])
  }

  @Test func variablesOfTheFileWinOverThoseItExtends() throws {
    var planning = Planning()
    planning.bases = ["variables: {a: 1, b: 1}\n"]
    let plan = try #require(try planning.plan("variables: {b: 2}\nurl: http://h\n").plan)
    #expect(names(plan.scope.variables.entries) == ["a=1", "b=2"])
  }
}
