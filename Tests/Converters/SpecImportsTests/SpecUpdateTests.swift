import Testing
import Values

@testable import SpecImports

@Suite("Specs are brought in step with a changed document") struct SpecUpdateTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    let old: String
    let new: String
    /// The spec as a person left it; nil is the import of the old document.
    var current: String?
    let result: String
    let changes: [String]

    init(
      _ name: String, old: String, new: String, current: String? = nil, result: String, _ changes: String...
    ) {
      (testDescription, self.old, self.new, self.current) = (name, old, new, current)
      (self.result, self.changes) = (result, changes)
    }
  }

  static let list = "requests:\n  - name: list\n    url: /a\n"
  static let get = "  - name: get\n    url: /a/{id}\n    path: {id: 1}\n"

  static let made = "  - name: make\n    url: /a\n    method: POST\n    query: {x: 1}\n    capture:\n      id: $.id\n"

  static func read(_ name: String, _ url: String) -> String { "  - name: \(name)\n    url: \(url)\n" }

  static let examples = [
    Example("nothing has changed", old: list, new: list, current: "# mine\n" + list, result: "# mine\n" + list),
    Example(
      "a new member stands where the import has it", old: list, new: list + "    query:\n      page: 1\n",
      current: list + "    # checked by hand\n    expect: {status: 200}\n",
      result: list + "    # checked by hand\n    expect: {status: 200}\n    query:\n      page: 1\n",
      "6: list: query is new: {page: 1}"),
    Example(
      "a member before others", old: list + "    expect:\n      status: 200\n",
      new: list + "    query:\n      page: 1\n    expect:\n      status: 200\n",
      result: list + "    query:\n      page: 1\n    expect:\n      status: 200\n", "4: list: query is new: {page: 1}"),
    Example(
      "a value as it was imported becomes the new one", old: list + "    query: {page: 1}\n",
      new: list + "    query: {page: 2}\n", current: list + "    query: {page: 1, size: 9} # ours\n",
      result: list + "    query: {page: 2, size: 9} # ours\n", "4: list: query.page is 2 now, was 1"),
    Example(
      "a value of a person stays", old: list + "    query: {page: 1}\n", new: list + "    query: {page: 2}\n",
      current: list + "    query: {page: 7}\n", result: list + "    query: {page: 7}\n",
      "left: 4: list: query.page is 2 in the document: left as it is"),
    Example(
      "a removed member becomes a comment", old: list + "    query:\n      page: 1\n      size: 2\n",
      new: list + "    query:\n      size: 2\n",
      result: list + "    query:\n      # Not in the document any more:\n      # page: 1\n      size: 2\n",
      "5: list: query.page is not in the document any more: commented out"),
    Example(
      "a removed member in one line stays", old: list + "    query: {page: 1, size: 2}\n",
      new: list + "    query: {size: 2}\n", result: list + "    query: {page: 1, size: 2}\n",
      "left: 4: list: query.page is not in the document any more: left as it is"),
    Example(
      "a removed operation becomes a comment", old: list + get, new: list,
      result: list + "  # GET /a/{id} is not in the document any more:\n  # - name: get\n  #   url: /a/{id}\n"
        + "  #   path: {id: 1}\n", "4: GET /a/{id} is not in the document any more: commented out"),
    Example(
      "all operations are replaced", old: list, new: "requests:\n  - url: /b\n",
      result:
        "requests:\n  # GET /a is not in the document any more:\n  # - name: list\n  #   url: /a\n\n  - url: /b\n",
      "6: GET /b is new", "2: GET /a is not in the document any more: commented out"),
    Example(
      "a new operation is like the one that it replaces", old: list + get,
      new: list + "  - name: search\n    url: /a/search\n",
      result: list + "\n  - name: search\n    url: /a/search\n"
        + "  # GET /a/{id} is not in the document any more:\n  # - name: get\n  #   url: /a/{id}\n  #   path: {id: 1}\n",
      "4: GET /a/{id} is not in the document any more: commented out", "5: GET /a/search as search is new"),
    Example(
      "a variable that an expression of a person reads stays", old: "variables:\n  limit: 10\n" + list, new: list,
      current: "variables:\n  limit: 10\n" + list + "    expect: {values: {limit: {at_most: 10}}}\n",
      result: "variables:\n  limit: 10\n" + list + "    expect: {values: {limit: {at_most: 10}}}\n"),
    Example(
      "all operations are removed", old: list, new: "name: empty\nrequests:\n  - url: /b\n",
      current: list + "  - url: /b\n",
      result:
        "name: empty\nrequests:\n  # GET /a is not in the document any more:\n  # - name: list\n  #   url: /a\n  - url: /b\n",
      "1: name is new: empty", "3: GET /a is not in the document any more: commented out"),
    Example(
      "a new operation is appended", old: list, new: list + "\n" + get, current: list + "\n# the end\n",
      result: list + "\n" + get + "\n# the end\n", "5: GET /a/{id} as get is new"),
    Example(
      "it takes the indentation of its siblings", old: list, new: list + get,
      current: "requests:\n- name: list\n  url: /a\n- url: /mine\n",
      result: "requests:\n- name: list\n  url: /a\n- name: get\n  url: /a/{id}\n  path: {id: 1}\n- url: /mine\n",
      "4: GET /a/{id} as get is new"),
    Example(
      "a new operation of the teardown", old: list, new: list + "\nteardown:\n" + get,
      result: list + "teardown:\n  - name: get\n    url: /a/{id}\n    path:\n      id: 1\n",
      "5: GET /a/{id} as get is new"),
    Example(
      "a new operation beside a teardown", old: list + "\nteardown:\n" + get,
      new: list + "  - url: /b\n\nteardown:\n" + get, result: list + "\n  - url: /b\n\nteardown:\n" + get,
      "5: GET /b is new"),
    Example(
      "an operation that a person has written is not added", old: list, new: list + get,
      current: list + "  - url: /a/${{ made }}\n", result: list + "  - url: /a/${{ made }}\n"),
    Example(
      "an operation that a person has deleted is not added", old: list + get, new: list + get + "    tags: [x]\n",
      current: list, result: list),
    Example(
      "a renamed operation is found by its path", old: list, new: "requests:\n  - name: all\n    url: /a\n",
      result: "requests:\n  - name: all\n    url: /a\n", "2: list: name is all now, was list"),
    Example(
      "a moved operation is found by its name", old: list, new: "requests:\n  - name: list\n    url: /v2/a\n",
      current: list + "    expect: {status: 200}\n",
      result: "requests:\n  - name: list\n    url: /v2/a\n    expect: {status: 200}\n",
      "3: list: url is /v2/a now, was /a"),
    Example(
      "a renamed parameter of the path", old: "requests:\n" + get,
      new: "requests:\n  - name: get\n    url: /a/{key}\n    path: {key: 1}\n",
      result: "requests:\n  - name: get\n    url: /a/{key}\n    path: {id: 1, key: 1}\n",
      "3: get: url is \"/a/{key}\" now, was \"/a/{id}\"", "4: get: path.key is new: 1",
      "left: 4: get: path.id is not in the document any more: left as it is"),
    Example(
      "one of several requests of an operation", old: list, new: list + "    query: {page: 1}\n",
      current: "requests:\n  - url: /a\n    expect: {status: 401}\n  - name: list\n    url: ${{ base }}/a\n",
      result:
        "requests:\n  - url: /a\n    expect: {status: 401}\n  - name: list\n    url: ${{ base }}/a\n    query:\n      page: 1\n",
      "6: list: query is new: {page: 1}", "left: 2: GET /a has changed, and this request of it is left as it is"),
    Example(
      "requests in flows", old: list, new: list + "    query: {page: 1}\n",
      current: "flows:\n  - name: f\n    requests:\n      - url: /a\n",
      result: "flows:\n  - name: f\n    requests:\n      - url: /a\n        query:\n          page: 1\n",
      "5: GET /a: query is new: {page: 1}"),
    Example(
      "what captures is before the first that reads it, and the rest behind", old: list + read("get", "/a/1"),
      new: list + made + read("get", "/a/${{ id }}") + "  - url: /c\n",
      current: list + "\n  # ours\n" + read("get", "/a/1"),
      result: list + "\n" + made + "\n  # ours\n" + read("get", "/a/${{ id }}") + "\n  - url: /c\n",
      "14: get: url is \"/a/${{ id }}\" now, was /a/1", "5: POST /a as make is new", "16: GET /c is new"),
    Example(
      "it is before the first request", old: "requests:\n" + read("get", "/a/1") + "  - name: list\n    url: /a\n",
      new: list + made + read("get", "/a/${{ id }}"),
      current: "requests:\n  # ours\n" + read("get", "/a/1") + "  - name: list\n    url: /a\n",
      result: "requests:\n" + made + "  # ours\n" + read("get", "/a/${{ id }}") + "  - name: list\n    url: /a\n",
      "10: get: url is \"/a/${{ id }}\" now, was /a/1", "2: POST /a as make is new"),
    Example(
      "what it reads is before it",
      old: list + "  - name: top\n    url: /t\n    capture: {t: $.t}\n" + read("get", "/a/1"),
      new: list + "  - name: top\n    url: /t\n    capture: {t: $.t}\n"
        + made.replacing("x: 1", with: "x: \"${{ t }}\"")
        + read("get", "/a/${{ id }}"),
      current: list + read("get", "/a/1") + "  - name: top\n    url: /t\n    capture: {t: $.t}\n",
      result: list + read("get", "/a/${{ id }}") + "  - name: top\n    url: /t\n    capture: {t: $.t}\n"
        + made.replacing("x: 1", with: "x: \"${{ t }}\""),
      "5: get: url is \"/a/${{ id }}\" now, was /a/1", "9: POST /a as make is new"),
    Example(
      "what a person captures already is enough", old: list + read("get", "/a/1"),
      new: list + made + read("get", "/a/1") + read("more", "/b/${{ id }}"),
      current: list + "    capture: {id: $.id}\n" + read("get", "/a/1") + "    query: {q: \"${{ id }}\"}\n",
      result: list + "    capture: {id: $.id}\n" + read("get", "/a/1") + "    query: {q: \"${{ id }}\"}\n" + made
        + read("more", "/b/${{ id }}"),
      "8: POST /a as make is new", "14: GET /b/${{ id }} as more is new"),
    Example(
      "what reads a capture under another name is left", old: list + made,
      new: list + made + read("get", "/a/${{ id }}"),
      current: list + made.replacing("id: $", with: "mine: $"),
      result: list + made.replacing("id: $", with: "mine: $"),
      "left: GET /a/${{ id }} as get is new, and reads `id`, which a.yaml of a new import declares: left to add"),
    Example(
      "a new operation of the teardown of a flow", old: list, new: list + "\nteardown:\n" + get,
      current: "flows:\n  - name: f\n    requests:\n      - url: /a\n",
      result:
        "flows:\n  - name: f\n    requests:\n      - url: /a\n    teardown:\n      - name: get\n        url: /a/{id}\n"
        + "        path:\n          id: 1\n", "6: GET /a/{id} as get is new"),
    Example(
      "a variable that is a secret now", old: "variables: {w: 1}\n" + list, new: "secrets: [w]\n" + list,
      current: "variables: {w: 1}\n" + list + read("mine", "/m/${{ w }}"),
      result: "# Not in the document any more:\n# variables: {w: 1}\nsecrets:\n  - w\n" + list
        + read("mine", "/m/${{ w }}"),
      "3: secrets is new: [w]", "1: variables is not in the document any more: commented out"),
    Example(
      "a secret that is a variable now", old: "secrets: [w]\n" + list, new: "variables: {w: 1}\n" + list,
      current: "secrets: [w]\n" + list + read("mine", "/m/${{ w }}"),
      result: "# The variable `w` in its place:\n# secrets: [w]\nvariables:\n  w: 1\n" + list
        + read("mine", "/m/${{ w }}"),
      "3: variables is new: {w: 1}", "1: The variable `w` in its place: commented out"),
    Example(
      "a variable that something reads stays", old: "variables: {v: 1, w: 2, x: 3}\n" + list,
      new: "variables: {x: 3}\n" + list,
      current: "variables:\n  v: 1\n  w: 2\n  x: 3\n" + list + read("mine", "/m/${{ v }}"),
      result: "variables:\n  v: 1\n  # Not in the document any more:\n  # w: 2\n  x: 3\n" + list
        + read("mine", "/m/${{ v }}"),
      "3: variables.w is not in the document any more: commented out"),
    Example(
      "settings of the file", old: "secrets: [a]\n" + list, new: "secrets: [a, b]\n" + list,
      current: "secrets: [mine, a]\n" + list, result: "secrets: [mine, a, b]\n" + list, "1: secrets also has b"),
  ]

  @Test("An update makes the document's changes alone, and a second one nothing", arguments: examples)
  func update(_ example: Example) {
    var bag = DiagnosticBag()
    let files = { (text: String) in [(path: "a.yaml", bytes: Array(text.utf8))] }
    let current = example.current ?? example.old
    let update = SpecUpdate(
      from: files(example.old), to: files(example.new), of: files(current), in: "specs", into: &bag)
    let result = update.files.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? current
    #expect(bag.diagnostics.isEmpty)
    #expect(result == example.result)
    let changes = update.changes.map { change in
      (change.isLeft ? "left: " : "") + (change.line.map { "\($0): " } ?? "") + change.text
    }
    #expect(changes == example.changes)
    let second = SpecUpdate(
      from: files(example.new), to: files(example.new), of: files(result), in: "specs", into: &bag)
    #expect(second.files.isEmpty && second.changes.isEmpty)
  }
}
